import type { AgentsPort } from "../../main/relay/session/ports.ts";

/** A relay's agents where none run. */
export const noAgents: AgentsPort = {
  cost: () => ({ total: { input: 0, output: 0, cached: 0, cost: 0 }, byModel: [], agents: [] }),
  usage: () => [],
  windows: () => [],
  limited: () => [],
  readLatest: async () => {},
  reportLimits: () => {},
  interruptKeys: () => undefined,
  sessions: () => [],
  events: async () => [],
  follow: () => async () => [],
  input: () => undefined,
};
