import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type MethodName, methodNames, specs } from "../../../../../core/commands/specs.ts";
import { PROTOCOL_VERSION, type RelayFrame } from "../../../../../core/protocol/frames.ts";
import type { ClientId, ShellId } from "../../../../../core/protocol/ids.ts";
import { linkedPair } from "../../../../../core/protocol/link.ts";
import type { Role } from "../../../../../core/protocol/records.ts";
import type { Membership } from "../../../../../main/relay/access/keys.ts";
import { userCaller } from "../../../../../main/relay/access/permits/caller.ts";
import { keyPermit, type Permit } from "../../../../../main/relay/access/permits/permit.ts";
import { routeCommand } from "../../../../../main/relay/calls/route-command.ts";
import type { AgentInShell } from "../../../../../main/relay/session/ports.ts";
import { exampleParams } from "../../../../contract/example-params.ts";
import { type SmallSession, smallSession } from "../small-session.ts";

const owner: Membership = { role: "admin", guest: false };
const claude: AgentInShell = { run: "100/1", agentType: "claude", folder: "/project" };
const codex: AgentInShell = { run: "200/1", agentType: "codex", folder: "/project" };

let lab: SmallSession;
beforeEach(async () => {
  lab = smallSession();
  await lab.join();
  await call("createShell", {});
  await call("createShell", {});
});
afterEach(() => lab[Symbol.asyncDispose]());

describe("a shell that its owner opened by hand", () => {
  test("is not restricted, and so is one that it makes", async () => {
    expect(await permit(1)).toBeUndefined();
    await call("createShell", {}, await permit(1));
    expect(await permit(3)).toBeUndefined();
  });

  test("is restricted where its programs cannot be told", async () => {
    lab.agents.set(1, "unknown");
    expect((await permit(1))?.ownership).toMatchObject({ shell: 1 });
    await expect(call("closeShell", { id: 2 }, await permit(1))).rejects.toThrow(/cannot be told/);
  });

  test("by an API key with restrictions is restricted for good", async () => {
    const restrictions = { methods: ["createShell"] };
    const key = keyPermit({ user: "ann", scheme: "api", scopes: [], key: "k1", restrictions });
    await call("createShell", {}, key);
    expect((await permit(3))?.ownership).toMatchObject({ shell: 3 });
    expect(lab.session.shells.get(3 as ShellId).makers).toEqual(["key:k1"]);
  });

  test.each<[Membership, Role | undefined]>([
    [owner, undefined],
    [{ role: "admin", guest: true }, "admin"],
    [{ role: "writer", guest: false }, "writer"],
    [{ role: "writer", guest: true }, "writer"],
  ])("by %j may do what that person may", async (membership, role) => {
    expect((await permit(1, membership))?.person?.role).toBe(role);
  });

  test("of a writer does nothing that takes an admin, and nothing on another's screen", async () => {
    const writers = await permit(1, { role: "writer", guest: true });
    // Before a client hears of it.
    await expect(call("removePlugin", { plugin: "x" }, writers)).rejects.toMatchObject({
      code: "role_forbids",
      message: "removePlugin needs the role admin, and the person whose shell this is has the role writer.",
    });
    expect(await call("renameTile", { name: "mine", key: 1 }, writers)).toMatchObject({ key: 1 });
    // The client that has the shell now is an admin's.
    lab.session.shells.setOwner(2 as ShellId, null);
    await expect(call("closeShell", { id: 2 }, writers)).rejects.toMatchObject({ code: "not_your_shell" });
    lab.session.shells.setOwner(1 as ShellId, null);
    const nobodys = await permit(1, { role: "writer", guest: true });
    await expect(call("renameTile", { name: "x", key: 1 }, nobodys)).rejects.toMatchObject({ code: "scope_forbids" });
  });
});

