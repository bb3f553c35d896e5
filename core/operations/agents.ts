import { z } from "zod";
import { AgentEvidence } from "../protocol/agent-records.ts";
import { ShellId } from "../protocol/ids.ts";
import { operation } from "./operation.ts";
import { SessionParam } from "./sessions.ts";

export const agentOperations = {
  explainAgents: operation({
    summary: "Show what says which state the agents in a shell have, and how old that is",
    details:
      "Each source with its latest report: the program's own status, its title, its file, a hook, its transcript, its screen, notifications. `decides` marks the one that the state is from (docs/agents.md).",
    params: z.object({ session: SessionParam, shell: ShellId.describe("number of the shell") }),
    result: z.array(AgentEvidence),
    access: "read",
    effect: "read",
    http: { method: "GET", path: "sessions/:session/shells/:shell/agents" },
    cli: { word: "agents", action: "explain", args: ["shell"], examples: ["agents explain 3"] },
  }),
} as const;
