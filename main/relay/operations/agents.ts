import type { agentOperations } from "../../../core/operations/agents.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { Handlers } from "../calls/calls.ts";
import type { AgentsPort } from "../session/ports.ts";

export function agentHandlers(
  agents: Pick<AgentsPort, "explain" | "stopTurn" | "kinds">,
): Handlers<keyof typeof agentOperations> {
  return {
    explainAgents({ shell, manifest }, { session, caller: { permit } }) {
      if (manifest !== undefined && permit?.hidesSecrets === true) {
        throw new RemoteError(
          "scope_forbids",
          "Secrets are hidden from this caller, and which patterns of a manifest match the screen would tell of one letter by letter: leave `manifest` out.",
        );
      }
      const { pid } = session.shells.get(shell);
      return agents.explain({ sessionId: session.id, shellId: shell, pid: pid ?? 0 }, manifest);
    },
    getAgentKinds: () => agents.kinds(),
    stopAgentTurn({ agentSession }, { session, caller: { principal } }) {
      const { membership } = principal;
      if (membership !== undefined && (membership.guest || membership.role !== "admin"))
        throw new RemoteError("scope_forbids", "Only the owner of the session stops the turn of an agent.");
      return agents.stopTurn(session.id, agentSession);
    },
  };
}