describe("while an agent runs in a shell", () => {
  beforeEach(() => {
    lab.agents.set(1, [claude]);
  });

  test("it is restricted, the user is asked once, and allowed once it is free until the agent ends", async () => {
    const refusal = /claude runs in shell 1, and has not been allowed .* The user was asked.*request 1.*answer-agent 1/;
    await expect(call("createWorkspace", {}, await permit(1))).rejects.toThrow(refusal);
    await expect(call("closeShell", { id: 2 }, await permit(1))).rejects.toThrow(refusal);
    expect(requests()).toMatchObject([
      { id: 1, shellId: 1, agentType: "claude", folder: "/project", wants: "createWorkspace" },
    ]);
    await call("answerAgent", { request: 1, answer: "once" });
    expect(requests()).toEqual([]);
    expect((await permit(1))?.ownership).toBeUndefined();
    await call("createWorkspace", {}, await permit(1));
    lab.agents.set(1, [{ ...claude, run: "101/1" }]);
    expect((await permit(1))?.ownership).toBeDefined();
    lab.agents.set(1, []);
    expect(await permit(1)).toBeUndefined();
  });

  test("no is no for this run, and nobody is asked again", async () => {
    await expect(call("createWorkspace", {}, await permit(1))).rejects.toThrow(/request 1/);
    await call("answerAgent", { request: 1, answer: "no" });
    await expect(call("createWorkspace", {}, await permit(1))).rejects.toThrow(/has refused it to this run of claude/);
    expect(requests()).toEqual([]);
  });

  test("always holds for its kind and folder, over a restart, until it is taken back", async () => {
    await expect(call("createWorkspace", {}, await permit(1))).rejects.toThrow(/request 1/);
    await call("answerAgent", { request: 1, answer: "always" });
    const allowed = [{ agentType: "claude", folder: "/project", allowedAt: expect.any(String) }];
    expect(await call("getShellRestrictions", {})).toMatchObject({ allowed });
    lab.agents.set(1, [{ ...claude, run: "999/9" }]);
    expect((await permit(1))?.ownership).toBeUndefined();
    for (const other of [codex, { ...claude, folder: "/project/below" }, { ...claude, folder: "" }]) {
      lab.agents.set(1, [other]);
      expect((await permit(1))?.ownership, JSON.stringify(other)).toBeDefined();
    }
    await lab.reopen();
    await lab.join();
    expect(await call("getShellRestrictions", {})).toMatchObject({ allowed });
    await call("createShell", {});
    lab.agents.set(3, [claude]);
    expect((await permit(3))?.ownership).toBeUndefined();
    expect(await call("forgetAgent", { agentType: "claude", folder: "/project" })).toEqual({ forgotten: 1 });
    expect((await permit(3))?.ownership).toBeDefined();
  });

  test("one that is not allowed counts, whatever others are", async () => {
    await expect(call("createWorkspace", {}, await permit(1))).rejects.toThrow(/request 1/);
    await call("answerAgent", { request: 1, answer: "once" });
    lab.agents.set(1, [claude, codex]);
    await expect(call("createWorkspace", {}, await permit(1))).rejects.toThrow(/codex runs in shell 1/);
  });

  test("what it makes and what it types into is restricted when it has ended", async () => {
    await call("createShell", {}, await permit(1));
    await call("writeToShell", { id: 1, data: "typed ahead\\n" }, await permit(1));
    lab.agents.clear();
    for (const id of [1, 3]) expect((await permit(id))?.ownership, `shell ${id}`).toBeDefined();
    await call("restrictShells", { state: "off", shell: 1 });
    expect(await permit(1)).toBeUndefined();
    expect((await permit(3))?.ownership).toBeDefined();
  });

  test("an allowed one makes restricted shells, and decides nothing over its own rights", async () => {
    await expect(call("createWorkspace", {}, await permit(1))).rejects.toThrow(/request 1/);
    await call("answerAgent", { request: 1, answer: "once" });
    await call("createShell", {}, await permit(1));
    expect((await permit(3))?.ownership).toBeDefined();
    for (const method of methodNames.filter((name) => specs[name].decidesRights)) {
      const refused = call(method, exampleParams[method], await permit(1));
      await expect(refused, method).rejects.toMatchObject({ code: "scope_forbids" });
    }
  });

  test("a request goes with its agent, and is answered by an admin or by the shell's owner", async () => {
    const guest = await lab.join(lab.guest());
    await expect(call("createWorkspace", {}, await permit(1))).rejects.toThrow(/request 1/);
    await expect(guest.ask("answerAgent", { request: 1, answer: "once" })).rejects.toMatchObject({
      code: "not_your_shell",
    });
    lab.session.shells.setOwner(1 as ShellId, { id: guest.self?.id as ClientId, name: "bob", role: "writer" });
    await expect(guest.ask("answerAgent", { request: 1, answer: "always" })).rejects.toMatchObject({
      code: "role_forbids",
    });
    await guest.ask("answerAgent", { request: 1, answer: "no" });
    await expect(guest.ask("answerAgent", { request: 1, answer: "no" })).rejects.toMatchObject({
      code: "unknown_request",
    });
  });
});

