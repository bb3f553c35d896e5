import { isDeepStrictEqual } from "node:util";
import type { Self } from "../../../core/commands/context.ts";
import type { SessionMirror } from "../../../core/protocol/mirror.ts";
import type { ClientState } from "../../../core/state/client-state.ts";
import type { MachineLink, SessionChange } from "../../../preload/channels.ts";

/** A snapshot of a client; its parts are immutable, so changes are detected by identity. */
export interface SessionPicture {
  readonly state: ClientState;
  readonly mirror: SessionMirror | undefined;
  readonly self: Self | undefined;
  readonly connected: boolean;
  /** Undefined for a session of this machine. */
  readonly link?: MachineLink | undefined;
}

/** The change to send to a page that has `before`; undefined when nothing changed. */
export function changeSince(before: SessionPicture | undefined, now: SessionPicture): SessionChange | undefined {
  const mirror = now.mirror === undefined ? undefined : fieldsChanged(before?.mirror, now.mirror);
  const self = now.self === before?.self ? undefined : now.self;
  const change: SessionChange = {
    ...(now.state === before?.state ? {} : { state: now.state }),
    ...(mirror === undefined ? {} : { mirror }),
    ...(self === undefined ? {} : { self }),
    ...(now.connected === before?.connected ? {} : { connected: now.connected }),
    ...(now.link === undefined || isDeepStrictEqual(now.link, before?.link) ? {} : { link: now.link }),
  };
  return Object.keys(change).length === 0 ? undefined : change;
}

/** Only the changed lists of the mirror, so that a new title does not resend the chat. */
function fieldsChanged(before: SessionMirror | undefined, now: SessionMirror): Partial<SessionMirror> | undefined {
  const changed = Object.entries(now).filter(([name, value]) => before?.[name as keyof SessionMirror] !== value);
  return changed.length === 0 ? undefined : (Object.fromEntries(changed) as Partial<SessionMirror>);
}
