import { constants } from "node:os";

const names = new Map<number, string>();
// The first name of a number is the usual one: SIGABRT before SIGIOT.
for (const [name, number] of Object.entries(constants.signals)) if (!names.has(number)) names.set(number, name);

/** The name of a signal of this system, such as `SIGKILL`; `SIG64` and the like for one that has no name. */
export function signalName(signal: number): string {
  return names.get(signal) ?? `SIG${signal}`;
}

/** The signal that an exit code stands for by the shells' rule, 128 and its number; undefined for any other code. */
export function signalOfExitCode(exitCode: number): string | undefined {
  return names.get(exitCode - 128);
}
