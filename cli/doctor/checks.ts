import type { Finding } from "../../core/protocol/health.ts";
import type { CheckContext } from "./check-context.ts";
import { checkDataFolder } from "./check-data-folder.ts";
import { checkDisplay } from "./check-display.ts";
import { checkFleet } from "./check-fleet.ts";
import { checkKeychain } from "./check-keychain.ts";
import { checkNotifications } from "./check-notifications.ts";
import { checkPrices } from "./check-prices.ts";
import { checkRelay } from "./check-relay.ts";
import { checkShellHost } from "./check-shell-host.ts";
import { checkStalls } from "./check-stalls.ts";
import { checkVersions } from "./check-versions.ts";
import type { Check } from "./finding.ts";

/** In the order of the output. */
const CHECKS: Readonly<Record<string, Check>> = {
  versions: checkVersions,
  "data folder": checkDataFolder,
  relay: checkRelay,
  "event loop": checkStalls,
  "shell host": checkShellHost,
  fleet: checkFleet,
  prices: checkPrices,
  keychain: checkKeychain,
  display: checkDisplay,
  notifications: checkNotifications,
};

/** Runs every check of this machine and its relay, one after the other. */
export async function runChecks(surroundings: CheckContext): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [check, look] of Object.entries(CHECKS)) findings.push({ check, ...(await look(surroundings)) });
  return findings;
}
