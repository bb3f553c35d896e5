import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { LibraryProcesses } from "../../../../main/system/processes/library-processes.ts";
import { processSource } from "../../../../main/system/processes/processes.ts";
import { PsProcesses } from "../../../../main/system/processes/ps-processes.ts";
import { AgentLab, type LabShell, session, until } from "./agent-lab.ts";
import { actors, commandOf, expected, fixtures, link, standIn, start } from "./stage.ts";

let lab: AgentLab;
beforeEach(() => {
  lab = new AgentLab();
});
afterEach(() => lab[Symbol.dispose]());

test.each(actors)("$kind is found, joined to its transcript, accounted for, and gone when it ends", async (actor) => {
  const shell = lab.shell(lab.folder("work", "my.project"));
  lab.agents.start();
  await start(lab, actor, shell);
  const found = await until("the agent and its session", () =>
    lab.agents.list(session).find((one) => one.sessionId !== ""),
  );
  expect(found).toMatchObject({ shellId: shell.shellId, agentType: actor.kind, sessionId: actor.sessionId });

  shell.run("play");
  const { tokenUsage } = expected[actor.sessionId];
  await until("the usage", () => lab.agents.list(session)[0]?.tokenUsage.output === tokenUsage.output);
  const total = lab.agents.cost(session).total;
  expect(total).toMatchObject({ input: tokenUsage.input, output: tokenUsage.output, cached: tokenUsage.cached });
  expect(total.cost).toBeCloseTo(tokenUsage.cost, 9);
  expect(lab.agents.list(session)[0]?.model).toBe(expected[actor.sessionId].model);
  const events = await lab.agents.events(session, actor.sessionId, { types: ["tool_call"] });
  expect(events).toHaveLength(expected[actor.sessionId].eventCounts.tool_call);
  const details = await lab.agents.details(session, actor.sessionId);
  expect(details).toMatchObject({ sessionId: actor.sessionId, agentType: actor.kind, tokenUsage: total });

  shell.run("quit");
  await until("the agent to be gone", () => lab.agents.list(session).length === 0);
  await until("agent.ended", () => lab.changes.at(-1)?.type === "agent.ended");
  expect(lab.changes[0]?.type).toBe("agent.started");
  expect(lab.agents.sessions(session)).toMatchObject([
    { sessionId: actor.sessionId, status: "ended", tokenUsage: total },
  ]);
  expect(lab.agents.cost(session).total).toEqual(total);

  const restarted = lab.watch();
  expect(restarted.sessions(session)).toEqual(lab.agents.sessions(session));
  expect(restarted.cost(session)).toEqual(lab.agents.cost(session));
  expect(await restarted.events(session, actor.sessionId, { types: ["tool_call"] })).toEqual(events);
  const history = restarted.usageHistory(new Date(0), new Date(), "day");
  expect(history.reduce((sum, { output }) => sum + output, 0)).toBe(tokenUsage.output);
  expect(lab.logged).toEqual([]);
});

test("an agent that runs in place of a shell is found too", async () => {
  const actor = actors.find(({ kind }) => kind === "claude");
  if (actor === undefined) throw new Error("no claude among the actors");
  const { kind, transcript, sessionId } = actor;
  lab.agents.start();
  const program = link(process.execPath, join(lab.folder("bin"), kind));
  const shell = lab.program([program, standIn, kind, join(fixtures, transcript)], lab.folder("work"));
  await until("it to start", () => shell.output().includes("stand-in ready"));
  await until("the agent", () => lab.agents.list(session).find((agent) => agent.sessionId === sessionId));
  expect(lab.agents.list(session)).toMatchObject([{ agentType: kind, shellId: shell.shellId }]);
});

