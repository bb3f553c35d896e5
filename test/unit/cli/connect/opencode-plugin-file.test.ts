import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { opencodeLoader, planPlugin } from "../../../../cli/connect/opencode-plugin-file.ts";

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "opencode-plugin-"));
  file = join(folder, "plugin", "patchbay.js");
});
afterEach(() => rmSync(folder, { recursive: true }));

test("another program's plugin that came while the user was asked is neither replaced nor removed", () => {
  const plan = planPlugin(file);
  mkdirSync(dirname(file));
  writeFileSync(file, "export const Mine = 1;");
  expect(() => plan.write()).toThrow(/another program's plugin/);
  expect(() => plan.remove()).toThrow(/another program's plugin/);
  expect(readFileSync(file, "utf8")).toBe("export const Mine = 1;");
});

test("a folder that has become a link meanwhile is not written through", () => {
  const plan = planPlugin(file);
  mkdirSync(join(folder, "elsewhere"));
  symlinkSync(join(folder, "elsewhere"), dirname(file));
  expect(() => plan.write()).toThrow(/symbolic link/);
  rmSync(dirname(file));
  plan.write();
  expect(readFileSync(file, "utf8")).toBe(opencodeLoader);
});
