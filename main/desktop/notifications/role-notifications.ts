import type { SessionId } from "../../../core/protocol/ids.ts";
import type { DesktopClient } from "../sessions/desktop-client.ts";
import type { Notice } from "../sessions/notices.ts";

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
    const who = guest === true ? `${name} (guest)` : name;
    tell(id, { title: `${who} asks to type`, body: "Answer in the session's window, or under People in the panel." });
  });
}
