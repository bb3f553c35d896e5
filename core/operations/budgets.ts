import { z } from "zod";
import { AgentSessionDetails } from "../protocol/agent-records.ts";
import { Budget, BudgetLimits, BudgetName, WantedBudget } from "../protocol/budgets.ts";
import { AccountWindow } from "../protocol/quotas.ts";
import { UsageRow } from "../protocol/usage.ts";
import { operation } from "./operation.ts";
import { SessionParam } from "./sessions.ts";

/** Longest report, in days. */
const MOST_DAYS = 400;

const Overview = BudgetLimits.extend({ budgets: z.array(Budget) });

export const budgetOperations = {
  getBudgets: operation({
    summary: "Show the budgets of agents, and what counts against them",
    details:
      "`day` and `session` are the limits in US dollars for each day and each session, null for none; `budgets` lists all of them with their uses.",
    params: z.object({}),
    result: Overview,
    access: "read",
    owner: "relay",
    effect: "read",
    http: { method: "GET", path: "budgets" },
    cli: {
      word: "budgets",
      action: "show",
      wordSummary: "show the budgets of agents; set those of each day and session, which only warn",
      isDefault: true,
      examples: ["budgets"],
    },
  }),
  setBudgets: operation({
    summary: "Set the budgets in dollars of each day and each session, which only warn",
    details:
      "A changed budget begins anew. A budget that is left out stays as it is; null removes it. New ones only warn; `setBudget` (`budget set`) sets those that hold.",
    params: BudgetLimits.partial(),
    result: BudgetLimits,
    access: "unrestricted",
    owner: "relay",
    closedToShells: true,
    closedToAutomation: true,
    effect: "change",
    http: { method: "PUT", path: "budgets" },
    cli: { word: "budgets", action: "set", examples: ["budgets set --day 20", "budgets set --day none"] },
    panel: true,
  }),
  setBudget: operation({
    summary: "Set a budget of agents",
    details:
      "At its limit a budget holds automated input to the shells of its agents and asks how to go on, unless it only warns. A changed budget begins anew: nothing is held for it until the limit is reached again.",
    params: WantedBudget,
    result: Overview.extend({
      note: z.string().optional().describe("says so where nothing counts against the new budget now"),
    }),
    access: "unrestricted",
    owner: "relay",
    closedToShells: true,
    closedToAutomation: true,
    effect: "change",
    http: { method: "PUT", path: "budgets/:scope" },
    cli: {
      word: "budget",
      action: "set",
      wordSummary: "set and remove budgets that hold the input of agents at their limit",
      args: ["scope", "limit"],
      examples: [
        "budget set day 20",
        "budget set agent 5",
        "budget set model 2000000 --subject 'gpt-6*' --unit tokens",
        "budget set window 90 --subject 5h",
      ],
    },
  }),
  removeBudget: operation({
    summary: "Remove a budget of agents",
    details: "What it holds is let go, and its question is withdrawn.",
    params: BudgetName,
    result: Overview,
    access: "unrestricted",
    owner: "relay",
    closedToShells: true,
    closedToAutomation: true,
    effect: "change",
    http: { method: "DELETE", path: "budgets/:scope" },
    cli: { word: "budget", action: "remove", args: ["scope"], examples: ["budget remove day"] },
  }),
  getQuotaWindows: operation({
    summary: "Show the quota windows of agents' accounts",
    details:
      "How much of each window is used and when it is reset, as the agents have last reported it: Codex in its transcripts, Claude Code through its status line (`agents connect claude --status-line`). After its reset a window is empty until an agent reports again.",
    params: z.object({}),
    result: z.array(AccountWindow),
    access: "read",
    owner: "relay",
    effect: "read",
    http: { method: "GET", path: "usage/windows" },
    cli: {
      word: "usage",
      action: "windows",
      columns: ["agentType", "window", "limit", "usedPercent", "resetsAt", "at", "account"],
      examples: ["usage windows"],
    },
    panel: true,
  }),
  getAgentDetails: operation({
    summary: "Show what an agent session has cost by turn and sub-agent, and how long its tools took",
    details:
      "Also the branch, the permission mode and the changed lines, where the agent's transcript has them, and how far the agent's own total is from the sum. The whole transcript is read; nothing that was said is in the answer.",
    params: z.object({
      session: SessionParam,
      agentSession: z.string().min(1).max(200).describe("the agent's own session, as `list-agent-sessions` names it"),
    }),
    result: AgentSessionDetails,
    access: "read",
    effect: "read",
    http: { method: "GET", path: "sessions/:session/agent-sessions/:agentSession" },
    cli: {
      word: "usage",
      action: "session",
      args: ["agentSession"],
      examples: ["usage session 01a1fc09-3354-7e42-8c65-f6df7ca02110"],
    },
    panel: true,
  }),
  getUsage: operation({
    summary: "Show what agents have used by hour or day",
    details: "Of all sessions, at list prices, by agent session and model.",
    params: z.object({
      days: z.int().min(1).max(MOST_DAYS).default(7).describe("local days, today included"),
      by: z.enum(["hour", "day"]).default("day"),
    }),
    result: z.array(UsageRow),
    access: "read",
    owner: "relay",
    effect: "read",
    http: { method: "GET", path: "usage" },
    cli: {
      word: "usage",
      action: "show",
      wordSummary: "show what agents have used, and the quota windows of their accounts",
      isDefault: true,
      columns: ["from", "agentType", "model", "cost", "calls", "input", "output", "cached", "sessionId"],
      examples: ["usage", "usage --days 1 --by hour", "usage --days 30 --json"],
    },
  }),
} as const;
