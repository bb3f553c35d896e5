import { expect, test } from "vitest";
import type { ClientId } from "../../../../../core/protocol/ids.ts";
import { limits } from "../../../../../core/protocol/limits.ts";
import type { Role } from "../../../../../core/protocol/records.ts";
import { userCaller } from "../../../../../main/relay/access/permits/caller.ts";
import { clientHandlers } from "../../../../../main/relay/operations/clients.ts";
import type { Session } from "../../../../../main/relay/session/session.ts";
import { smallSession } from "../small-session.ts";

const handlers = clientHandlers();
const caller = userCaller("ann", "panel");
const { signal } = new AbortController();
const changeRole = (session: Session, client: ClientId, role: Role) =>
  handlers.changeRole({ session: session.id, client, role }, { caller, session, signal });
const disconnect = (session: Session, client: ClientId) =>
  handlers.disconnectClient({ session: session.id, client }, { caller, session, signal });
const settled = () => new Promise((resolve) => setImmediate(resolve));

test("a demoted client's next write is refused, also after it came back; promoted it writes again", async () => {
  await using lab = smallSession();
  const guest = await lab.join({ role: "writer", name: "bob" });
  await guest.execute("createShell", {});
  const id = guest.self?.id as ClientId;
  changeRole(lab.session, id, "reader");
  await settled();
  expect(guest.self?.role).toBe("reader");
  expect(lab.session.state.now.clients).toMatchObject([{ id, role: "reader" }]);
  const write = { shell: 1, data: "x" } as Parameters<typeof guest.ask<"writeShell">>[1];
  await expect(guest.ask("writeShell", write)).rejects.toMatchObject({ code: "role_forbids" });

  guest.disconnect("cut");
  await settled();
  const again = await lab.join({ role: "writer", name: "bob" }, guest.resumeToken);
  expect(again.self).toMatchObject({ id, role: "reader" });
  await expect(again.ask("writeShell", write)).rejects.toMatchObject({ code: "role_forbids" });
  changeRole(lab.session, id, "writer");
  expect(await again.ask("writeShell", write)).toEqual({ id: 1, queued: 0 });
});

test("what let a guest in changes with the guest, in every tab, and ends when one tab is disconnected", async () => {
  await using lab = smallSession();
  const identity = lab.guest({ role: "writer" });
  const tabs = [await lab.join(identity), await lab.join(identity)];
  const [guest] = tabs;
  const id = guest?.self?.id as ClientId;
  changeRole(lab.session, id, "reader");
  expect(lab.guests.get(lab.session.id, identity.guest)?.role).toBe("reader");
  await settled();
  expect(tabs.map((tab) => tab.self?.role)).toEqual(["reader", "reader"]);
  expect((await lab.join(identity)).self?.role).toBe("reader");
  disconnect(lab.session, id);
  await settled();
  expect(lab.guests.get(lab.session.id, identity.guest)).toBeUndefined();
  expect(tabs.map((tab) => tab.connected)).toEqual([false, false]);
  expect(lab.session.state.now.clients).toEqual([]);
  await expect(lab.join(identity, guest?.resumeToken)).rejects.toMatchObject({ code: "client_gone" });
  const late = await lab.join({ role: "writer" }, guest?.resumeToken);
  expect(late.self?.id).not.toBe(id);
  expect(() => disconnect(lab.session, id)).toThrow(expect.objectContaining({ code: "unknown_client" }));
});

test("the relay's own client stays an admin", async () => {
  await using lab = smallSession();
  const own = await lab.join({ place: "desktop" });
  const id = own.self?.id as ClientId;
  expect(() => changeRole(lab.session, id, "reader")).toThrow(expect.objectContaining({ code: "invalid_request" }));
  expect(() => disconnect(lab.session, id)).toThrow(expect.objectContaining({ code: "invalid_request" }));
  expect(own.self?.role).toBe("admin");
});

test("a guest who reconnects over and over leaves at most eight places behind, of bounded size", async () => {
  await using lab = smallSession();
  const identity = lab.guest();
  const kept = () => lab.store.clients.list(lab.session.id);
  for (let round = 0; round < 3 * limits.clientsPerGuest; round++) {
    const tab = await lab.join(identity);
    const large = { type: "browser", url: `http://127.0.0.1/${"x".repeat(limits.guestStateLength)}` };
    await tab.execute("openTile", large).catch(() => undefined);
    tab.disconnect("gone");
    await settled();
    expect(kept().length).toBeLessThanOrEqual(limits.clientsPerGuest);
  }
  expect(kept()).toHaveLength(limits.clientsPerGuest);
  expect(JSON.stringify(kept()).length).toBeLessThan(limits.guestStateLength);
  const own = await lab.join();
  expect(own.self?.role).toBe("admin");
  expect(kept()).toHaveLength(limits.clientsPerGuest + 1);
});
