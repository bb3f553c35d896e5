import { methodNames } from "../../../core/commands/specs.ts";
import type { Outcome } from "../../../core/protocol/outcome.ts";
import type { MetricsRecorder } from "../metrics/metrics-recorder.ts";
import type { Session } from "../session/session.ts";
import type { RoutedCommand } from "./route-command.ts";

type Run = (session: Session, command: RoutedCommand) => Promise<Outcome>;

const known: ReadonlySet<string> = new Set(methodNames);

/** Wraps a command runner with metrics. Unknown methods share one name. */
export function measuredCommands(metrics: MetricsRecorder, run: Run): Run {
  return async (session, command) => {
    const startedAt = performance.now();
    const method = known.has(command.method) ? command.method : "unknown";
    const record = (outcome: string) => metrics.command(method, outcome, (performance.now() - startedAt) / 1000);
    try {
      const outcome = await run(session, command);
      record("error" in outcome ? outcome.error.code : "ok");
      return outcome;
    } catch (error) {
      record("internal");
      throw error;
    }
  };
}
