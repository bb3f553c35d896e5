import { expect, test } from "vitest";
import { setSwitches, switchProblem } from "../../../../../main/desktop/app/chromium-switches.ts";

const commandLine = (...given: string[]) => ({ hasSwitch: (name: string) => given.includes(name) });
const start = { commandLine: commandLine(), packaged: true, root: false, inspected: false };

test("the old commands for the clipboard are off, and a signal to all processes is no crash", () => {
  const set = new Map<string, string | undefined>();
  setSwitches({ appendSwitch: (name, value) => void set.set(name, value) });
  expect(set.get("blink-settings")?.split(",").sort()).toEqual([
    "domPasteAllowed=false",
    "javaScriptCanAccessClipboard=false",
  ]);
  expect(set.has("disable-gpu-process-crash-limit")).toBe(true);
});

test("a package that would open its pages to other users of the machine does not start", () => {
  expect(switchProblem(start)).toBeUndefined();
  for (const name of ["remote-debugging-port", "remote-debugging-pipe"]) {
    const given = { ...start, commandLine: commandLine(name) };
    expect(switchProblem(given)).toMatch(`--${name}: any user of this machine`);
    // Developers and tests of a checkout, and tests of a package whose inspector they have switched on.
    expect(switchProblem({ ...given, packaged: false })).toBeUndefined();
    expect(switchProblem({ ...given, inspected: true })).toBeUndefined();
  }
});

test("without Chromium's sandbox it starts for root alone, for whom Chromium has none", () => {
  const given = { ...start, commandLine: commandLine("no-sandbox") };
  for (const more of [{}, { packaged: false }, { inspected: true }]) {
    expect(switchProblem({ ...given, ...more })).toMatch(/^--no-sandbox: .*AppImage/);
    expect(switchProblem({ ...given, ...more, root: true })).toBeUndefined();
  }
});
