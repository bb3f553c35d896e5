import type { AgentStatus } from "../../../core/protocol/agent-records.ts";
import type { RelayEvent } from "../../../core/protocol/events.ts";
import type { SessionId, ShellId } from "../../../core/protocol/ids.ts";
import { type AgentStateEvent, eventPatternsOf, fitsEvent } from "../../../core/protocol/webhooks.ts";
import type { HookEventName } from "./hook-message.ts";

/** Names the events of one session for hooks: an agent's change to idle or to an error has a name of its own. */
export class EventNames {
  readonly #states = new Map<ShellId, AgentStatus | undefined>();

  /** Returns the names of the next event, the most telling first. */
  next(event: RelayEvent): readonly HookEventName[] {
    const changed = this.#changeOf(event);
    return changed === undefined ? [event.type] : [changed, event.type];
  }

  #changeOf(event: RelayEvent): AgentStateEvent | undefined {
    switch (event.type) {
      case "agent.ended":
        this.#states.delete(event.data.shellId);
        return undefined;
      case "agent.started":
      case "agent.waiting":
      case "agent.updated": {
        const { shellId, state } = event.data;
        const before = this.#states.get(shellId);
        this.#states.set(shellId, state);
        if (event.type !== "agent.updated" || before === undefined || before === state) return undefined;
        return state === "idle" || state === "error" ? `agent.${state}` : undefined;
      }
      default:
        return undefined;
    }
  }
}

/** Returns the first of an event's names that a hook's list of patterns has; undefined where it has none. */
export function nameFor(events: string, names: readonly HookEventName[]): HookEventName | undefined {
  const patterns = eventPatternsOf(events);
  return names.find((name) => patterns.some((pattern) => fitsEvent(pattern, name)));
}

/** Returns what an event is about that a person may still take care of: a question, or an agent's state. */
export function concernOf(session: SessionId, event: RelayEvent): string | undefined {
  switch (event.type) {
    case "question.opened":
    case "question.answered":
    case "question.withdrawn":
      return `question ${session} ${event.data.id}`;
    case "agent.started":
    case "agent.waiting":
    case "agent.updated":
    case "agent.ended":
      return `agent ${session} ${event.data.shellId}`;
    default:
      return undefined;
  }
}

/** Returns whether the subject of an event needs no attention any more. */
export function settles(event: RelayEvent): boolean {
  switch (event.type) {
    case "question.answered":
    case "question.withdrawn":
    case "agent.ended":
      return true;
    case "agent.started":
    case "agent.waiting":
    case "agent.updated":
      return event.data.state !== "idle" && event.data.state !== "error";
    default:
      return false;
  }
}

/** Returns whether an event reports a condition that lasts until a user handles it. */
export function mayStay(name: HookEventName): boolean {
  return name === "question.opened" || name === "agent.idle" || name === "agent.error";
}
