import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { findFiles, openFile, type PathBase } from "../../../../../main/desktop/windows/terminal-files.ts";

let folder: string;
let base: PathBase;
let calls: string[] = [];
const opener = {
  openPath: async (file: string) => {
    calls.push(`open ${file.slice(folder.length + 1)}`);
    return file.endsWith("broken.pdf") ? "no program for it" : "";
  },
  showItemInFolder: (file: string) => void calls.push(`show ${file.slice(folder.length + 1)}`),
};

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "paths-")));
  base = { cwd: join(folder, "work"), home: folder, platform: "linux" };
  mkdirSync(join(folder, "work/Tool.app"), { recursive: true });
  const names = ["notes.txt", "main.ts", "build.sh", "setup.py", "page.html", "evil.desktop", "Makefile", "broken.pdf"];
  for (const name of [...names, "Run.command", "tool.EXE", "picture.svg", "table.xlsm", "my notes.txt"])
    writeFileSync(join(folder, "work", name), "");
  writeFileSync(join(folder, "work/program.txt"), "");
  chmodSync(join(folder, "work/program.txt"), 0o755);
  writeFileSync(join(folder, "at-home.md"), "");
  symlinkSync(join(folder, "work/evil.desktop"), join(folder, "work/harmless.txt"));
  symlinkSync(join(folder, "nothing"), join(folder, "work/dangling.txt"));
});
beforeEach(() => {
  calls = [];
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("paths are absolute, below the home folder or below that of the shell, and exist", async () => {
  const there = ["notes.txt", "./notes.txt", "../at-home.md", "~/at-home.md", "~", "my notes.txt", "Tool.app", "/dev"];
  expect(await findFiles([...there, join(folder, "at-home.md")], base)).toEqual([...there, ""].map(() => true));
  const none = ["nothing.txt", "dangling.txt", "/dev/null", "", "notes.txt\0", "notes\x1b.txt", "~other/at-home.md"];
  expect(await findFiles(none, base)).toEqual(none.map(() => false));
  expect(await findFiles(["notes.txt", "~/at-home.md"], { ...base, cwd: "" })).toEqual([false, true]);
});

test("a path on another machine is not looked for on Windows", async () => {
  const path = `/${join(folder, "at-home.md")}`;
  expect(await findFiles([path], base)).toEqual([true]);
  expect(await findFiles([path, "\\\\host\\share"], { ...base, platform: "win32" })).toEqual([false, false]);
});

test.each([
  ["notes.txt", "linux", "opened", "open work/notes.txt"],
  ["main.ts", "darwin", "opened", "open work/main.ts"],
  ["build.sh", "linux", "opened", "open work/build.sh"],
  ["build.sh", "darwin", "shown", "show work/build.sh"],
  ["setup.py", "win32", "shown", "show work/setup.py"],
  ["page.html", "linux", "shown", "show work/page.html"],
  ["picture.svg", "linux", "shown", "show work/picture.svg"],
  ["table.xlsm", "win32", "shown", "show work/table.xlsm"],
  ["evil.desktop", "linux", "shown", "show work/evil.desktop"],
  ["harmless.txt", "linux", "shown", "show work/evil.desktop"],
  ["Run.command", "darwin", "shown", "show work/Run.command"],
  ["tool.EXE", "linux", "shown", "show work/tool.EXE"],
  ["Makefile", "linux", "shown", "show work/Makefile"],
  ["program.txt", "linux", "shown", "show work/program.txt"],
  ["Tool.app", "darwin", "opened", "show work/Tool.app"],
] as const)("%s on %s is %s", async (path, platform, result, call) => {
  expect(await openFile(path, { ...base, platform }, opener)).toBe(result);
  expect(calls).toEqual([call]);
});

test("a file that is gone, and one that the system does not open, are refused with the reason", async () => {
  await expect(openFile("nothing.txt", base, opener)).rejects.toThrow("There is no file nothing.txt.");
  await expect(openFile("broken.pdf", base, opener)).rejects.toThrow("no program for it");
});
