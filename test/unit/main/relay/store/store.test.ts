import { expect, test } from "vitest";
import { type SessionId, ShellId } from "../../../../../core/protocol/ids.ts";
import { openStore } from "../../../../../main/relay/store/open-store.ts";
import { Store } from "../../../../../main/relay/store/store.ts";
import { shellRecord } from "../small-session.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const session = "session-1" as SessionId;
const now = new Date(0).toISOString();

function lab() {
  const folder = temporaryFolder();
  const { database } = openStore(folder.path);
  const store = new Store(database);
  store.sessions.add({ id: session, name: "default", owner: "ann", createdAt: now });
  return {
    database,
    store,
    [Symbol.dispose]() {
      store[Symbol.dispose]();
      folder[Symbol.dispose]();
    },
  };
}

test("rows that cannot be read are dropped, or restrict rather than allow", () => {
  using lent = lab();
  const { database, store } = lent;
  store.shells.put(session, shellRecord(1));
  database
    .prepare("INSERT INTO shells (session_id, id, record) VALUES (?, 2, '{}'), (?, 3, 'not JSON')")
    .run([session, session]);
  expect(store.shells.list(session)).toEqual([shellRecord(1)]);

  database
    .prepare(
      "INSERT INTO keys (id, owner, name, scheme, scopes, digest, created_at, restrictions) VALUES (?,?,?,?,?,?,?,?)",
    )
    .run(["one", "ann", "laptop", "api", "not JSON", "digest", now, "not JSON"]);
  expect(store.keys.list()).toMatchObject([{ id: "one", scopes: [], restrictions: { methods: [] }, expiresAt: null }]);

  database.prepare("INSERT INTO requests VALUES ('id', 'body', ?, 'not JSON')").run([new Date().toISOString()]);
  expect(store.requests.list()).toMatchObject([{ id: "id", answer: undefined }]);

  database
    .prepare("INSERT INTO client_states VALUES (?, 'a', 1, 'not JSON', NULL), (?, 'b', 2, NULL, NULL)")
    .run([session, session]);
  expect(store.clients.list(session).map(({ state }) => state)).toEqual([undefined, undefined]);
});

test("ids of clients and shells are never reused", () => {
  using lent = lab();
  const { sessions } = lent.store;
  expect([sessions.nextShellId(session), sessions.nextShellId(session), sessions.nextClientId(session)]).toEqual([
    1, 2, 1,
  ]);
  expect(() => sessions.nextShellId("session-2" as SessionId)).toThrow("session session-2 is not in the store");
});

test("a removed session takes its rows along, and its shells' tokens at the next start", () => {
  using lent = lab();
  const { store } = lent;
  store.shells.put(session, shellRecord(1));
  store.clients.put(session, "desktop", {
    id: store.sessions.nextClientId(session),
    state: { tiles: [] },
    holder: "owner",
  });
  expect(store.clients.get(session, "desktop")).toEqual({ id: 1, state: { tiles: [] }, holder: "owner" });
  store.keys.addShellToken({
    digest: "d",
    session,
    shell: ShellId.parse(1),
    user: "ann",
    role: "admin",
    guest: false,
    guests: [],
  });
  expect(store.keys.listShellTokens()).toMatchObject([{ digest: "d", shell: 1, guest: false }]);
  store.sessions.remove(session);
  expect([store.shells.list(session), store.clients.list(session), store.keys.listShellTokens()]).toEqual([[], [], []]);
});

test("the relay's id is made once", () => {
  using lent = lab();
  const id = lent.store.relayId();
  expect([id, new Store(lent.database).relayId()]).toEqual([expect.stringMatching(/^[0-9a-f]{16}$/), id]);
  expect(lent.store.size()).toBeGreaterThan(0);
});
