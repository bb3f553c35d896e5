import { z } from "zod";
import { SessionId } from "./ids.ts";
import { isWindowName } from "./quotas.ts";

const usd = z.number().positive().max(1_000_000).nullable();

/** Budgets of agents in US dollars at list prices; null for none. */
export const BudgetLimits = z.object({
  day: usd.describe("US dollars for all sessions together, each local day"),
  session: usd.describe("US dollars for each session, as long as it exists"),
});
export type BudgetLimits = z.infer<typeof BudgetLimits>;

/**
 * What a budget counts: an agent's own session, what ran in a shell, a session of Patchbay, a local day of all sessions
 * (of all models, or by model), or a quota window of an agent's account.
 */
export const BudgetScope = z.enum(["agent", "shell", "session", "day", "model", "window"]);
export type BudgetScope = z.infer<typeof BudgetScope>;

export const BudgetUnit = z.enum(["dollars", "tokens", "percent"]);
export type BudgetUnit = z.infer<typeof BudgetUnit>;

/** Three fields that name a budget. */
export const BudgetKey = z.object({
  scope: BudgetScope,
  subject: z
    .string()
    .max(200)
    .default("")
    .describe(
      "the one that it is for: an agent's session id, a shell as `SESSION/ID`, a session's id, a model's id or its beginning and `*`, a window as `5h` or `claude 5h`; each one without it",
    ),
  unit: BudgetUnit.describe("`dollars` at list prices, `tokens` of all kinds, or `percent` of a window"),
});
export type BudgetKey = z.infer<typeof BudgetKey>;

/** A budget as callers name it: those of windows are in percent, all others in dollars where nothing else is said. */
export const BudgetName = BudgetKey.extend({
  unit: BudgetUnit.optional().describe(
    "`dollars` at list prices (default), `tokens` of all kinds, or `percent`, for windows only",
  ),
});
export type BudgetName = z.infer<typeof BudgetName>;

/** What a subject that is not of the form of its scope should be; undefined for one that something can have. */
export function subjectProblem({ scope, subject }: Pick<BudgetKey, "scope" | "subject">): string | undefined {
  if (subject === "") return undefined;
  const [session = "", shell = "", ...more] = subject.split("/");
  switch (scope) {
    case "day":
      return "a budget of the scope day is for all sessions together";
    case "shell":
      return SessionId.safeParse(session).success && /^[1-9]\d{0,15}$/.test(shell) && more.length === 0
        ? undefined
        : "expected a shell as SESSION/ID, such as `default-session/3`; `service sessions` lists the sessions";
    case "session":
      return SessionId.safeParse(subject).success
        ? undefined
        : "expected the id of a session; `service sessions` lists them";
    case "agent":
      return /^[^\s\p{Cc}]+$/u.test(subject)
        ? undefined
        : "expected the id of an agent's session; `list-agent-sessions` lists them";
    case "model":
      return /^[^\s*\p{Cc}]*\*?$/u.test(subject)
        ? undefined
        : "expected a model's id, or its beginning and one `*` at the end";
    case "window":
      return subject.split(" ").some(isWindowName)
        ? undefined
        : "expected a window such as `5h`, `week` or `claude 5h`; `service usage windows` lists them";
  }
}

/**
 * What a budget does at its limit: hold automated input and ask, do so when what is surely spent has reached it, or only
 * warn.
 */
export const AtLimit = z.enum(["hold", "hold-certain", "warn"]);
export type AtLimit = z.infer<typeof AtLimit>;

const limits = {
  limit: z.number().positive().max(1_000_000_000_000),
  atLimit: AtLimit.default("hold").describe(
    "`hold` automated input and ask, `hold-certain`: without counting approximate prices for it, or only `warn`",
  ),
};

export const BudgetSetting = BudgetKey.extend(limits);
export type BudgetSetting = z.infer<typeof BudgetSetting>;

/** A budget as callers set it. */
export const WantedBudget = BudgetName.extend(limits);

/**
 * `within` the limit; `held`: automated input is held until the question is answered; `stopped`: the answer was to stop, so
 * that it stays held; `released`: the answer was to let it run.
 */
export const BudgetState = z.enum(["within", "held", "stopped", "released"]);
export type BudgetState = z.infer<typeof BudgetState>;

/** What was counted against a budget, in the budget's unit. */
export const BudgetUse = z.object({
  of: z
    .string()
    .describe(
      "an agent's session, `SESSION/SHELL`, a session, a local day, a local day and a model, or a kind of agent, a window and the agent's data folder",
    ),
  spent: z.number(),
  limit: z.number().describe("the budget's limit, or the one that an answer has raised it to"),
  uncertain: z
    .literal(true)
    .optional()
    .describe("a call was unpriced, or priced by a sibling model: see `unpriced` and `approximate`"),
  approximate: z
    .number()
    .optional()
    .describe("the part of `spent` in dollars that was priced by a sibling model; `hold-certain` does not count it"),
  unpriced: z
    .literal(true)
    .optional()
    .describe("a call of a model without a price adds nothing to `spent`, so at least this was spent"),
  state: BudgetState,
  question: z.object({ session: SessionId, id: z.int() }).optional().describe("the question that asks how to go on"),
});
export type BudgetUse = z.infer<typeof BudgetUse>;

export const Budget = BudgetSetting.extend({ uses: z.array(BudgetUse) }).meta({ id: "Budget" });
export type Budget = z.infer<typeof Budget>;

/** A budget is nearly spent (`percent` 80) or spent (100). */
export const BudgetAlert = BudgetSetting.pick({ scope: true, subject: true, unit: true })
  .extend(
    BudgetUse.pick({ of: true, spent: true, limit: true, uncertain: true, approximate: true, unpriced: true }).shape,
  )
  .extend({ percent: z.union([z.literal(80), z.literal(100)]) })
  .meta({ id: "BudgetAlert" });
export type BudgetAlert = z.infer<typeof BudgetAlert>;
