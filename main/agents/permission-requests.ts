import type { Agent, AgentEvent } from "../../core/protocol/agent-records.ts";
import { agentEvent } from "./adapters/event-parts.ts";
import type { AgentSessionKey } from "./usage-store.ts";

/** Of one agent session, the last ones are kept. */
const MAX_REQUESTS = 200;

/** When agents have waited for permission, by their state: no transcript has it. Kept for as long as the relay runs. */
export class PermissionRequests {
  readonly #requests = new Map<string, AgentEvent[]>();

  /** Returns the requests of an agent session, oldest first. */
  of({ agentType, sessionId }: AgentSessionKey): readonly AgentEvent[] {
    return this.#requests.get(`${agentType}/${sessionId}`) ?? [];
  }

  /** Keeps the request of an agent that has begun to wait. `now` in ms. */
  keep({ agentType, sessionId, reason, since }: Agent, now: number): void {
    const key = `${agentType}/${sessionId}`;
    const requests = this.#requests.get(key) ?? [];
    const at = since ?? new Date(now).toISOString();
    const data = { source: reason?.source ?? "" };
    requests.push(agentEvent(`waiting:${at}`, "permission_request", at, reason?.detail ?? "", data));
    this.#requests.set(key, requests.slice(-MAX_REQUESTS));
  }
}
