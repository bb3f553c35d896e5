import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { SessionId, ShellId } from "../../../../../core/protocol/ids.ts";
import { Keys } from "../../../../../main/relay/access/keys.ts";
import { keyPermit } from "../../../../../main/relay/access/permits/permit.ts";
import { Audit } from "../../../../../main/relay/audit/audit.ts";
import { AuditedCalls } from "../../../../../main/relay/http/audit-calls.ts";
import { Auth } from "../../../../../main/relay/http/auth.ts";
import { openStore } from "../../../../../main/relay/store/open-store.ts";
import { Store } from "../../../../../main/relay/store/store.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const refused = expect.objectContaining({ code: "unauthenticated" });
const tooMany = expect.objectContaining({ code: "too_many_failures" });

let folder: ReturnType<typeof temporaryFolder>;
let store: Store;
let keys: Keys;
let audit: Audit;
let callers: string[];
let auth: Auth;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
  folder = temporaryFolder();
  store = new Store(openStore(folder.path).database);
  store.sessions.add({ id: "session-1" as SessionId, name: "s", owner: "ann", createdAt: new Date(0).toISOString() });
  keys = new Keys(store.keys);
  const quiet = () => undefined;
  audit = new Audit(store.audit, { debug: quiet, info: quiet, warn: quiet, error: quiet });
  callers = [];
  auth = new Auth({
    keys,
    audited: new AuditedCalls(audit),
    permitOf: async (principal) => keyPermit(principal),
    onCaller: (_request, account) => callers.push(account),
  });
});
afterEach(() => {
  audit[Symbol.dispose]();
  keys[Symbol.dispose]();
  store[Symbol.dispose]();
  folder[Symbol.dispose]();
  vi.useRealTimers();
});

function request(headers: IncomingMessage["headers"], from = "127.0.0.1"): IncomingMessage {
  const socket = new Socket();
  Object.defineProperty(socket, "remoteAddress", { value: from });
  const incoming = new IncomingMessage(socket);
  incoming.headers = headers;
  return incoming;
}
const withKey = (secret: string, from?: string) => request({ "x-service-token": secret }, from);
const withToken = (secret: string) => request({ authorization: `Bearer ${secret}` });
const apiKey = (more: Partial<Parameters<Keys["create"]>[0]> = {}) =>
  keys.create({ owner: "ann", name: `key ${keys.list().length}`, ...more }).secret;

describe("guesses", () => {
  test("are requests with a credential: without any, every request is told to send one", () => {
    for (let count = 0; count < 30; count++) expect(() => auth.caller(request({}))).toThrow(refused);
    for (let count = 0; count < 30; count++) expect(() => auth.bearer(request({}), "any")).toThrow(refused);
    expect(() => auth.caller(withKey("pb_wrong"))).toThrow(refused);
  });

  test("are ten a minute from one network, by whichever header or body", () => {
    for (let count = 0; count < 4; count++) expect(() => auth.caller(withKey("pb_wrong"))).toThrow(refused);
    for (let count = 0; count < 3; count++) expect(() => auth.bearer(withToken("pbt_wrong"), "any")).toThrow(refused);
    for (let count = 0; count < 3; count++) auth.countFailure(request({}));
    expect(() => auth.caller(withKey("pb_wrong"))).toThrow(tooMany);
    expect(() => auth.countFailure(request({}))).toThrow(tooMany);
    expect(() => auth.caller(withKey("pb_wrong", "10.9.8.7"))).toThrow(refused);
    vi.advanceTimersByTime(60_000);
    expect(() => auth.caller(withKey("pb_wrong"))).toThrow(refused);
  });

  test("do not keep a valid key out, and say when to try again", () => {
    const secret = apiKey();
    for (let count = 0; count < 20; count++) expect(() => auth.caller(withKey("pb_wrong"))).toThrow();
    expect(auth.caller(withKey(secret))).toMatchObject({ user: "ann" });
    expect(() => auth.caller(withKey("pb_wrong"))).toThrow(
      expect.objectContaining({ headers: { "Retry-After": expect.stringMatching(/^[1-9]\d?$/) } }),
    );
  });

  test("are recorded, each with its outcome", () => {
    for (let count = 0; count < 11; count++) expect(() => auth.caller(withKey("pb_wrong"))).toThrow();
    const outcomes = audit.list({ limit: 10 }).map(({ outcome, count }) => [outcome, count]);
    expect(outcomes).toEqual([
      ["too_many_failures", 1],
      ["unauthenticated", 10],
    ]);
  });
});

describe("a refusal", () => {
  test("says which header is expected, and whether one was sent", () => {
    expect(() => auth.caller(request({}))).toThrow(/^Send your API key in the header X-Service-Token/);
    expect(() => auth.caller(withKey("pb_wrong"))).toThrow(
      /^The credential is not valid for this call\. Send your API/,
    );
    expect(() => auth.bearer(request({}), "plugins:install")).toThrow(
      /^Send a bearer token: .*--scope plugins:install/,
    );
    const challenge = (value: string) => expect.objectContaining({ headers: { "WWW-Authenticate": value } });
    expect(() => auth.caller(request({}))).toThrow(challenge('ServiceToken realm="patchbay"'));
    expect(() => auth.bearer(request({}), "any")).toThrow(challenge('Bearer realm="patchbay"'));
  });
});

describe("a caller", () => {
  test("is counted by its key, and one without by its network", () => {
    const secret = apiKey();
    expect(auth.accountOf(withKey(secret))).toBe(`key ${keys.list()[0]?.id}`);
    auth.caller(withKey(secret));
    expect(callers).toEqual([auth.accountOf(withKey(secret))]);
    for (const other of [request({}), withKey("pb_wrong")])
      expect(auth.accountOf(other)).toBe(auth.networkOf(request({})));
    expect(auth.networkOf(request({}))).not.toBe(auth.networkOf(request({}, "10.9.8.7")));
  });

  test("of a bearer token needs the scope", () => {
    const { secret } = keys.create({ owner: "ann", name: "t", scheme: "bearer", scopes: ["plugins:install"] });
    expect(auth.bearer(withToken(secret), "plugins:install")).toMatchObject({ scheme: "bearer" });
    expect(auth.bearer(request({ authorization: `bEARER ${secret}` }), "plugins:install")).toBeDefined();
    expect(() => auth.bearer(withToken(secret), "other")).toThrow(expect.objectContaining({ code: "scope_forbids" }));
    expect(() => auth.bearer(request({ authorization: `Basic ${secret}` }), "plugins:install")).toThrow(refused);
    expect(() => auth.caller(withKey(secret))).toThrow(refused);
  });

  test("with a shell's token makes single calls only", () => {
    const { token } = keys.createShellToken("ann", "session-1" as SessionId, 1 as ShellId);
    expect(auth.caller(withKey(token))).toMatchObject({ shell: 1 });
    const forbidden = expect.objectContaining({ code: "scope_forbids" });
    expect(() => auth.connectionCaller(withKey(token), "events")).toThrow(forbidden);
    expect(auth.connectionCaller(withKey(apiKey()), "events")).toMatchObject({ user: "ann" });
  });

  test("is checked again while its call goes on", () => {
    const { secret, key } = keys.create({ owner: "ann", name: "laptop" });
    const principal = auth.caller(withKey(secret));
    auth.checkStillValid(principal);
    keys.revoke(key.id);
    expect(() => auth.checkStillValid(principal)).toThrow(refused);
    expect(auth.lifetimeOf(principal)?.ended).toBeDefined();
  });
});
