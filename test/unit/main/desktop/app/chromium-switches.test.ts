import { expect, test } from "vitest";
import { debuggingProblem, sandboxProblem, setSwitches } from "../../../../../main/desktop/app/chromium-switches.ts";

const commandLine = (...given: string[]) => ({ hasSwitch: (name: string) => given.includes(name) });

test("the old commands for the clipboard are off, and a signal to all processes is no crash", () => {
  const set = new Map<string, string | undefined>();
  setSwitches({ appendSwitch: (name, value) => void set.set(name, value) });
  expect(set.get("blink-settings")?.split(",").sort()).toEqual([
    "domPasteAllowed=false",
    "javaScriptCanAccessClipboard=false",
  ]);
  expect(set.has("disable-gpu-process-crash-limit")).toBe(true);
});

test("a package that would open its pages to other programs does not start", () => {
  const start = { packaged: true, inspected: false };
  expect(debuggingProblem(commandLine("no-sandbox"), start)).toBeUndefined();
  for (const name of ["remote-debugging-port", "remote-debugging-pipe"]) {
    const given = commandLine(name);
    expect(debuggingProblem(given, start)).toMatch(`--${name}: other users and programs`);
    // Developers and tests of a checkout, and tests of a package whose inspector they have switched on.
    expect(debuggingProblem(given, { ...start, packaged: false })).toBeUndefined();
    expect(debuggingProblem(given, { ...start, inspected: true })).toBeUndefined();
  }
});

test("without Chromium's sandbox it starts for root alone, for whom Chromium has none", () => {
  expect(sandboxProblem(commandLine("no-sandbox"), { root: false })).toMatch(/^--no-sandbox: .*AppImage/);
  expect(sandboxProblem(commandLine("no-sandbox"), { root: true })).toBeUndefined();
  expect(sandboxProblem(commandLine(), { root: false })).toBeUndefined();
});
