import type { agentOperations } from "../../../core/operations/agents.ts";
import type { Handlers } from "../calls/calls.ts";
import type { AgentsPort } from "../session/ports.ts";

export function agentHandlers(agents: Pick<AgentsPort, "explain">): Handlers<keyof typeof agentOperations> {
  return {
    explainAgents({ shell }, { session }) {
      session.shells.get(shell);
      return agents.explain(session.id, shell);
    },
  };
}