test("an agent that another agent's tool starts is its child, and counts once", async () => {
  const [claude, codex] = actors;
  if (claude === undefined || codex === undefined) throw new Error("no actors");
  const shell = lab.shell(lab.folder("work"));
  lab.agents.start();
  await start(lab, claude, shell);
  await until("the session", () => lab.agents.list(session)[0]?.sessionId);
  shell.run("play");
  shell.run(`tool ${commandOf(lab, codex, { words: "exec" })}`);
  await until("the tool", () => shell.output().includes("tool: stand-in ready"));
  const children = () => lab.agents.list(session)[0]?.children ?? [];
  await until("the child", () => children().length > 0);
  shell.run("tell play");
  const [own, its] = [claude, codex].map(({ sessionId }) => expected[sessionId].tokenUsage);
  await until("its usage", () => children()[0]?.tokenUsage.output === its.output);
  const startedBy = { agentType: "claude", sessionId: claude.sessionId };
  expect(lab.agents.list(session)).toMatchObject([
    {
      agentType: "claude",
      tokenUsage: { output: own.output },
      children: [{ ...codexChild(codex.sessionId), startedBy }],
    },
  ]);
  const cost = lab.agents.cost(session);
  expect(cost.total.cost).toBeCloseTo(own.cost + its.cost, 9);
  expect(cost.agents.map((agent) => [agent.agentType, agent.startedBy]).sort()).toEqual([
    ["claude", undefined],
    ["codex", startedBy],
  ]);

  shell.run("tell quit");
  await until("its end", () => children()[0]?.state === "ended");
  expect(lab.agents.cost(session)).toEqual(cost);
  expect(lab.changes.filter(({ agent }) => agent.agentType === "codex")).toEqual([]);
  const restarted = lab.watch();
  await restarted.poll();
  expect(restarted.list(session)).toMatchObject([{ agentType: "claude", children: children() }]);
  expect(restarted.cost(session).total).toEqual(cost.total);
});

function codexChild(sessionId: string) {
  return { agentType: "codex", sessionId, model: expected[sessionId].model };
}

test.each([
  ["has replaced its shell", (command: string) => `exec ${command}`],
  ["has a terminal of its own", (command: string) => `script -qc '${command}' /dev/null`],
  ["has no terminal", (command: string) => `setsid -w ${command}`],
])("an agent that %s is found", async (_, line) => {
  const [claude] = actors;
  if (claude === undefined) throw new Error("no actor");
  const shell = lab.shell(lab.folder("work"));
  lab.agents.start();
  shell.run(line(commandOf(lab, claude)));
  await until("it to start", () => shell.output().includes("stand-in ready"));
  const found = await until("the agent", () => lab.agents.list(session).find(({ sessionId }) => sessionId !== ""));
  expect(found).toMatchObject({ shellId: shell.shellId, sessionId: claude.sessionId });
});

test("an agent in a pane of tmux is of the shell that shows it, and goes with it to another one", async () => {
  const [claude] = actors;
  if (claude === undefined) throw new Error("no actor");
  const folder = lab.folder("work");
  const tmux = `tmux -f /dev/null -S ${join(lab.home, "tmux")}`;
  const [one, other] = [lab.shell(folder), lab.shell(folder)];
  lab.agents.start();
  // The server is no one's: it was there before, and its panes have terminals of their own.
  one.run(`${tmux} new-session -d '${commandOf(lab, claude)}' && echo "star""ted"`);
  await until("the server", () => one.output().includes("started"));
  await lab.agents.poll();
  expect(lab.agents.list(session)).toEqual([]);

  one.run(`${tmux} attach`);
  const found = () => lab.agents.list(session).find(({ sessionId }) => sessionId !== "");
  await until("the agent", found);
  expect(found()).toMatchObject({ shellId: one.shellId, sessionId: claude.sessionId, inPane: true });
  const present = (shell: LabShell) =>
    lab.agents.inShell({ shellId: shell.shellId, sessionId: session, pid: shell.pty.pid });
  expect(await present(one)).toMatchObject([{ agentType: "claude" }]);
  expect(await present(other)).toEqual([]);

  // What tmux's terminal reports is not the agent's.
  lab.agents.signal(session, one.shellId, { kind: "program-status", payload: "state=blocked:kind=permission" });
  expect(found()?.state).not.toBe("waiting");

  other.run(`${tmux} attach`);
  await until("the other client", async () => (await present(other)).length === 1);
  await lab.agents.poll();
  expect(lab.agents.list(session)).toMatchObject([{ shellId: one.shellId }]);
  one.pty.write("\u0002d");
  await until("the agent in the other shell", () => found()?.shellId === other.shellId);
  expect(lab.agents.list(session)).toHaveLength(1);
  other.pty.write("\u0002d");
  await until("its end there", () => lab.agents.list(session).length === 0);
  expect(lab.changes.filter(({ type }) => type === "agent.ended").map(({ agent }) => agent.shellId)).toEqual([
    one.shellId,
    other.shellId,
  ]);
});

