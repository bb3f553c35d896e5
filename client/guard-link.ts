import { specOf } from "../core/commands/specs.ts";
import type { ClientLink, ToClient } from "../core/protocol/link.ts";

/**
 * Guards a client from the relay of another machine. The client takes a command's parameters as checked, which its own
 * machine's relay has done; it begins anew at each welcome; and what it throws for a frame would end the app.
 */
export function guardLink(link: ClientLink): ClientLink {
  let wasWelcome = false;
  return {
    ...link,
    onFrame: (receive) =>
      link.onFrame((frame) => {
        if (frame.type === "execute" && !isAsDeclared(frame)) {
          const error = { code: "invalid_params", message: "These parameters are not as this app declares them." };
          link.send({ type: "failed", id: frame.id, error });
          return;
        }
        if (frame.type === "welcome") {
          if (wasWelcome) return link.close("a second welcome");
          wasWelcome = true;
        }
        try {
          receive(frame);
        } catch {
          link.close("a frame that no relay sends");
        }
      }),
  };
}

/** Tells whether a command's parameters are as declared here, where they are. A newer machine may add some. */
function isAsDeclared({ method, params }: ToClient & { type: "execute" }): boolean {
  return specOf(method)?.params.safeParse(params).success ?? true;
}
