import { formatNumber, plural } from "../../../core/phrases.ts";
import { sentence } from "../../ui/sentence.ts";

/** The running agents. */
export const agents = {
  states: {
    running: "running",
    working: "working",
    idle: "idle",
    error: "failed",
    unknown: "state unknown",
    ended: "ended",
    paused: "paused",
    waiting: "waits for you",
  },
  /** States of the parts of an agent's work. */
  taskStates: {
    working: "working",
    waiting: "waits for you",
    idle: "idle",
    error: "failed",
    unknown: "state unknown",
    ended: "done",
  },
  tasksOf: (agent: string) => `Tasks of ${agent}`,
  detailsOf: (agent: string) => `Details of ${agent}`,
  details: "Details",
  lastTurns: (last: number, count: number) => `Last ${last} of ${count} turns`,
  turns: "Turns",
  tools: "Tools",
  subAgents: "Sub-agents",
  someSubAgents: "sub-agents",
  running: "Running now",
  none: "No agent runs in a shell.",
  tokens: (input: string, output: string, cached: string) => `${input} in, ${output} out, ${cached} cached`,
  mute: (agent: string, session: string) => `Mute ${agent} in ${session}`,
  muteHint: "Its notifications are listed under Activity but not shown",
  muted: "Muted",
  muteIt: "Mute",
  showIn: (agent: string, session: string) => `Show ${agent} in ${session}`,
  show: "Show",
  startedBy: (agent: string) => `Agents started by ${agent}`,
  noPrice: "Some calls have no list price",
  approximate: (part: string) => `About ${part} of it was priced as a similar model`,
  perHour: (cost: string) => `${cost} / h`,
  quotas: {
    title: "Quotas",
    ofAccount: (agent: string, account: string) => `${agent} in ${account}`,
    used: (percent: string) => `${percent} used`,
    tokens: (used: string) => `${used} tokens in the context`,
    tokensOf: (used: string, size: string, percent: string) => `${used} of ${size} tokens, ${percent}`,
    context: "Context",
    label: (label: string, of: string) => `${label} of ${of}`,
    resets: (time: string) => `Resets ${time}`,
    reset: (time: string) => `Reset; last reported ${time}`,
    reported: (time: string) => `Reported ${time}`,
  },
  stateFor: (state: string, time: string) => `${state}, ${time}`,
  withState: (agent: string, state: string) => `${agent} · ${state}`,
  countsMore: (sum: string, more: string) => `The agent itself counts ${sum}: ${more} more.`,
  countsLess: (sum: string, less: string) => `The agent itself counts ${sum}: ${less} less.`,
  calls: (tool: string, count: number) =>
    plural(count, { one: `${tool} · 1 call`, other: (n) => `${tool} · ${n} calls` }),
  callsFailed: (tool: string, count: number, failed: number) =>
    plural(count, {
      one: `${tool} · 1 call, ${formatNumber(failed)} failed`,
      other: (n) => `${tool} · ${n} calls, ${formatNumber(failed)} failed`,
    }),
  lines: (added: number, removed: number) => `+${formatNumber(added)} −${formatNumber(removed)} lines`,
  count: (agents: number) => plural(agents, { one: "1 agent", other: (n) => `${n} agents` }),
};

