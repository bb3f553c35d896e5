import { applyDiff } from "../../../core/protocol/apply-diff.ts";
import type { RelayEvent } from "../../../core/protocol/events.ts";
import type { RelayFrame } from "../../../core/protocol/frames.ts";
import type { SessionDiff, SessionMirror } from "../../../core/protocol/mirror.ts";
import { EventLog } from "./event-log.ts";

/** Someone who hears every diff and event of the session. */
export interface Subscriber {
  send(frame: RelayFrame): void;
}

/** What is true of a session right now, told to every client as it changes: the original of their mirrors. */
export class SessionState {
  readonly events = new EventLog();
  readonly subscribers = new Set<Subscriber>();
  #mirror: SessionMirror;

  constructor(start: SessionMirror) {
    this.#mirror = start;
  }

  get now(): SessionMirror {
    return this.#mirror;
  }

  apply(diff: SessionDiff): void {
    this.#mirror = applyDiff(this.#mirror, diff);
    this.#tell({ type: "diff", diff });
  }

  emit(event: RelayEvent): void {
    this.events.append(event);
    this.#tell({ type: "event", event });
  }

  #tell(frame: RelayFrame): void {
    for (const hearer of this.subscribers) hearer.send(frame);
  }
}
