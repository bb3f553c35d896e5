import { statSync } from "node:fs";
import { basename } from "node:path";
import type { ShellCallResult } from "../../core/protocol/shell-host.ts";
import { cwdOf, foregroundOf } from "../system/processes/terminal-session.ts";
import type { Shell } from "./shell.ts";

/** Describes a shell; the foreground program and the folder are queried from the system. */
export async function describeShell(shell: Shell): Promise<ShellCallResult<"info">> {
  const alive = shell.exit === null;
  const foreground = alive ? ((await foregroundOf(shell.pid)) ?? null) : null;
  const cwd = (alive ? await cwdOf(shell.pid) : undefined) ?? shell.cwd ?? null;
  return {
    id: shell.id,
    pid: shell.pid,
    command: shell.program,
    title: shell.title || foreground || basename(shell.program),
    // The path reported by the shell preserves symbolic links, as long as it names the same folder.
    cwd: shell.cwd !== undefined && isSameFolder(shell.cwd, cwd) ? shell.cwd : cwd,
    foreground,
    integrated: shell.tracker.state !== "unknown",
    bracketedPaste: shell.bracketedPaste,
    alternateScreen: shell.alternateScreen,
    atPrompt: shell.tracker.state === "unknown" ? null : shell.tracker.takesKeys,
    running: alive,
    exitCode: shell.exit?.exitCode ?? null,
    signal: shell.exit?.signal ?? null,
    start: shell.log.start,
    end: shell.log.end,
  };
}

function isSameFolder(one: string, other: string | null): boolean {
  if (other === null || one === other) return true;
  const [first, second] = [one, other].map((path) => statSync(path, { throwIfNoEntry: false }));
  return first !== undefined && first.ino === second?.ino && first.dev === second.dev;
}
