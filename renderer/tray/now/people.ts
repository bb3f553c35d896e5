import type { ClientRecord } from "../../../core/protocol/records.ts";
import type { PanelSession } from "../../../preload/channels.ts";

/** A person in one or several sessions. */
export interface Person {
  readonly key: string;
  readonly client: ClientRecord;
  readonly session: PanelSession;
  /** The user of this panel. */
  readonly isSelf: boolean;
}

/** Lists the people in sessions, each once: the user first, then in the order in which they came. */
export function peopleOf(sessions: readonly PanelSession[]): readonly Person[] {
  const found = new Map<string, Person>();
  for (const session of sessions) {
    const seen = new Map<string, number>();
    for (const client of session.clients) {
      const isSelf = client.id === session.self;
      // Two clients of one name in a session are two people.
      const nth = (seen.get(client.name) ?? 0) + 1;
      seen.set(client.name, nth);
      const key = isSelf ? "self" : `${client.name} ${nth}`;
      if (!found.has(key)) found.set(key, { key, client, session, isSelf });
    }
  }
  return [...found.values()].sort(
    (one, other) =>
      Number(other.isSelf) - Number(one.isSelf) ||
      Date.parse(one.client.connectedAt) - Date.parse(other.client.connectedAt),
  );
}
