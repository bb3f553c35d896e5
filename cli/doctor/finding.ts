import type { Surroundings } from "./surroundings.ts";

/** What a check has found: all is well, something is worth knowing, or something must be done. */
export interface Found {
  readonly state: "ok" | "note" | "problem";
  /** What is so, in one sentence. */
  readonly found: string;
  /** What to do about it. */
  readonly advice?: string;
}

export interface Finding extends Found {
  readonly check: string;
}

/** Looks at one thing, and changes nothing. Never throws for what it finds. */
export type Check = (surroundings: Surroundings) => Found | Promise<Found>;
