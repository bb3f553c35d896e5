import { checkContext } from "../../cli/doctor/check-context.ts";
import { runChecks } from "../../cli/doctor/checks.ts";
import type { RunChecks } from "../relay/operations/relay.ts";

/** The checks of `service doctor`, run by the relay of this data folder itself. Calls at the same time share one run. */
export function healthChecks(data: string, env: NodeJS.ProcessEnv = process.env): RunChecks {
  let running: ReturnType<RunChecks> | undefined;
  return (inRelay) => {
    running ??= runChecks({ ...checkContext({ data, env }), inRelay }).finally(() => {
      running = undefined;
    });
    return running;
  };
}
