import { applyDiff } from "../../../core/protocol/apply-diff.ts";
import type { RelayEvent } from "../../../core/protocol/events.ts";
import type { RelayFrame } from "../../../core/protocol/frames.ts";
import type { SessionDiff, SessionMirror } from "../../../core/protocol/mirror.ts";
import { EventLog } from "./event-log.ts";

/** Receives every diff and event of the session. */
export interface Subscriber {
  send(frame: RelayFrame): void;
}

/** The current state of a session. Every change is sent to the subscribers, whose mirrors are copies of it. */
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
    this.#publish({ type: "diff", diff });
  }

  emit(event: RelayEvent): void {
    this.events.append(event);
    this.#publish({ type: "event", event });
  }

  #publish(frame: RelayFrame): void {
    for (const subscriber of this.subscribers) subscriber.send(frame);
  }
}
