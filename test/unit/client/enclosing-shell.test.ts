import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findEnclosingShells } from "../../../client/enclosing-shell.ts";

let proc: string;

beforeEach(() => {
  proc = mkdtempSync(join(tmpdir(), "patchbay-proc-"));
});

afterEach(() => {
  rmSync(proc, { recursive: true });
});

function addProcess(pid: number, parent: number, { env = {}, args = ["sh"] }: { env?: object; args?: string[] } = {}) {
  mkdirSync(join(proc, String(pid)));
  const entries = Object.entries(env).map(([name, value]) => `${name}=${value}\0`);
  writeFileSync(join(proc, String(pid), "environ"), entries.join(""));
  writeFileSync(join(proc, String(pid), "cmdline"), `${args.join("\0")}\0`);
  writeFileSync(join(proc, String(pid), "stat"), `${pid} (a (b) c) S ${parent} 1 1`);
}

function claim(shell: string, url: string, token = `pbs_${shell}`) {
  return { SERVICE_SHELL_ID: shell, SERVICE_URL: url, SERVICE_TOKEN: token };
}

const asShell = ({ SERVICE_SHELL_ID: shell, SERVICE_URL: url, SERVICE_TOKEN: token }: ReturnType<typeof claim>) => ({
  shell,
  url,
  token,
});

test("every shell that an ancestor tells of is found, nearest first, and the caller's own word counts last", () => {
  const [real, faked] = [claim("3", "http://127.0.0.1:1"), claim("3", "http://127.0.0.1:2", "x")];
  addProcess(40, 30, { env: faked });
  addProcess(30, 20, { env: {} });
  addProcess(20, 10, { env: real });
  addProcess(10, 1);
  expect(findEnclosingShells(faked, { pid: 40, proc })).toEqual({
    shells: [asShell(real), asShell(faked)],
    folders: [],
    isComplete: true,
  });
});

test("an ancestor that is a shell host names its data folder, whatever the environments tell", () => {
  const folder = join(proc, "data");
  mkdirSync(folder);
  writeFileSync(join(folder, "shell-host.json"), JSON.stringify({ pid: 10 }));
  const args = ["node", "shell-host.js", "--file", join(folder, "shell-host.json")];
  addProcess(10, 1, { args });
  // Another process that takes its arguments is none.
  addProcess(20, 10, { args });
  addProcess(30, 20);
  expect(findEnclosingShells({}, { pid: 30, proc })).toEqual({ shells: [], folders: [folder], isComplete: true });
});

test("more ancestors than are looked at are told", () => {
  for (let pid = 2; pid < 260; pid += 1) addProcess(pid, pid - 1);
  expect(findEnclosingShells({}, { pid: 259, proc }).isComplete).toBe(false);
  expect(findEnclosingShells({}, { pid: 150, proc }).isComplete).toBe(true);
});
