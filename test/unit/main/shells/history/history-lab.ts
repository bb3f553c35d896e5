import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { historyLimits, type RecordingOptions } from "../../../../../core/protocol/history.ts";
import { HistoryReader } from "../../../../../main/shells/history/history-reader.ts";
import { HistoryRecorder } from "../../../../../main/shells/history/recorder.ts";
import { masterKey } from "../../../../../main/shells/history/segment.ts";
import { OutputLog } from "../../../../../main/shells/output-log.ts";
import type { ShellRecorder } from "../../../../../main/shells/shell-recorder.ts";

export const SECRET = Buffer.alloc(32, 7);
export const owner = { session: "s_test", shell: 1 } as const;

/** A shell whose output the test prints. */
export class PrintingShell {
  readonly log: OutputLog;
  readonly recorder: ShellRecorder;

  constructor(
    recorder: HistoryRecorder,
    keptBytes?: number,
    { session, shell } = owner as { session: string; shell: number },
  ) {
    this.log = new OutputLog({}, keptBytes);
    this.recorder = recorder.record(session, shell, this.log);
  }

  print(bytes: Buffer | string): void {
    this.log.append(Buffer.from(bytes));
    this.recorder.noteOutput();
  }
}

/** A history in a folder of its own, with its writer and its reader. */
export function historyLab(settings: Partial<RecordingOptions> = {}) {
  const folder = mkdtempSync(join(tmpdir(), "history-"));
  const troubles: (string | undefined)[] = [];
  const recorders: HistoryRecorder[] = [];
  const options: RecordingOptions = {
    folder,
    key: SECRET.toString("base64"),
    days: historyLimits.days,
    maxBytes: historyLimits.bytes,
    except: [],
    ...settings,
  };
  const newRecorder = (quietMs = 0) => {
    const recorder = new HistoryRecorder({
      log: () => undefined,
      onTrouble: (sentence) => troubles.push(sentence),
      quietMs,
    });
    recorders.push(recorder);
    return recorder;
  };
  const recorder = newRecorder();
  const reader = new HistoryReader({
    folder: () => folder,
    keys: () => [masterKey(undefined), masterKey(SECRET)],
    flush: (which) => recorder.flush(which),
  });
  return {
    folder,
    options,
    recorder,
    reader,
    troubles,
    newRecorder,
    /** Reads everything from an offset on, page by page. */
    async readAll(since = 0, maxBytes?: number) {
      const pages: { output: string; offset: number; end: number; missed: number }[] = [];
      for (let at = since; ; ) {
        const page = await reader.read(owner, { since: at, maxBytes });
        if (page === undefined || page.end <= at) return pages;
        pages.push(page);
        at = page.end;
      }
    },
    async [Symbol.asyncDispose]() {
      for (const one of recorders) await one.dispose();
      rmSync(folder, { recursive: true });
    },
  };
}
