import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SessionId, ShellId } from "../../../../core/protocol/ids.ts";
import { agentMigrations, createAgents, usageStore } from "../../../../main/agents/agents.ts";
import { reconcileShells } from "../../../../main/relay/session/reconcile-shells.ts";
import { openStore } from "../../../../main/relay/store/open-store.ts";
import { Store } from "../../../../main/relay/store/store.ts";
import { readHostFile } from "../../../../main/shells/host/host-file.ts";
import { startRestoreLab } from "../../../support/restore-lab.ts";

const COPIES = 200;

/** What the relay has acknowledged: the shells that run, with their folders and the conversations in them. */
interface Acknowledged {
  readonly shells: Map<number, { readonly cwd: string; conversation?: string }>;
}

test(`${COPIES} copies of the data folder in mid-write: each opens with every shell and conversation that was acknowledged`, {
  tags: "slow",
  timeout: 240_000,
}, async () => {
  await using lab = await startRestoreLab();
  await lab.start();
  const session = SessionId.parse(lab.serve.session);
  const now: Acknowledged = { shells: new Map() };
  let works = true;
  const work = async (turn: number) => {
    const cwd = lab.folder("work", String(turn % 5));
    const { shellId } = await lab.command<{ shellId: number }>("createShell", { cwd });
    now.shells.set(shellId, { cwd });
    const conversation = await lab.claude(shellId);
    now.shells.set(shellId, { cwd, conversation });
    await lab.say(shellId, `ask ${turn} of ${conversation}`);
    await lab.command("sendChat", { message: `turn ${turn}` });
    if (turn % 3 !== 0) return;
    now.shells.delete(shellId);
    await lab.command("closeShell", { id: shellId });
  };
  const working = (async () => {
    for (let turn = 1; works; turn++) await work(turn);
  })();
  const pids = [lab.serve.child.pid ?? 0, readHostFile(join(lab.data, "shell-host.json"))?.pid ?? 0];
  const copies: { readonly folder: string; readonly shells: Acknowledged["shells"] }[] = [];
  for (let copy = 0; copy < COPIES; copy++) {
    await new Promise((resolve) => setTimeout(resolve, 40 + Math.random() * 60));
    const folder = join(lab.home, "copies", String(copy));
    // As kill -9 of both leaves it, at any instant.
    for (const pid of pids) if (pid > 0) process.kill(pid, "SIGSTOP");
    const shells = new Map(now.shells);
    for (const name of ["patchbay.db", "patchbay.db-wal"]) cpSync(join(lab.data, name), join(folder, name));
    for (const pid of pids) if (pid > 0) process.kill(pid, "SIGCONT");
    copies.push({ folder, shells });
  }
  works = false;
  await working;
  let conversations = 0;
  for (const { folder, shells } of copies) {
    const { database, lost } = openStore(folder, { agents: agentMigrations });
    expect(lost).toBeUndefined();
    const store = new Store(database);
    const agents = createAgents({ store: usageStore(database), shells: () => [], log: () => {}, onChange: () => {} });
    reconcileShells(store.shells, session, []);
    const stored = new Map<number, ReturnType<typeof store.shells.listStored>[number]>(
      store.shells.listStored(session).map((one) => [one.shell.id, one]),
    );
    for (const [id, { cwd, conversation }] of shells) {
      expect(stored.get(id)).toMatchObject({ shell: { cwd }, start: { env: {} }, ending: { cause: "lost" } });
      if (conversation === undefined) continue;
      const [found, ...others] = await agents.resumes.list(session, ShellId.parse(id), undefined);
      expect(others).toEqual([]);
      expect(found).toMatchObject({ sessionId: conversation, cwd });
      expect(["ready", "empty", "busy"]).toContain(found?.state);
      if (found?.lastPrompt !== undefined) expect(found.lastPrompt).toContain(conversation);
      conversations += 1;
    }
    agents[Symbol.dispose]();
    store[Symbol.dispose]();
    rmSync(folder, { recursive: true });
  }
  expect(conversations).toBeGreaterThan(COPIES);
});