test("a process that has tmux's names has no other processes than its own", async () => {
  const folder = lab.folder("work");
  const [named, plain] = [lab.shell(folder), lab.shell(folder)];
  const script = (name: string) => `"process.title = 'tmux: ${name}'; setInterval(() => {}, 1000); console.log('up')"`;
  named.run(`${process.execPath} -e ${script("client")} & ${process.execPath} -e ${script("server")} & sleep 300 &`);
  await until("both", () => named.output().split("up\r\n").length > 2);
  const source = processSource("/proc", { anyTerminal: true, withRoots: true });
  const below = await source.below([named.pty.pid, plain.pty.pid]);
  expect(below.get(plain.pty.pid)?.map(({ pid }) => pid)).toEqual([plain.pty.pid]);
  const pids = below.get(named.pty.pid)?.map(({ pid }) => pid) ?? [];
  expect(pids).toHaveLength(4);
  expect(new Set(pids).size).toBe(4);
});

test("what runs in the shells of a relay that was started in a shell is not of that shell", async () => {
  const [claude] = actors;
  if (claude === undefined) throw new Error("no actor");
  const outer = { SERVICE_TOKEN: "outer", PATCHBAY_DATA: "/outer" };
  const shell = lab.shell(lab.folder("work"), outer);
  shell.run(`export SERVICE_TOKEN=inner PATCHBAY_DATA=/inner`);
  await start(lab, claude, shell);
  await lab.agents.poll();
  expect(lab.agents.list(session)).toEqual([]);
  const own = lab.shell(lab.folder("other"), outer);
  own.run(`export SERVICE_TOKEN=another`);
  await start(lab, claude, own);
  await lab.agents.poll();
  expect(lab.agents.list(session)).toMatchObject([{ shellId: own.shellId }]);
});

test("a waiting agent is told once, with the reason, and leaves a permission_request", async () => {
  const [claude] = actors;
  if (claude === undefined) throw new Error("no actor");
  const shell = lab.shell(lab.folder("work"));
  lab.agents.start();
  await start(lab, claude, shell);
  await until("the session", () => lab.agents.list(session)[0]?.sessionId);
  shell.run("wait");
  const waiting = await until("agent.waiting", () => lab.changes.find(({ type }) => type === "agent.waiting"));
  expect(waiting.agent).toMatchObject({ state: "waiting", reason: { source: "agent-file", detail: "waiting" } });
  shell.run("play");
  await until("work to go on", () => lab.agents.list(session)[0]?.state === "idle");
  expect(lab.changes.filter(({ type }) => type === "agent.waiting")).toHaveLength(1);
  const events = await lab.agents.events(session, claude.sessionId, { types: ["permission_request"] });
  expect(events).toMatchObject([{ type: "permission_request" }]);
});

test("files and other programs of an agent's name are not agents", async () => {
  const cwd = lab.folder("work");
  writeFileSync(join(cwd, "gemini"), "setInterval(() => {}, 1000);\n");
  writeFileSync(join(cwd, "codex"), "#!/bin/bash\nsleep 300; true\n");
  chmodSync(join(cwd, "codex"), 0o755);
  copyFileSync("/bin/sleep", join(cwd, "claude"));
  const shell = lab.shell(cwd);
  const [claude] = actors;
  if (claude === undefined) throw new Error("no actor");
  shell.run(`tail -f gemini & ${process.execPath} ./gemini & ./codex & ./claude 300 & jobs -p | wc -l`);
  await until("the four jobs", () => /\r\n4\r\n/.test(shell.output()));
  const real = lab.shell(lab.folder("other"));
  await start(lab, claude, real);
  await until("the one agent", async () => {
    await lab.agents.poll();
    return lab.agents.list(session).length > 0;
  });
  await lab.agents.poll();
  expect(lab.agents.list(session).map(({ shellId, agentType }) => [shellId, agentType])).toEqual([
    [real.shellId, "claude"],
  ]);
});

