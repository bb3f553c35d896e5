import { RemoteError } from "../../../core/protocol/errors.ts";

/** The connection closed while a call was in progress. */
export function shellsUnreachable(): RemoteError {
  return new RemoteError(
    "shells_unreachable",
    "The connection to the shell host was lost during this call: check the shell before you try again.",
  );
}

/** The host did not answer in time; `silentMs` is given when the host counts as hung. */
export function callTimedOut({
  pid,
  waitedMs,
  silentMs,
}: {
  pid: number;
  waitedMs: number;
  silentMs?: number;
}): RemoteError {
  const host = `The shell host (${pid})`;
  if (silentMs !== undefined)
    return new RemoteError("shell_host_timeout", `${describeHungHost(pid, silentMs)} ${RECOVERY}`);
  return new RemoteError(
    "shell_host_timeout",
    `${host} did not answer within ${seconds(waitedMs)} s: check the shell before you try again, because the call may have been executed.`,
  );
}

/** The host does not read, so nothing more is sent to it. */
export function hostNotReading(pid: number): RemoteError {
  return new RemoteError(
    "shell_host_timeout",
    `The shell host (${pid}) does not read its input: nothing was executed. ${RECOVERY}`,
  );
}

/** No host could be reached or started in time. */
export function hostUnreachable(waitedMs: number): RemoteError {
  return new RemoteError(
    "shell_host_timeout",
    `The shell host could not be reached within ${seconds(waitedMs)} s: nothing was executed.`,
  );
}

/** Describes a hung host in one sentence. */
export function describeHungHost(pid: number, silentMs: number): string {
  return `The shell host (${pid}) has not answered for ${seconds(silentMs)} s.`;
}

export const RECOVERY =
  "Wait until it recovers, or end it together with its shells: `patchbay shell-host restart --force`.";

function seconds(ms: number): number {
  return Number((ms / 1000).toFixed(ms < 1000 ? 3 : 1));
}
