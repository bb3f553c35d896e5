import { type ChildProcess, spawn } from "node:child_process";
import { afterEach, expect, test } from "vitest";
import type { SessionId, ShellId } from "../../../../core/protocol/ids.ts";
import type { FoundAgent } from "../../../../main/agents/find-agents.ts";
import { LeftBehind } from "../../../../main/agents/left-behind.ts";
import type { LiveAgent } from "../../../../main/agents/live-agent.ts";
import type { ProcessInfo } from "../../../../main/system/processes/process-source.ts";
import { processStart } from "../../../../main/system/processes/process-start.ts";

const session = "s" as SessionId;
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

/** A real process, which ignores SIGTERM where it is stubborn. */
function started({ stubborn = false } = {}): number {
  const program = stubborn ? "trap '' TERM; echo ready; while :; do sleep 0.1; done" : "echo ready; exec sleep 1000";
  const child = spawn("sh", ["-c", program]);
  children.push(child);
  return child.pid ?? 0;
}

function processOf(pid: number, ppid: number): ProcessInfo {
  return { pid, ppid, startKey: processStart(pid) ?? "", comm: "server" } as ProcessInfo;
}

/** Above what a system gives to a process. */
const [AGENT, SHELL] = [2 ** 22 + 10, 2 ** 22 + 11];

/** An agent that was seen with these processes below it, and has ended. */
function leftOf(processes: readonly ProcessInfo[]): LeftBehind {
  const left = new LeftBehind();
  const found = { id: `${AGENT}/1`, process: { pid: AGENT } } as FoundAgent;
  left.saw(found, processes);
  // A daemon is not below it any more.
  left.saw(found, []);
  expect(left.list(session)).toEqual([]);
  left.ended({ found, kind: "claude", session, shellId: 3 as ShellId } as LiveAgent, 1000);
  return left;
}

test("what was below an agent and runs on is left behind; what has ended, is another's, or has a new pid, is not", () => {
  const [mine, others, reused] = [started(), started(), started()];
  const left = leftOf([
    processOf(SHELL, AGENT),
    processOf(mine, SHELL),
    processOf(others, 1),
    { ...processOf(reused, AGENT), startKey: "1" },
  ]);
  expect(left.list(session)).toMatchObject([
    { pid: mine, name: "server", agentType: "claude", shellId: 3, since: 1000 },
  ]);
  expect(left.list("other" as SessionId)).toEqual([]);
});

test("it is ended on request: the one that is named, else all, by force after 3 s", async () => {
  const [one, two, three] = [started(), started(), started({ stubborn: true })];
  await new Promise((resolve) => children.at(-1)?.stdout?.once("data", resolve));
  const left = leftOf([one, two, three].map((pid) => processOf(pid, AGENT)));
  expect(await left.end("other" as SessionId, undefined)).toEqual([]);
  expect((await left.end(session, one)).map(({ pid }) => pid)).toEqual([one]);
  expect(left.list(session).map(({ pid }) => pid)).toEqual([two, three]);
  expect((await left.end(session, undefined)).map(({ pid }) => pid)).toEqual([two, three]);
  expect(left.list(session)).toEqual([]);
}, 15_000);