test("/proc and ps find the same processes below a shell", async () => {
  const shell = lab.shell(lab.folder("work"));
  shell.run("sleep 300 | sleep 301");
  const { pid } = shell.pty;
  const sources = [processSource("/proc"), new PsProcesses()];
  const look = () => Promise.all(sources.map(async (source) => (await source.below([pid])).get(pid) ?? []));
  const [linux = [], ps = []] = await until("both sleeps", async () => {
    const looks = await look();
    return looks.every((found) => found.filter(({ comm }) => comm === "sleep").length === 2) && looks;
  });
  const facts = (all: typeof linux) =>
    all.map((one) => [one.pid, one.ppid, one.pgrp, one.comm, one.argv(), one.stopped]).sort();
  expect(facts(ps)).toEqual(facts(linux));
  for (const one of linux) {
    expect(Math.abs(one.startedAt - Date.now())).toBeLessThan(30_000);
    expect([one.cwd(), one.env("HOME"), one.exe()]).toEqual([
      join(lab.home, "work"),
      lab.home,
      expect.stringContaining("sleep"),
    ]);
  }
});

test("the library for Windows finds the same processes with their words, here too", async () => {
  const shell = lab.shell(lab.folder("work"));
  shell.run("sleep 302 | sleep 303");
  const { pid } = shell.pty;
  const found = await until("both sleeps", async () => {
    const below = (await new LibraryProcesses().below([pid])).get(pid) ?? [];
    return below.filter(({ comm }) => comm === "sleep").length === 2 && below;
  });
  expect(found.map((one) => one.argv().at(-1)).sort()).toEqual(["302", "303"]);
});

test("another session's or nobody's agent session is a 404 that says where to look", async () => {
  await expect(lab.agents.details(session, "11111111-1111-4111-8111-111111111111")).rejects.toMatchObject({
    code: "unknown_agent_session",
  });
  await expect(lab.agents.events(session, "11111111-1111-4111-8111-111111111111")).rejects.toMatchObject({
    code: "unknown_agent_session",
    message: expect.stringContaining("list-agent-sessions"),
  });
});

test("a program that reports its state under a name of its own is listed, and ends with the shell's prompt", async () => {
  const shell = lab.shell(lab.folder("work"));
  shell.run(String.raw`printf '\e]7501;state=blocked:kind=question:app=my-agent\a'; read answer`);
  await until("the program", () => lab.agents.list(session).length === 1);
  expect(lab.agents.list(session)).toMatchObject([{ agentType: "my-agent", state: "waiting", sessionId: "" }]);
  shell.run("yes");
  await until("its end", () => lab.agents.list(session).length === 0);
  expect(lab.changes.map(({ type }) => type)).toEqual(["agent.started", "agent.waiting", "agent.ended"]);
});

test("what proves the session of an agent is stored at once, so that it is proven after a kill, too", async () => {
  const actor = actors.find(({ kind }) => kind === "gemini");
  if (actor === undefined) throw new Error("no gemini among the actors");
  const shell = lab.shell(lab.folder("work", "my.project"));
  lab.agents.start();
  await start(lab, actor, shell);
  const isKnown = () =>
    lab.agents.list(session).some((one) => one.sessionId === actor.sessionId && one.assumed === true);
  await until("the session that is assumed", isKnown);
  const { shellId } = shell;
  const stored = () => lab.agents.resumes.list(session, shellId, undefined);
  expect(await stored()).toMatchObject([{ sessionId: actor.sessionId, assumed: true }]);
  lab.agents.reportIdle(session, shellId, actor.kind, actor.sessionId);
  await until("the proof", () => lab.agents.list(session)[0]?.assumed === undefined);
  expect((await stored()).map(({ assumed }) => assumed)).toEqual([undefined]);
});

