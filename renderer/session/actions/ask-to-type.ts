import { askToType as declaration } from "../../../core/commands/session/ask-to-type.ts";
import type { SessionSnapshot } from "../view/session-host.ts";
import type { View } from "../view/view.ts";
import { words } from "../words/index.ts";

/** What messages about this client's request to type are about. */
export const TYPING_REQUEST = "request to type";

/** Reports whether this client waits for the answer to its request to type. */
export function hasAskedToType({ mirror, self }: Pick<SessionSnapshot, "mirror" | "self">): boolean {
  return mirror?.roleRequests.some(({ from }) => from.clientId === self?.id) ?? false;
}

/** Asks the host for the right to type, and says who will see that. */
export async function askToType(view: View): Promise<void> {
  const answer = declaration.result.safeParse(await view.run("askToType", {})).data;
  if (answer === undefined) return;
  const minutes = Math.max(1, Math.round((Date.parse(answer.expiresAt) - Date.now()) / 60_000));
  const message =
    answer.hosts === 0 ? words.actions.askToType.hostAway(minutes) : words.actions.askToType.asked(minutes);
  view.ui.toasts.show("info", message, [], TYPING_REQUEST);
}
