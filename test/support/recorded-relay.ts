import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "vitest";
import { historyLimits } from "../../core/protocol/history.ts";
import { HistoryKeeper } from "../../main/entry/history-keeper.ts";
import { HistoryRows } from "../../main/relay/store/history-rows.ts";
import { openStore } from "../../main/relay/store/open-store.ts";
import { HistoryRecorder } from "../../main/shells/history/recorder.ts";
import { createShellHost } from "../../main/shells/shell-host.ts";
import { startTestRelay, type TestRelay } from "./test-relay.ts";

export interface RecordedRelay extends AsyncDisposable {
  readonly relay: TestRelay;
  readonly history: HistoryKeeper;
  /** The folder of the segments; the index stands beside it. */
  readonly folder: string;
}

/** A relay in this process whose shells are recorded, without encryption, and searched by the built index. */
export async function startRecordedRelay(): Promise<RecordedRelay> {
  const folder = mkdtempSync(join(tmpdir(), "patchbay-recorded-"));
  const quiet = () => undefined;
  const recorder = new HistoryRecorder({ log: quiet });
  const { database } = openStore(folder);
  const history = new HistoryKeeper({
    rows: new HistoryRows(database),
    folder: join(folder, "history"),
    relayId: "recorded",
    user: "nobody",
    runs: () => [],
    player: "",
    indexProgram: join(inject("bundles"), "dist", "main", "history-index.cjs"),
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    shells: () => ({
      record: async (options) => void recorder.configure(options),
      flush: (options) => recorder.flush(options),
    }),
  });
  const environment = { PATH: process.env.PATH, HOME: folder, SHELL: "/bin/bash", LANG: "C.UTF-8" };
  const relay = await startTestRelay({
    shellHostFor(session) {
      const integrationFolder = join(folder, "integration");
      const record = recorder.record.bind(recorder, session);
      const host = createShellHost({ integrationFolder, environment, record });
      history.watch(session, host, (shell) => relay.relay.sessions.get(session).inputSources.take(shell));
      return host;
    },
  });
  relay.relay.history = history;
  await history.start({ unencrypted: true, days: historyLimits.days, maxBytes: historyLimits.bytes });
  return {
    relay,
    history,
    folder: join(folder, "history"),
    async [Symbol.asyncDispose]() {
      await relay[Symbol.asyncDispose]();
      await history[Symbol.asyncDispose]();
      await recorder.dispose();
      database.close();
      rmSync(folder, { recursive: true });
    },
  };
}