/** Costs and budgets. */
export const costs = {
  budgets: {
    day: "A day, all sessions",
    session: "Each session",
    saved: "Budgets saved.",
    title: "Budgets",
    none: "none",
    set: "Set budgets",
    wrong: "Enter an amount above 0, or leave the field empty.",
    ambiguous: (typed: string, whole: string, part: string) => `Enter ${whole} or ${part}: ${typed} can mean either.`,
    hint: "A new budget only warns: you are notified once at 80% and once at 100%. Calls of models without a price are not counted.",
  },
  unknownModel: "unknown model",
  closedSessions: "closed sessions",
  /** The name of what the chart sums up beside the most expensive series. */
  otherSeries: "other",
  dayBudget: (budget: string) => `budget ${budget} a day`,
  /** What costs are summed by. */
  by: "Summed by",
  parts: { agent: "Agent", model: "Model", session: "Session", folder: "Folder", machine: "Machine" },
  machines: {
    title: "Costs by machine",
    here: "This machine",
    running: (agents: number) => plural(agents, { one: "1 running agent", other: (n) => `${n} running agents` }),
    away: "away, as last heard of",
  },
  unknownFolder: "unknown folder",
  forecast: "expected",
  aDay: (sum: string) => `${sum} a day with use`,
  whatIf: {
    title: "What a budget would do",
    budget: "With a budget of a day of $",
    none: "5",
    set: "Set this budget",
    reached: (time: string) => `It would have been reached at ${time}.`,
    willBe: (time: string) => `It would be reached at about ${time}.`,
    notToday: (left: string) => `It would not be reached today: ${left} would be left.`,
    days: (over: number, of: number, more: string) =>
      over === 0
        ? `It would have been reached on none of ${formatNumber(of)} days with use.`
        : `It would have been reached on ${formatNumber(over)} of ${formatNumber(of)} days with use; ${more} were spent beyond it.`,
  },
  sources: {
    tokens: "Tokens are those that the agents write in their own transcripts on this machine, by call.",
    list: {
      "built-in": "Prices are list prices in US dollars, of the list that comes with Patchbay.",
      installed: "Prices are list prices in US dollars, of a newer signed list that was installed.",
    },
    overrides: (file: string) => `Your own prices come before the list: ${file}`,
    unpriced: (model: string, calls: number) =>
      plural(calls, {
        one: `${model} has no price: 1 call is not counted.`,
        other: (n) => `${model} has no price: ${n} calls are not counted.`,
      }),
    explain: sentence("{command} prints the calculation for each running agent."),
  },
  table: {
    title: {
      agent: "Costs by agent",
      model: "Costs by model",
      session: "Costs by session",
      folder: "Costs by folder",
    },
    calls: "Calls",
    share: "Share",
    percent: (share: number) => `${formatNumber(share)} %`,
    input: "In",
    output: "Out",
    cached: "Cached",
    cost: "Cost",
  },
  spans: { today: "Today", week: "7 d", month: "30 d" },
  /** What stands beside the sum of a time span, and what stands in its place. */
  sums: {
    today: (tokens: string) => `today at list prices · ${tokens} tokens`,
    week: (tokens: string) => `in 7 days at list prices · ${tokens} tokens`,
    month: (tokens: string) => `in 30 days at list prices · ${tokens} tokens`,
  },
  nothing: {
    today: "No costs today. The costs of agents in your shells appear here.",
    week: "No costs in 7 days. The costs of agents in your shells appear here.",
    month: "No costs in 30 days. The costs of agents in your shells appear here.",
  },
  prices: (date: string, days: number) =>
    plural(days, { one: `Prices of ${date}, 1 day old`, other: (n) => `Prices of ${date}, ${n} days old` }),
  unpriced: (models: number) =>
    plural(models, { one: "1 model without a price", other: (n) => `${n} models without a price` }),
  notInstalled: (problem: string) => `the installed list is not used: ${problem}`,
  saved: (file: string) => `Saved as ${file}.`,
  overBudget: (over: string, budget: string) => `${over} over today's budget of ${budget}`,
  span: "Time span",
  showChart: "Show the chart",
  showTable: "Show a table",
  exportCsv: "Export CSV",
};

/** Policies and their answers. */
export const policies = {
  removed: (id: number) => `Policy ${id} was removed.`,
  title: "Policies",
  about: (id: number, name: string, by: string, time: string) => `Policy ${id} · ${name} · by ${by}, ${time}`,
  remove: (id: number) => `Remove policy ${id}`,
  removeIt: "Remove",
  none: sentence("No policy answers questions of agents in your name. {command} adds one."),
  hint: "A policy answers questions of agents in your name; the audit log lists each answer.",
  answeredCount: (count: number) => `Answered by policies (${count})`,
  answered: "Answered by policies",
  answeredBy: (id: string, policy: string) => `Policy ${id}: ${policy}`,
  answeredByRemoved: (id: string) => `Policy ${id}, which was removed since`,
};

/** The prompts that wait for agents. */
export const prompts = {
  title: "Prompts",
  undelivered: (count: number) => `Not delivered (${count})`,
  sentAgain: (id: number, next: number) => `Prompt ${id} is sent again, as prompt ${next}.`,
  sendAgain: (id: number) => `Send prompt ${id} again`,
  sendItAgain: "Send again",
  moved: (id: number, to: number, last: number) => `Prompt ${id} is number ${to} of ${last} now.`,
  cancelled: (id: number) => `Prompt ${id} was cancelled.`,
  changed: (id: number) => `Prompt ${id} was changed.`,
  prompt: (id: number) => `Prompt ${id}`,
  moveUp: (id: number) => `Move prompt ${id} up`,
  up: "Up",
  moveDown: (id: number) => `Move prompt ${id} down`,
  down: "Down",
  edit: (id: number) => `Edit prompt ${id}`,
  editIt: "Edit",
  cancel: (id: number) => `Cancel prompt ${id}`,
  cancelIt: "Cancel",
  text: (id: number) => `Text of prompt ${id}`,
  save: "Save",
  leave: "Leave as it is",
  about: (state: string, by: string) => `${state} · from ${by}`,
  afterOthers: "after the prompts before it",
  next: "is written next",
  aboutWaiting: (why: string, by: string, time: string) => `${why} · from ${by} · expires ${time}`,
  states: {
    written: "written",
    started: "started",
    refused: "refused",
    expired: "expired",
    uncertain: "uncertain",
    echoed: "shown in the agent's input",
    accepted: "taken by the agent",
  },
  from: (by: string) => `from ${by}`,
};
