// @vitest-environment happy-dom
import { Terminal } from "@xterm/xterm";
import { expect, test, vi } from "vitest";
import { CurrentSearch } from "../../../../../renderer/session/terminal/search.ts";

test("a search after a program has switched screens finds what is there, and nothing that is not", async () => {
  const terminal = new Terminal({ cols: 40, rows: 5, allowProposedApi: true });
  // Without a page there is no selection.
  vi.spyOn(terminal, "select").mockReturnValue();
  vi.spyOn(terminal, "clearSelection").mockReturnValue();
  const search = new CurrentSearch();
  terminal.loadAddon(search);
  const write = (data: string) => new Promise<void>((resolve) => terminal.write(data, resolve));
  await write("needle\x1b[H");
  expect(search.findNext("needle")).toBe(true);
  // Its own screen, without a line feed and with the cursor where it was.
  await write("\x1b[?1049h");
  expect(search.findNext("needle")).toBe(false);
  await write("other\x1b[H");
  expect(search.findNext("other")).toBe(true);
  await write("\x1b[?1049l");
  expect(search.findNext("other")).toBe(false);
  expect(search.findNext("needle")).toBe(true);
  terminal.dispose();
});
