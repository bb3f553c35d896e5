import type { SessionId } from "../../../core/protocol/ids.ts";
import type { DesktopClient } from "../sessions/desktop-client.ts";
import type { Notice } from "../sessions/notices.ts";
import { words } from "../words.ts";

interface Ports {
  readonly tell: (session: SessionId, notice: Notice) => void;
  /** Whether the user has the session's window in front, which shows the request. */
  readonly inFront: (session: SessionId) => boolean;
}

/** Notifies the user about people who ask to type in a session. Returns an unsubscribe function. */
export function notifyAboutRoleRequests({ id, client }: DesktopClient, { tell, inFront }: Ports): () => void {
  return client.onEvent((event) => {
    if (event.type !== "role.requested" || inFront(id)) return;
    const { name, guest } = event.data;
    const title = guest === true ? words.notices.guestAsksToType(name) : words.notices.asksToType(name);
    tell(id, { title, body: words.notices.answerTyping });
  });
}
