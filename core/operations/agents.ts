import { z } from "zod";
import { AgentEvidence, AgentKind, AgentSessionName } from "../protocol/agent-records.ts";
import { ShellId } from "../protocol/ids.ts";
import { operation } from "./operation.ts";
import { SessionParam } from "./sessions.ts";

export const agentOperations = {
  explainAgents: operation({
    summary: "Show what says which state the agents in a shell have, and how old that is",
    details:
      "Each source with its latest report: the program's own status, its title, its file, a hook, its transcript, its screen, notifications. `decides` marks the one that the state is from (docs/agents.md). `manifest` is tried beside what is known: the last entry of the result says whether it recognizes a program in the shell, and which of its patterns match now.",
    params: z.object({
      session: SessionParam,
      shell: ShellId.describe("number of the shell"),
      manifest: z.string().max(65_536).optional().describe("text of a manifest of a kind of agent that is to be tried"),
    }),
    result: z.array(AgentEvidence),
    access: "read",
    effect: "read",
    http: { method: "GET", path: "sessions/:session/shells/:shell/agents" },
    cli: { word: "agents", action: "explain", args: ["shell"], examples: ["agents explain 3"] },
  }),
  getAgentKinds: operation({
    summary: "List the kinds of agents that are known, and what is wrong with your own manifests",
    details:
      "Manifests are read when the relay starts. Your own are the files of the folder `agents` in the data folder (docs/agents.md).",
    params: z.object({}),
    result: z.array(AgentKind),
    access: "unrestricted",
    owner: "relay",
    effect: "read",
    http: { method: "GET", path: "agent-kinds" },
    cli: { word: "agents", action: "kinds", columns: ["kind", "used", "from", "problem"], examples: ["agents kinds"] },
  }),
  stopAgentTurn: operation({
    summary: "Stop the turn of an agent session that goes on without its terminal",
    details:
      "A daemon of the agent may work on when its terminal has ended: `list-agent-sessions` marks such sessions as `detached`. Resolves once the agent was told; the session is `ended` once its transcript shows the end of the turn. The turn of an agent in a terminal is stopped by its own key there.",
    params: z.object({
      session: SessionParam,
      agentSession: z.string().min(1).max(200).describe("the agent's own session, as `list-agent-sessions` names it"),
    }),
    result: AgentSessionName,
    access: "change",
    closedToAgents: true,
    effect: "change",
    http: { method: "POST", path: "sessions/:session/agent-sessions/:agentSession/stop" },
    cli: {
      word: "agents",
      action: "stop",
      args: ["agentSession"],
      examples: ["agents stop 01a215eb-a13e-7183-a1eb-0f22f6057361"],
    },
  }),
} as const;
