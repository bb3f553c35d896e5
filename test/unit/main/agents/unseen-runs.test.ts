import { expect, test } from "vitest";
import { SessionId, ShellId } from "../../../../core/protocol/ids.ts";
import type { AgentAdapter, EndedProcess } from "../../../../main/agents/adapters/adapter.ts";
import { codexAdapter } from "../../../../main/agents/adapters/codex.ts";
import { shellKey } from "../../../../main/agents/agents-options.ts";
import { UnseenRuns } from "../../../../main/agents/unseen-runs.ts";
import type { AgentRun } from "../../../../main/agents/usage-store.ts";
import { processInfo } from "../../../support/process-info.ts";

const shell = { sessionId: SessionId.parse("session-one"), shellId: ShellId.parse(3) };
const START = Date.parse("2026-11-26T03:00:00.000Z");
const at = (ms: number) => START + ms;

/** `began`: the sessions of the folder that began while the command ran. */
function lab({ began = ["thread"], screen = "$ codex exec 'hi'\nhi\n$ ", known = [] as string[], runs = false } = {}) {
  const recorded: AgentRun[] = [];
  const asked: EndedProcess[] = [];
  const adapter: AgentAdapter = {
    ...codexAdapter(),
    sessionsOf(ended) {
      asked.push(ended);
      return began.filter((id) => !ended.taken(id));
    },
  };
  const unseen = new UnseenRuns({
    adapters: [adapter],
    screen: async () => screen,
    log: () => undefined,
    store: {
      allRuns: () => known.map((sessionId) => ({ agentType: "codex", sessionId }) as AgentRun),
      recordRun: (run) => void recorded.push(run),
    },
    running: { runsOn: () => runs },
  });
  const program = processInfo({ cwd: () => "/work", env: (name) => (name === "HOME" ? "/home/ann" : undefined) });
  /** A command of a second, and the polls while it ran, each with whether it found an agent. */
  async function command(...polls: readonly (readonly [ms: number, withAgent?: boolean])[]) {
    unseen.polled(at(-10), new Set());
    unseen.commandStarted(shell, at(0));
    for (const [ms, withAgent] of polls) unseen.polled(at(ms), new Set(withAgent === true ? [shellKey(shell)] : []));
    unseen.commandEnded(shell, at(1000));
    await unseen.find(() => program);
    return recorded.map(({ sessionId }) => sessionId);
  }
  return { command, recorded, asked, unseen, program };
}

test("a run that no poll saw is found by what began in the folder meanwhile", async () => {
  const { command, recorded, asked } = lab();
  expect(await command([900])).toEqual(["thread"]);
  expect(recorded).toMatchObject([
    { session: "session-one", shellId: 3, agentType: "codex", home: "/home/ann/.codex", cwd: "/work" },
  ]);
  expect(asked).toMatchObject([{ launchedAt: at(0), endedAt: at(1000), cwd: "/work", argv: ["codex", "exec"] }]);
});

test("where it was looked often enough, or an agent was seen, nothing is guessed", async () => {
  expect(await lab().command([200], [400], [600], [800])).toEqual([]);
  expect(await lab().command([900, true])).toEqual([]);
});

test.each([
  ["several sessions began", { began: ["one", "two"] }],
  ["the screen names no agent", { screen: "$ make\n$ " }],
  ["the session is one of an agent that has ended", { known: ["thread"] }],
  ["an agent works on the session", { runs: true }],
])("nothing is guessed where %s", async (_what, more) => {
  expect(await lab(more).command([900])).toEqual([]);
});

test("the command of a shell that has ended is forgotten", async () => {
  const { unseen, program, recorded } = lab();
  unseen.commandStarted(shell, at(0));
  await unseen.find(() => undefined);
  unseen.commandEnded(shell, at(1000));
  await unseen.find(() => program);
  expect(recorded).toEqual([]);
});

test("a command that is over sooner than a program can start has run no agent", async () => {
  const { unseen, program, recorded } = lab();
  unseen.polled(at(-500), new Set());
  unseen.commandStarted(shell, at(0));
  unseen.commandEnded(shell, at(200));
  await unseen.find(() => program);
  expect(recorded).toEqual([]);
});
