import { spawn } from "node:child_process";
import { renameSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startRestoreLab } from "../../../support/restore-lab.ts";
import { until } from "../../../support/until.ts";

test("after kill -9 of everything nothing starts unasked, and each shell and conversation comes back where it was", async () => {
  await using lab = await startRestoreLab();
  await lab.start();
  const [one, two] = [lab.folder("work", "one"), lab.folder("work", "two")];
  const made = await lab.command<{ shellId: number; key: number }>("createShell", {
    cwd: one,
    env: { GIVEN: "x", API_TOKEN: "s3cret" },
  });
  const config = lab.folder("second account");
  const other = await lab.command<{ shellId: number; key: number }>("createShell", { cwd: two });
  await lab.command("renameTile", { name: "build", key: made.key });
  const first = await lab.claude(made.shellId, "--model opus 'the first prompt'");
  await lab.say(made.shellId, "ask where were we");
  await lab.command("runCommand", { tile: other.key, command: `export CLAUDE_CONFIG_DIR='${config}'`, wait: true });
  const second = await lab.claude(other.shellId);
  await lab.say(other.shellId, "ask in another account");
  await until(
    "the transcripts",
    () => lab.lastPrompt(second, two, config) !== undefined && lab.lastPrompt(first, one) !== undefined,
  );
  await lab.killAll();
  const before = lab.starts().length;

  await lab.start();
  const offers = await lab.restore();
  expect(offers).toMatchObject([
    {
      shellId: made.shellId,
      state: "offered",
      cwd: one,
      program: "bash",
      cause: "lost",
      process: "node",
      env: ["GIVEN"],
      withheld: ["API_TOKEN"],
      conversation: first,
      lastPrompt: "where were we",
    },
    { shellId: other.shellId, state: "offered", cwd: two, conversation: second },
  ]);
  expect(offers[0]?.agents).toMatchObject([
    {
      agentType: "claude",
      state: "ready",
      command: `claude --resume ${first} --model opus`,
      lastAnswer: "answer to where were we",
    },
  ]);
  expect(await lab.restore({ all: true, dryRun: true })).toMatchObject([{ state: "resumed" }, { state: "resumed" }]);
  expect(lab.starts()).toHaveLength(before);
  expect(await lab.agents()).toEqual([]);

  const [restored, again] = await lab.restore({ all: true });
  expect([restored, again]).toMatchObject([
    { state: "resumed", conversation: first },
    { state: "resumed", conversation: second },
  ]);
  const started = await until("both agents", () =>
    lab.starts().length === before + 2 ? lab.starts().slice(before) : undefined,
  );
  expect(started.toSorted((a) => (a.session === first ? -1 : 1))).toMatchObject([
    { words: ["--resume", first, "--model", "opus"], cwd: one, given: "x", home: join(lab.home, ".claude") },
    { words: ["--resume", second], cwd: two, home: config },
  ]);
  const ids = [restored?.newShellId, again?.newShellId];
  expect(await lab.command("getTiles")).toMatchObject([{ id: ids[0], label: "build" }, { id: ids[1] }]);
  const known = async () => {
    const agents = await lab.agents();
    return agents.length === 2 && agents.every(({ sessionId }) => sessionId !== "") ? agents : undefined;
  };
  const running = await until("the agents in their shells", known);
  expect(new Map(running.map(({ shellId, sessionId }) => [shellId, sessionId]))).toEqual(
    new Map([
      [ids[0], first],
      [ids[1], second],
    ]),
  );
  expect(await lab.restore()).toEqual([]);
  await expect(lab.restore({ shell: made.shellId })).rejects.toThrow("is not offered");
});

test("the conversation is the one that an agent worked on last: not one of a tool, nor the one before /resume", async () => {
  await using lab = await startRestoreLab();
  await lab.start();
  const cwd = lab.folder("work");
  const { shellId } = await lab.command<{ shellId: number }>("createShell", { cwd });
  const { shellId: neighbour } = await lab.command<{ shellId: number }>("createShell", { cwd });
  const { shellId: ended } = await lab.command<{ shellId: number }>("createShell", { cwd });
  const { shellId: silent } = await lab.command<{ shellId: number }>("createShell", { cwd });
  const old = await lab.claude(shellId);
  await lab.say(shellId, "ask the old one");
  const near = await lab.claude(neighbour);
  await lab.say(neighbour, "ask the neighbour");
  const untouched = await lab.claude(silent, "--permission-mode plan");
  await lab.claude(ended);
  await lab.say(ended, "ask something that is over");
  await lab.say(ended, "quit");
  const resumed = "0aaaaaaa-0000-4000-8000-000000000001";
  await lab.say(shellId, `resume ${resumed}`);
  await lab.say(shellId, "ask the resumed one");
  await lab.say(shellId, "tool -p nested");
  const sees = async () => {
    const agents = await lab.agents();
    const one = agents.find((agent) => agent.shellId === shellId);
    return one?.sessionId === resumed && one.children?.length === 1 && agents.length === 3;
  };
  await until("what runs in the shells", sees);
  await lab.killAll();
  await lab.start();
  const offers = await lab.restore();
  expect(
    offers.map(({ shellId, agents }) => [shellId, agents.map(({ sessionId, state }) => [sessionId, state])]),
  ).toEqual([
    [shellId, [[resumed, "ready"]]],
    [neighbour, [[near, "ready"]]],
    [ended, []],
    [silent, [[untouched, "empty"]]],
  ]);
  expect(offers.map(({ lastPrompt }) => lastPrompt)).toEqual([
    "the resumed one",
    "the neighbour",
    undefined,
    undefined,
  ]);
  expect(old).not.toBe(resumed);
  // Nothing was said in it, so there is nothing to resume: the agent starts anew.
  const before = lab.starts().length;
  expect(await lab.restore({ shell: silent })).toMatchObject([
    { state: "resumed", why: expect.stringContaining("anew") },
  ]);
  const [started] = await until("the agent", () =>
    lab.starts().length > before ? lab.starts().slice(before) : undefined,
  );
  expect(started?.words).toEqual(["--permission-mode", "plan"]);
});

