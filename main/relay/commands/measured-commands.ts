import { methodNames } from "../../../core/commands/specs.ts";
import type { Outcome } from "../../../core/protocol/outcome.ts";
import type { MetricsRecorder } from "../metrics/metrics-recorder.ts";
import type { Session } from "../session/session.ts";
import type { RoutedCommand } from "./route-command.ts";

type Run = (session: Session, command: RoutedCommand) => Promise<Outcome>;

const known: ReadonlySet<string> = new Set(methodNames);

/** The same, with every command measured; methods that do not exist share one name. */
export function measuredCommands(meter: MetricsRecorder, run: Run): Run {
  return async (session, command) => {
    const startedAt = performance.now();
    const method = known.has(command.method) ? command.method : "unknown";
    const told = (outcome: string) => meter.command(method, outcome, (performance.now() - startedAt) / 1000);
    try {
      const outcome = await run(session, command);
      told("error" in outcome ? outcome.error.code : "ok");
      return outcome;
    } catch (error) {
      told("internal");
      throw error;
    }
  };
}
