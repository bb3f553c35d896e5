import { Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { SessionId } from "../../../../../core/protocol/ids.ts";
import type { Role } from "../../../../../core/protocol/records.ts";
import { Guests } from "../../../../../main/relay/access/guests.ts";
import { openStore } from "../../../../../main/relay/store/open-store.ts";
import { Store } from "../../../../../main/relay/store/store.ts";
import { TunnelGate } from "../../../../../main/relay/tunnels/tunnel-gate.ts";
import type { TunnelRequest } from "../../../../../main/relay/tunnels/tunnel-passes.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const session = SessionId.parse("session-1");
const tunnel = { session, port: 3000, host: "t-3000.localhost" };
const refused = expect.objectContaining({ code: "unauthenticated" });
const foreign = expect.objectContaining({ code: "foreign_origin" });

let folder: ReturnType<typeof temporaryFolder>;
let store: Store;
let guests: Guests;
let gate: TunnelGate;
beforeEach(() => {
  folder = temporaryFolder();
  store = new Store(openStore(folder.path).database);
  for (const id of [session, SessionId.parse("session-2")])
    store.sessions.add({ id, name: id, owner: "ann", createdAt: new Date(0).toISOString() });
  guests = new Guests(store.guests, store.invites);
  gate = new TunnelGate({ guests, remoteListener: () => undefined });
});
afterEach(() => {
  guests[Symbol.dispose]();
  store[Symbol.dispose]();
  folder[Symbol.dispose]();
});

const admit = (role: Role) => guests.admit({ session, name: "bob", role, device: "", invite: null }).guest;
const passOf = (role: Role = "writer") => {
  const guest = admit(role);
  return { guest, pass: gate.issuePass(guest, tunnel).pass };
};

/** A request to a tunnel's own name, with a pass. */
function request(pass: string, headers: TunnelRequest["headers"] = {}, method = "GET"): TunnelRequest {
  const socket = new Socket();
  const host = `${tunnel.host}:${socket.localPort}`;
  return { method, socket, rawHeaders: [], headers: { host, cookie: `__Host-patchbay_pass=${pass}`, ...headers } };
}

describe("a pass to a tunnel", () => {
  test("is for guests of the session whose role changes something", () => {
    expect(() => gate.issuePass(undefined, tunnel)).toThrow(refused);
    expect(() => gate.issuePass(admit("reader"), tunnel)).toThrow(expect.objectContaining({ code: "role_forbids" }));
    for (const role of ["writer", "admin"] as const) {
      const { guest, pass } = passOf(role);
      expect(gate.check(request(pass), tunnel)).toBe(guest.id);
    }
  });

  test("ends when its guest becomes a reader, and is good again with the role", () => {
    const { guest, pass } = passOf();
    guests.changeRole(session, guest.id, "reader");
    expect(() => gate.check(request(pass), tunnel)).toThrow(refused);
    expect(gate.cookie(pass, tunnel)).toBeUndefined();
    guests.changeRole(session, guest.id, "admin");
    expect(gate.check(request(pass), tunnel)).toBe(guest.id);
  });

  test("ends when its guest is removed, while the role says nothing", () => {
    const { guest, pass } = passOf();
    guests.remove(session, guest.id);
    expect(() => gate.check(request(pass), tunnel)).toThrow(refused);
  });

  test("is for one tunnel of one session", () => {
    const { pass } = passOf();
    expect(() => gate.check(request(pass), { ...tunnel, port: 3001 })).toThrow(refused);
    expect(() => gate.check(request(pass), { ...tunnel, session: SessionId.parse("session-2") })).toThrow(refused);
    expect(() => gate.check(request("pbt_other"), tunnel)).toThrow(refused);
    expect(gate.cookie(pass, tunnel)).toMatch(/^__Host-patchbay_pass=.*; HttpOnly; SameSite=None; Path=\/; Secure/);
  });
});

describe("a request", () => {
  test("by another name than the tunnel's, or of another origin's page, is refused", () => {
    const { pass } = passOf();
    expect(() => gate.check(request(pass, { host: "localhost:1" }), tunnel)).toThrow(foreign);
    expect(() => gate.check(request(pass, { origin: "https://evil.example" }), tunnel)).toThrow(foreign);
  });

  test("of another site is refused but for navigation, which only looks", () => {
    const { guest, pass } = passOf();
    const cross = { "sec-fetch-site": "cross-site" };
    const navigation = { ...cross, "sec-fetch-mode": "navigate" };
    expect(() => gate.check(request(pass, cross), tunnel)).toThrow(foreign);
    expect(() => gate.check(request(pass, navigation, "POST"), tunnel)).toThrow(foreign);
    for (const method of ["GET", "HEAD"]) expect(gate.check(request(pass, navigation, method), tunnel)).toBe(guest.id);
    for (const site of ["none", "same-origin"])
      expect(gate.check(request(pass, { "sec-fetch-site": site }, "POST"), tunnel)).toBe(guest.id);
  });

  test("from another machine has no place while none may reach the relay", () => {
    expect(gate.remoteAddress).toBeUndefined();
  });
});
