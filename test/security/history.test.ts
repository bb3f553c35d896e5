import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { searchPattern, THREAD_MS } from "../../core/protocol/search-pattern.ts";
import { exportHistory } from "../../main/shells/history/export-history.ts";
import { hitsIn } from "../../main/shells/history-index/text-hits.ts";
import { historyLab, owner, PrintingShell } from "../unit/main/shells/history/history-lab.ts";

const PLAYER = join(import.meta.dirname, "../../node_modules/asciinema-player/dist/bundle");
const TOKEN = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
const [FIRST, REST] = [TOKEN.slice(4, 20), TOKEN.slice(20)];

test("a token that a program breaks over lines stands in no export and no hit of a search", async () => {
  await using lab = historyLab();
  lab.recorder.configure(lab.options);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 0, 1) });
  onTestFinished(() => void vi.useRealTimers());
  const shell = new PrintingShell(lab.recorder);
  const printed = [
    `plain ghp_${FIRST}\r\n${REST} end\r\n`,
    `  \x1b[32mghp_${FIRST}\x1b[0m\r\n  \x1b[32m${REST}\x1b[0m\r\n`,
    `│ ghp_${FIRST} │\r\n│ ${REST} │\r\n`,
  ].join("");
  shell.print(printed);
  await lab.recorder.flush();
  const wish = { owner, since: 0, until: Number.MAX_SAFE_INTEGER, redacts: true };
  for (const format of ["text", "asciicast", "asciicast3", "html"] as const) {
    const { content = "" } = (await exportHistory(lab.reader, { ...wish, format }, PLAYER)) ?? {};
    const shown = format === "html" ? recordingIn(content) : content;
    expect(shown).toContain("ghp_•••");
    expect(shown).not.toContain(FIRST);
    expect(shown).not.toContain(REST);
  }
  const pattern = searchPattern({ query: "ghp_", regex: false }, THREAD_MS);
  const hits = hitsIn(Buffer.from(printed), { start: 0, ends: printed.length, pattern });
  expect(hits).toHaveLength(3);
  expect(JSON.stringify(hits)).not.toMatch(new RegExp(`${FIRST}|${REST}`));
});

function recordingIn(page: string): string {
  return Buffer.from(/base64,([A-Za-z0-9+/=]+)/.exec(page)?.[1] ?? "", "base64").toString("utf8");
}
