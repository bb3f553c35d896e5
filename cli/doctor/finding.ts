import type { Finding } from "../../core/protocol/health.ts";
import type { CheckContext } from "./check-context.ts";

export type CheckResult = Omit<Finding, "check">;

/** Checks one thing without changing anything. Reports problems and does not throw for them. */
export type Check = (surroundings: CheckContext) => CheckResult | Promise<CheckResult>;
