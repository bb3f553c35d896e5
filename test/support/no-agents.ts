import { RemoteError } from "../../core/protocol/errors.ts";
import type { PriceListStatus } from "../../core/protocol/prices.ts";
import { ResumeStarts } from "../../main/agents/resume-starts.ts";
import type { AgentsPort } from "../../main/relay/session/ports.ts";

const noPrices: PriceListStatus = {
  list: "none",
  version: "0",
  date: "2026-01-01",
  ageDays: 0,
  source: "built-in",
  unpriced: [],
};

/** Starts of resumes where no agent has ended, and one may work on the conversation. */
export function resumeStarts(of: ConstructorParameters<typeof ResumeStarts>[0]["of"] = () => undefined): ResumeStarts {
  return new ResumeStarts({ of, hasEnded: () => false });
}

/** A relay's agents where none run. */
export const noAgents: AgentsPort = {
  cost: () => ({ total: { input: 0, output: 0, cached: 0, cost: 0 }, byModel: [], agents: [] }),
  usageHistory: () => [],
  details: async (_, id) => {
    throw new RemoteError("unknown_agent_session", `No agent session ${id}.`);
  },
  conversations: {
    list: async () => [],
    page: async ({ agentSessionId }) => {
      throw new RemoteError("unknown_agent_session", `No conversation ${agentSessionId}.`);
    },
    text: async ({ agentSessionId }) => {
      throw new RemoteError("unknown_agent_session", `No conversation ${agentSessionId}.`);
    },
  },
  leftBehind: { list: () => [], end: async () => [] },
  resumes: {
    list: async () => [],
    note: () => {},
    starts: { problem: () => undefined, start: (_name, _session, create) => create() },
    find: ({ agentSessionId }) => {
      throw new RemoteError("unknown_agent_session", `No conversation ${agentSessionId}.`);
    },
  },
  explain: async () => [],
  kinds: () => [],
  stopTurn: async (_, id) => {
    throw new RemoteError("unknown_agent_session", `No agent session ${id}.`);
  },
  prices: () => noPrices,
  updatePrices: () => undefined,
  windows: () => [],
  limited: () => [],
  readLatest: async () => {},
  reportLimits: () => {},
  reportIdle: () => {},
  reportTelemetry: () => {},
  interruptKeys: () => undefined,
  sessions: () => [],
  events: async () => [],
  follow: () => async () => [],
  input: () => undefined,
};
