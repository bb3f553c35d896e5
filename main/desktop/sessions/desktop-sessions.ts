import { Undo } from "../../../core/undo.ts";
import type { DesktopClient } from "./desktop-client.ts";
import type { RelayForDesktop } from "./relay-for-desktop.ts";

export interface DesktopSessions extends Disposable {
  /** One for each open session, in the relay's order. */
  all(): readonly DesktopClient[];
  find(id: string): DesktopClient | undefined;
  /** Calls back when a session came or went, or when anything in one changed. */
  subscribe(changed: () => void): () => void;
  /** Resolves once every session that was open at the start has welcomed its client, or refused it. */
  readonly joined: Promise<void>;
}

interface Options {
  readonly relay: RelayForDesktop;
  readonly open: (session: { readonly id: string; readonly name: string }) => DesktopClient;
  /** The session was closed for good. */
  readonly closed: (id: string) => void;
  readonly log: (line: string) => void;
}

/** Keeps one desktop client in every open session of the relay. */
export function openDesktopSessions({ relay, open, closed, log }: Options): DesktopSessions {
  const undo = new Undo();
  const clients = new Map<string, DesktopClient>();
  const listeners = new Set<() => void>();
  const changed = () => {
    for (const listener of [...listeners]) listener();
  };
  const enter = (session: { readonly id: string; readonly name: string }) => {
    const entered = open(session);
    clients.set(session.id, entered);
    entered.client.subscribe(changed);
    entered.joined.catch((error: Error) => log(`Session ${session.name}: could not join it: ${error.message}`));
  };
  const leave = (id: string) => {
    clients.get(id)?.[Symbol.dispose]();
    clients.delete(id);
  };
  const follow = () => {
    const sessions = relay.sessions();
    const ids = new Set(sessions.map((session) => session.id));
    for (const id of [...clients.keys()].filter((known) => !ids.has(known))) {
      leave(id);
      closed(id);
    }
    for (const session of sessions.filter(({ id }) => !clients.has(id))) enter(session);
    changed();
  };
  undo.add(() => {
    for (const id of [...clients.keys()]) leave(id);
  });
  follow();
  undo.add(relay.onSessions(follow));
  return {
    all: () => relay.sessions().flatMap(({ id }) => clients.get(id) ?? []),
    find: (id) => clients.get(id),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    joined: Promise.allSettled([...clients.values()].map((entered) => entered.joined)).then(() => undefined),
    [Symbol.dispose]: () => undo.dispose(),
  };
}
