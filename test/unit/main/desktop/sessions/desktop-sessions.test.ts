import { expect, test } from "vitest";
import { type ClientLink, linkedPair } from "../../../../../core/protocol/link.ts";
import { openDesktopClient } from "../../../../../main/desktop/sessions/desktop-client.ts";
import { openDesktopSessions } from "../../../../../main/desktop/sessions/desktop-sessions.ts";
import type { RelayForDesktop } from "../../../../../main/desktop/sessions/relay-for-desktop.ts";
import { until } from "../../../../support/until.ts";

/** A relay as far as sessions come and go; it welcomes nobody. */
function bareRelay(names: readonly string[]) {
  let sessions = names.map((name) => ({ id: `session-${name}`, name }));
  const listeners = new Set<() => void>();
  const inside = new Map<string, string>();
  const relay: RelayForDesktop = {
    url: "http://127.0.0.1:1",
    sessions: () => sessions,
    onSessions: (changed) => {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
    attachLocal(id, identity): ClientLink {
      const pair = linkedPair();
      inside.set(id, identity.name);
      pair.relay.onClose(() => inside.delete(id));
      return pair.client;
    },
  };
  const set = (now: readonly string[]) => {
    sessions = now.map((name) => ({ id: `session-${name}`, name }));
    for (const listener of [...listeners]) listener();
  };
  return { relay, set, inside, listeners };
}

test("there is one client in every open session, for as long as it is open", async () => {
  const { relay, set, inside, listeners } = bareRelay(["one", "two"]);
  const closed: string[] = [];
  const sessions = openDesktopSessions({
    relay,
    log: () => undefined,
    closed: (id) => closed.push(id),
    open: (session) => openDesktopClient({ relay, session, user: "me", toast: () => "log", notify: () => "log" }),
  });
  let changes = 0;
  sessions.subscribe(() => changes++);
  expect([...inside]).toEqual([
    ["session-one", "me"],
    ["session-two", "me"],
  ]);

  set(["two", "three"]);
  await until("one left", () => !inside.has("session-one"));
  expect(sessions.all().map((session) => session.name())).toEqual(["two", "three"]);
  expect(closed).toEqual(["session-one"]);
  expect(changes).toBeGreaterThan(0);

  sessions[Symbol.dispose]();
  await until("all left", () => inside.size === 0);
  expect(closed).toEqual(["session-one"]);
  expect(listeners.size).toBe(0);
  await sessions.joined;
});
