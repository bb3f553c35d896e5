import { checkData } from "./check-data.ts";
import { checkDisplay } from "./check-display.ts";
import { checkKeychain } from "./check-keychain.ts";
import { checkNotifications } from "./check-notifications.ts";
import { checkRelay } from "./check-relay.ts";
import { checkShellHost } from "./check-shell-host.ts";
import { checkVersions } from "./check-versions.ts";
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

/** In the order in which they are told. */
export const CHECKS: Readonly<Record<string, Check>> = {
  versions: checkVersions,
  "data folder": checkData,
  relay: checkRelay,
  "shell host": checkShellHost,
  keychain: checkKeychain,
  display: checkDisplay,
  notifications: checkNotifications,
};
