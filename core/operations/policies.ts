import { z } from "zod";
import { Policy, PolicyRule, PolicyTrial } from "../protocol/policies.ts";
import { operation } from "./operation.ts";
import { SessionParam } from "./sessions.ts";

const id = z.int().positive().describe("id of the policy");

export const policyOperations = {
  getPolicies: operation({
    summary: "List the policies of a session, which answer its agents' questions",
    params: z.object({ session: SessionParam }),
    result: z.array(Policy),
    access: "read",
    effect: "read",
    http: { method: "GET", path: "sessions/:session/policies" },
    cli: {
      word: "policies",
      columns: ["id", "effect", "what", "folder", "command", "agentType", "addedBy", "addedAt"],
      examples: ["policies"],
    },
    panel: true,
  }),
  addPolicy: operation({
    summary: "Add a policy",
    details:
      'From then on `allow` answers the questions that it fits with "yes, this once"; `ask` leaves those that it fits to a person, whatever other policies allow. Open questions stay as they are. A question whose risk is high, that is answered on the screen, or that is not understood in full is never answered by a policy.',
    params: PolicyRule.extend({ session: SessionParam }),
    result: Policy,
    access: "unrestricted",
    closedToAgents: true,
    closedToShells: true,
    closedToAutomation: true,
    effect: "change",
    http: { method: "POST", path: "sessions/:session/policies", status: 201 },
    cli: {
      word: "policy",
      action: "add",
      wordSummary: "add, remove and try rules that answer agents' questions",
      args: ["effect", "what"],
      paths: ["folder"],
      examples: [
        'policy add allow reads --folder "$PWD"',
        "policy add allow command --command 'npm test' --folder \"$PWD\" --agent-type claude",
        "policy add ask network",
      ],
    },
  }),
  removePolicy: operation({
    summary: "Remove a policy",
    params: z.object({ session: SessionParam, id }),
    result: Policy,
    access: "unrestricted",
    closedToAgents: true,
    closedToShells: true,
    closedToAutomation: true,
    effect: "change",
    http: { method: "DELETE", path: "sessions/:session/policies/:id" },
    cli: { word: "policy", action: "remove", args: ["id"], examples: ["policy remove 3"] },
    panel: true,
  }),
  testPolicies: operation({
    summary: "Show what policies would have done with the last 100 questions",
    details:
      "Answers nothing. Without `id` all policies together; with it that one alone; with `effect` and `what` a rule that is not added. Files are looked up as they are now.",
    params: PolicyRule.partial().extend({ session: SessionParam, id: id.optional() }),
    result: z.array(PolicyTrial),
    access: "unrestricted",
    closedToAgents: true,
    closedToShells: true,
    effect: "read",
    http: { method: "GET", path: "sessions/:session/policies/test" },
    cli: {
      word: "policy",
      action: "test",
      args: ["id"],
      paths: ["folder"],
      columns: ["id", "agentType", "title", "would", "policy", "because", "answered"],
      examples: ["policy test", "policy test 3", 'policy test --effect allow --what reads --folder "$PWD"'],
    },
  }),
} as const;
