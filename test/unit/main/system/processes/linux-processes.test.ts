import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LinuxProcesses } from "../../../../../main/system/processes/linux-processes.ts";

/** Fields 3 to 24 of /proc/pid/stat. */
const STAT = `S ${"1 ".repeat(21)}`;

let root = "";
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "patchbay-proc-"));
  mkdirSync(join(root, "5"));
});
afterAll(() => rmSync(root, { recursive: true }));

function argvOf(cmdline: string): readonly string[] | undefined {
  writeFileSync(join(root, "5", "stat"), `5 (claude) ${STAT}`);
  writeFileSync(join(root, "5", "cmdline"), cmdline);
  return new LinuxProcesses(root).process(5, 0)?.argv();
}

test("arguments are read as they are; a program that only begins has none yet", () => {
  expect(argvOf("/opt/claude\0--model\0big\0")).toEqual(["/opt/claude", "--model", "big"]);
  // Linux has made the process another program, and has not written its arguments yet.
  expect(argvOf("")).toEqual([]);
});
