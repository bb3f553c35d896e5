import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { AgentLab, type LabShell, session, until } from "../integration/main/agents/agent-lab.ts";
import { type AgentPlace, agentPlace, installPrograms } from "./programs.ts";

/** In its default mode a daemon keeps the threads of all terminals, so nothing of the process names its own. */
let lab: AgentLab;
let place: AgentPlace;
beforeAll(installPrograms, 900_000);
beforeEach(async () => {
  lab = new AgentLab();
  place = await agentPlace(lab, "codex");
  lab.agents.start();
});
afterEach(() => lab[Symbol.dispose]());

const agentIn = (shell: LabShell) => lab.agents.list(session).find(({ shellId }) => shellId === shell.shellId);
const sessionsOf = (shell: LabShell) => lab.agents.sessions(session).filter(({ shellId }) => shellId === shell.shellId);
const outputOf = (shell: LabShell) => sessionsOf(shell).reduce((sum, { tokenUsage }) => sum + tokenUsage.output, 0);

async function opened(shell: LabShell): Promise<string> {
  await until("the prompt", () => shell.output().includes("ready> "));
  shell.run(place.command);
  await until("the agent's session", () => agentIn(shell)?.sessionId || undefined);
  await until("its input", () => agentIn(shell)?.state === "idle" && shell.output().includes("›"));
  await delay(2000); // what is typed before its screen is complete is lost
  return agentIn(shell)?.sessionId ?? "";
}

async function type(shell: LabShell, text: string): Promise<void> {
  shell.pty.write(text);
  await delay(500);
  shell.pty.write("\r");
}

/** Gives a prompt; answers how many tokens the API has written for it. */
async function turn(shell: LabShell, text: string): Promise<number> {
  const before = place.truth();
  await type(shell, text);
  await until(
    "the answer",
    () => place.truth().calls > before.calls && agentIn(shell)?.reason?.detail === "done",
    30_000,
  );
  return place.truth().output - before.output;
}

async function closed(shell: LabShell): Promise<void> {
  shell.pty.write("\u0003");
  await delay(500);
  shell.pty.write("\u0003");
  await until("the agent's end", () => agentIn(shell) === undefined, 30_000);
}

test("`codex exec` elsewhere in the folder is not the terminal's, before its first prompt nor after", async () => {
  const { shell } = place;
  const elsewhere = place.another();
  lab.hidden.add(elsewhere.shellId);
  const exec = async () => {
    const before = elsewhere.output().length;
    elsewhere.run(`${place.command} exec 'SAY{elsewhere}' </dev/null >/dev/null 2>&1; echo "ended $((1))"`);
    await until("exec", () => elsewhere.output().slice(before).includes("ended 1\r\n"), 60_000);
  };
  const own = await opened(shell);
  await exec();
  const first = await turn(shell, "Look. SAY{one}");
  await exec();
  const second = await turn(shell, "Look. SAY{two}");
  await until("the usage", () => outputOf(shell) === first + second);
  await delay(2000);
  expect(agentIn(shell)?.sessionId).toBe(own);
  await closed(shell);
  expect(sessionsOf(shell)).toMatchObject([{ sessionId: own, status: "ended" }]);
  expect(lab.agents.cost(session).total.output).toBe(first + second);
});

test("two terminals in one folder, with /new in one: each keeps what was asked in it", async () => {
  const [one, other] = [place.shell, place.another()];
  const first = await opened(one);
  const second = await opened(other);
  expect(second).not.toBe(first);
  let inOther = await turn(other, "Look. SAY{in the other}");
  let inOne = await turn(one, "Look. SAY{in the one}");
  await delay(3000); // turns so close to each other could be of either
  await type(one, "/new");
  await until("the question for its worktree", () => one.output().includes("Where should the new conversation run?"));
  one.pty.write("\r");
  await delay(3000);
  inOne += await turn(one, "Look. SAY{new in the one}");
  await until("the new thread", () => agentIn(one)?.sessionId !== first);
  await delay(3000);
  inOther += await turn(other, "Look. SAY{again in the other}");
  await until("the usage", () => outputOf(one) === inOne && outputOf(other) === inOther);
  await closed(one);
  await delay(2500);
  expect(agentIn(other)?.sessionId).toBe(second);
  await closed(other);
  expect([sessionsOf(one).length, sessionsOf(other).length]).toEqual([2, 1]);
  expect([outputOf(one), outputOf(other)]).toEqual([inOne, inOther]);
});

test("a terminal elsewhere in the folder keeps its threads, also when this one is alone among ours", async () => {
  const { shell } = place;
  const elsewhere = place.another();
  const own = await opened(shell);
  const used = await turn(shell, "Look. SAY{mine}");
  lab.hidden.add(elsewhere.shellId);
  await until("the prompt", () => elsewhere.output().includes("ready> "));
  elsewhere.run(place.command);
  await until("its input", () => elsewhere.output().includes("›"));
  await delay(4000);
  const before = place.truth().calls;
  await type(elsewhere, "Look. SAY{theirs}");
  await until("its answer", () => place.truth().calls > before, 30_000);
  await delay(4000);
  expect(agentIn(shell)?.sessionId).toBe(own);
  expect(lab.agents.cost(session).total.output).toBe(used);
});
