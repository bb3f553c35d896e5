import type { CheckContext } from "./check-context.ts";

/** What a check found: `ok`, a note worth knowing, or a problem to solve. */
export interface CheckResult {
  readonly state: "ok" | "note" | "problem";
  /** The fact, in one sentence. */
  readonly found: string;
  /** What to do about it. */
  readonly advice?: string;
}

export interface Finding extends CheckResult {
  readonly check: string;
}

/** Checks one thing without changing anything. Reports problems and does not throw for them. */
export type Check = (surroundings: CheckContext) => CheckResult | Promise<CheckResult>;