test("a session that either of two agents could have begun is nobody's, until the hook of one reports it", async () => {
  const actor = actors.find(({ kind }) => kind === "gemini") ?? expect.unreachable();
  const { sessionId, kind } = actor;
  const folder = ["work", "my.project"] as const;
  const [other, own] = [lab.shell(lab.folder(...folder)), lab.shell(lab.folder(...folder))];
  lab.agents.start();
  for (const shell of [other, own]) await start(lab, actor, shell, { as: "gemini-late" });
  const worksOn = (of: LabShell) => lab.agents.list(session).find(({ shellId }) => shellId === of.shellId);
  await until("both agents", () => worksOn(other) !== undefined && worksOn(own) !== undefined);
  own.run("play");
  await until("the session", () => existsSync(join(lab.home, ".gemini/tmp/slug/chats")));
  await lab.agents.poll();
  await lab.agents.poll();
  expect([other, own].map((shell) => worksOn(shell)?.sessionId)).toEqual(["", ""]);
  lab.agents.reportIdle(session, own.shellId, kind, sessionId);
  await until("the proof", () => worksOn(own)?.sessionId === sessionId);
  expect(worksOn(own)?.assumed).toBeUndefined();
  expect(worksOn(other)?.sessionId).toBe("");
});

test("what Codex tells by OTLP in one shell proves no thread as that shell's: its daemon tells for all terminals", async () => {
  const actor = actors.find(({ kind }) => kind === "codex");
  if (actor === undefined) throw new Error("no codex among the actors");
  const [first, second] = [lab.shell(lab.folder("work")), lab.shell(lab.folder("work"))];
  lab.agents.start();
  for (const shell of [first, second]) await start(lab, actor, shell, { as: "codex-late" });
  await until("both agents", async () => {
    await lab.agents.poll();
    return lab.agents.list(session).length === 2;
  });
  const thread = daemonThread(lab.home, lab.folder("work"));
  const value = (text: string) => ({ stringValue: text });
  const attributes = [
    { key: "event.name", value: value("codex.user_prompt") },
    { key: "conversation.id", value: value(thread) },
  ];
  lab.agents.reportTelemetry(session, first.shellId, [{ scopeLogs: [{ logRecords: [{ attributes }] }] }]);
  await lab.agents.poll();
  await lab.agents.poll();
  expect(lab.agents.list(session).map(({ shellId, sessionId }) => [shellId, sessionId])).toEqual([
    [first.shellId, ""],
    [second.shellId, ""],
  ]);
});

test("what a hook reports while a tool of the agent runs another agent of the kind moves the agent to no session of that one", async () => {
  const actor = actors.find(({ kind }) => kind === "gemini");
  if (actor === undefined) throw new Error("no gemini among the actors");
  const shell = lab.shell(lab.folder("work"));
  lab.agents.start();
  await start(lab, actor, shell);
  const current = () => lab.agents.list(session)[0]?.sessionId;
  await until("its session", () => current() === actor.sessionId);
  lab.agents.reportIdle(session, shell.shellId, "gemini", actor.sessionId);
  await until("its proof", () => lab.agents.list(session)[0]?.assumed === undefined);
  const other = "1c1cdd35-c777-43bf-960b-8ee784f938d7";
  const transcript = "gemini/.gemini/tmp/gem-proj/chats/session-2026-11-21T02-57-1c1cdd35.jsonl";
  shell.run(`tool ${commandOf(lab, { kind: "gemini", transcript }, { as: "gemini-late" })}`);
  await until("the agent of the tool", () => shell.output().includes("tool: stand-in ready"));
  await lab.agents.poll();
  // Before its transcript is there, as at its start.
  lab.agents.reportIdle(session, shell.shellId, "gemini", other);
  shell.run("tell play");
  await until("its transcript", () => readdirSync(join(lab.home, ".gemini/tmp/slug/chats")).length === 2);
  await lab.agents.poll();
  await lab.agents.poll();
  expect(current()).toBe(actor.sessionId);
});

/** Writes the beginning of a thread as Codex's daemon does for a terminal in a folder. Returns its id. */
function daemonThread(home: string, cwd: string): string {
  const now = new Date();
  const born = now.getTime().toString(16).padStart(12, "0");
  const id = `${born.slice(0, 8)}-${born.slice(8)}-7e42-8c65-f6df7ca02110`;
  const folder = join(home, ".codex", "sessions", ...now.toISOString().slice(0, 10).split("-"));
  mkdirSync(folder, { recursive: true });
  const payload = { id, session_id: id, cwd, source: "vscode", originator: "codex-tui" };
  const line = JSON.stringify({ timestamp: now.toISOString(), type: "session_meta", payload });
  writeFileSync(
    join(folder, `rollout-${now.toISOString().slice(0, 19).replaceAll(":", "-")}-${id}.jsonl`),
    `${line}\n`,
  );
  return id;
}
