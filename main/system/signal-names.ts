import { constants } from "node:os";
import type { ShellExit } from "../../core/protocol/shell-host.ts";

const names = new Map<number, string>();
// The first name of a number is the usual one: SIGABRT before SIGIOT.
for (const [name, number] of Object.entries(constants.signals)) if (!names.has(number)) names.set(number, name);

/** What shells add to the number of the signal that ended a command, in its exit code. */
const SIGNAL_EXIT = 128;

/** Returns the name of the signal that an exit code of a shell stands for; null where it stands for none. */
export function signalOfExit(exitCode: number | null): string | null {
  return names.get((exitCode ?? 0) - SIGNAL_EXIT) ?? null;
}

/** The name of a signal of this system, such as `SIGKILL`; `SIG64` and the like for one that has no name. */
export function signalName(signal: number): string {
  return names.get(signal) ?? `SIG${signal}`;
}

/** Returns an exit with the name of its signal, as records and events hold it. */
export function namedExit({ exitCode, signal }: ShellExit): { exitCode: number; signal: string | null } {
  return { exitCode, signal: signal === null ? null : signalName(signal) };
}
