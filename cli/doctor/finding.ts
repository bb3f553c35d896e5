import type { CheckContext } from "./check-context.ts";

/** What a check has found: all is well, something is worth knowing, or something must be done. */
export interface CheckResult {
  readonly state: "ok" | "note" | "problem";
  /** What is so, in one sentence. */
  readonly found: string;
  /** What to do about it. */
  readonly advice?: string;
}

export interface Finding extends CheckResult {
  readonly check: string;
}

/** Looks at one thing, and changes nothing. Never throws for what it finds. */
export type Check = (surroundings: CheckContext) => CheckResult | Promise<CheckResult>;