describe("the session's setting", () => {
  test("restricts all shells, over a restart, but those that it was lifted for", async () => {
    await call("restrictShells", { state: "on" });
    expect((await permit(1))?.ownership).toBeDefined();
    await expect(call("closeShell", { id: 2 }, await permit(1))).rejects.toThrow(/restrict-shells off/);
    await call("restrictShells", { state: "off", shell: 2 });
    expect(await permit(2)).toBeUndefined();
    await lab.reopen();
    await lab.join();
    await call("createShell", {});
    expect((await permit(3))?.ownership).toBeDefined();
    await call("restrictShells", { state: "off" });
    expect(await permit(3)).toBeUndefined();
  });

  test("is decided by nobody who is restricted, and not by a writer", async () => {
    await call("restrictShells", { state: "on" });
    const all = keyPermit({ user: "ann", scheme: "api", scopes: [], key: "k", restrictions: { methods: ["*"] } });
    for (const caller of [await permit(1), all]) {
      await expect(call("restrictShells", { state: "off" }, caller)).rejects.toMatchObject({ code: "scope_forbids" });
    }
    const writers = await permit(1, { role: "writer", guest: false });
    await expect(call("restrictShells", { state: "off" }, writers)).rejects.toThrow();
    expect(await call("getShellRestrictions", {})).toMatchObject({ restrictShells: true });
  });
});

test("what is asked for a command whose permit was given up is not done, rather than done without it", async () => {
  await call("restrictShells", { state: "on" });
  const restricted = await permit(1);
  const pair = linkedPair();
  const heard: RelayFrame[] = [];
  pair.client.onFrame((frame) => {
    if (frame.type !== "bytes") heard.push(frame);
  });
  lab.session.clients.join(pair.relay, { name: "puppet", role: "admin" });
  pair.client.send({ type: "hello", protocol: PROTOCOL_VERSION, device: "puppet", clientKind: "desktop" });
  const puppet = await vi.waitFor(() => lab.session.clients.connected[1] ?? expect.fail("not connected"));
  for (let count = 0; count < 1001; count += 1) {
    puppet
      .execute({
        method: "createShell",
        params: {},
        timeoutMs: 60_000,
        caller: { ...userCaller("ann", "test"), permit: restricted },
      })
      .catch(() => undefined);
  }
  const first = await vi.waitFor(() => heard.find((frame) => frame.type === "execute") ?? expect.fail("nothing asked"));
  pair.client.send({ type: "ask", id: 1, op: "createShell", params: {}, for: first.id });
  await vi.waitFor(() => expect(heard).toContainEqual(expect.objectContaining({ type: "refused", id: 1 })));
  expect(lab.session.state.now.shells).toHaveLength(2);
});

function permit(shell: number, membership: Membership = owner): Promise<Permit | undefined> {
  return lab.session.rights.permitOf({ user: "ann", scheme: "api", scopes: [], shell: shell as ShellId, membership });
}

function requests() {
  return lab.session.state.now.restrictions.requests;
}

async function call(method: MethodName, params: object, by?: Permit): Promise<unknown> {
  const { connected } = lab.session.clients;
  const target = specs[method as keyof typeof specs].untargeted ? undefined : connected[0]?.id;
  return (
    await routeCommand(lab.session, {
      method,
      params,
      caller: { ...userCaller("ann", "test"), permit: by },
      target,
      timeoutMs: 2000,
    })
  ).value;
}
