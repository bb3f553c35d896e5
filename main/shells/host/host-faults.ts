import { RemoteError } from "../../../core/protocol/errors.ts";

/** The connection went down while the host did something. */
export function unreachableShells(): RemoteError {
  return new RemoteError(
    "shells_unreachable",
    "The process that holds the shells was cut off while it did this: look at the shell before you try again.",
  );
}

/** The host did not answer in time; `silentMs` is the time without any sign of life where it counts as hung. */
export function lateHost({
  pid,
  waitedMs,
  silentMs,
}: {
  pid: number;
  waitedMs: number;
  silentMs?: number;
}): RemoteError {
  const host = `The process that holds the shells (${pid})`;
  if (silentMs !== undefined) return new RemoteError("shell_host_timeout", `${hungHost(pid, silentMs)} ${RECOVERY}`);
  return new RemoteError(
    "shell_host_timeout",
    `${host} did not answer within ${seconds(waitedMs)} s: look at the shell before you try again, because it may have been done.`,
  );
}

/** The host leaves unread what it was sent, so it is sent no more. */
export function fullHost(pid: number): RemoteError {
  return new RemoteError(
    "shell_host_timeout",
    `The process that holds the shells (${pid}) does not read what it is sent: nothing of this was done. ${RECOVERY}`,
  );
}

/** No host was connected, or could be started, in time. */
export function noHostInTime(waitedMs: number): RemoteError {
  return new RemoteError(
    "shell_host_timeout",
    `The process that holds the shells could not be reached within ${seconds(waitedMs)} s: nothing of this was done.`,
  );
}

/** That a host hangs, in one sentence. */
export function hungHost(pid: number, silentMs: number): string {
  return `The process that holds the shells (${pid}) has not answered for ${seconds(silentMs)} s.`;
}

export const RECOVERY =
  "Wait until it goes on, or end it together with its shells: `patchbay shell-host restart --force`.";

function seconds(ms: number): number {
  return Number((ms / 1000).toFixed(ms < 1000 ? 3 : 1));
}