test("a conversation is not lost while it cannot be found, runs elsewhere, or starts slowly", async () => {
  await using lab = await startRestoreLab();
  await lab.start();
  const cwd = lab.folder("work", "deep");
  const { shellId } = await lab.command<{ shellId: number }>("createShell", { cwd });
  const session = await lab.claude(shellId);
  await lab.say(shellId, "ask for patience");
  const isCounted = async () => ((await lab.agents())[0]?.tokenUsage.output ?? 0) > 0;
  await until("what was said to be counted", isCounted);
  await lab.killAll();
  await lab.start();
  const only = async () => (await lab.restore())[0];

  const projects = join(lab.home, ".claude", "projects");
  renameSync(projects, `${projects}-away`);
  expect((await only())?.agents).toMatchObject([{ sessionId: session, state: "missing" }]);
  expect(await lab.restore({ all: true, dryRun: true })).toMatchObject([
    { state: "started", why: expect.stringContaining("not found now") },
  ]);
  renameSync(`${projects}-away`, projects);
  expect(await only()).toMatchObject({ agents: [{ state: "ready" }], conversation: session });

  const daemon = spawn(join(lab.home, "bin", "claude"), ["--resume", session], {
    cwd,
    env: { ...process.env, HOME: lab.home, CLAUDE_CONFIG_DIR: undefined },
  });
  await until("the daemon", async () => (await only())?.agents[0]?.state === "busy");
  expect(await lab.restore({ shell: shellId, dryRun: true })).toMatchObject([
    { state: "started", why: `The process ${daemon.pid} works on it.` },
  ]);
  daemon.kill("SIGKILL");
  await until("the daemon's end", async () => (await only())?.agents[0]?.state === "ready");

  const away = join(lab.home, "elsewhere");
  renameSync(join(lab.home, "work"), away);
  expect(await only()).toMatchObject({
    folderGone: true,
    state: "offered",
    why: expect.stringContaining("does not exist"),
  });
  expect(await lab.restore({ all: true })).toMatchObject([
    { state: "skipped", why: expect.stringContaining("does not exist") },
  ]);
  renameSync(away, join(lab.home, "work"));

  // It shows no session before everything is lost again.
  const [slow] = await lab.restore({ shell: shellId, folder: "always" });
  await until("the slow start", () => lab.starts().at(-1)?.words[1] === session);
  await lab.killAll();
  const before = lab.starts().length;
  await lab.start({ STAND_IN_SLOW: "60000" });
  // The owner has decided for the folder, so it is there already; and once more, before it shows what it works on.
  const again = await until("the start", () => (lab.starts().length > before ? lab.starts().at(-1) : undefined));
  expect(again).toMatchObject({ words: ["--resume", session], cwd });
  expect(lab.serve.said()).toContain("started again, as you have decided for their folders");
  await lab.killAll();
  await lab.start();
  const last = await until("the third start", () =>
    lab.starts().length > before + 1 ? lab.starts().at(-1) : undefined,
  );
  expect(last).toMatchObject({ words: ["--resume", session] });
  expect(slow?.newShellId).toBeGreaterThan(shellId);
});

test("what a shell printed stands above what the one in its place prints, as text that does nothing", async () => {
  await using lab = await startRestoreLab();
  await lab.start();
  await lab.startHistory();
  const { shellId, key } = await lab.command<{ shellId: number; key: number }>("createShell", { cwd: lab.home });
  const line = "echo before-$((40+2)); printf '\\033]0;forged\\007\\033[6n'";
  await lab.command("runCommand", { tile: key, command: line, wait: true });
  const isRecorded = async () => {
    const found = await lab.get<readonly { command: string | null }[]>("commands");
    return found.some(({ command }) => command?.includes("before-"));
  };
  await until("the record of the command", isRecorded);
  await lab.killAll();
  await lab.start();
  expect(await lab.restore()).toMatchObject([{ commands: [expect.stringContaining("echo before-")] }]);
  const [{ newShellId = 0 } = {}] = await lab.restore({ all: true });
  const output = async () =>
    (await lab.command<{ output: string }>("getShellOutput", { id: newShellId, since: 0 })).output;
  await until("the prompt of the new shell", async () => / printed\.\][\s\S]*[$#]/.test(await output()));
  const text = await output();
  expect(text).toContain("before-42\r\n");
  expect(text.indexOf("before-42")).toBeLessThan(
    text.indexOf(`[Started again. Above stands what shell ${shellId} printed.]`),
  );
  expect(text).not.toContain("\u001b[6n");
  expect(text).not.toContain("\u001b]0;");
});
