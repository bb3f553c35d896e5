import type { ClientLink } from "../../core/protocol/link.ts";

/** What the tray app needs of the relay that runs in the same process. */
export interface RelayForDesktop {
  /** Base address, for example `http://127.0.0.1:7717`. */
  readonly url: string;
  /** The user's open sessions, in the order in which people should see them. */
  sessions(): readonly { readonly id: string; readonly name: string }[];
  /** Calls back after a session was added, renamed or removed. Answers how to stop. */
  onSessions(changed: () => void): () => void;
  /** A client of this process joins a session over memory; its place gives it the id and the state it had before. Throws when there is no such session. */
  attachLocal(
    sessionId: string,
    identity: { readonly name: string; readonly role: "admin"; readonly place: "desktop" },
  ): ClientLink;
}
