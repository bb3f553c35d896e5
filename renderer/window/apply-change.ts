import type { SessionMirror } from "../../core/protocol/mirror.ts";
import type { SessionChange } from "../../preload/channels.ts";
import type { SessionSnapshot } from "../session/view/session-host.ts";

/** The snapshot after a change; what the change does not mention stays the same object. */
export function applyChange(before: SessionSnapshot, change: SessionChange): SessionSnapshot {
  const { mirror, ...rest } = change;
  return {
    ...before,
    ...rest,
    // The first change of the mirror carries all of it.
    mirror: mirror === undefined ? before.mirror : ({ ...before.mirror, ...mirror } as SessionMirror),
  };
}
