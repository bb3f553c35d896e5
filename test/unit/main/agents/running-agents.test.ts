import { expect, test } from "vitest";
import { SessionId, ShellId } from "../../../../core/protocol/ids.ts";
import { codexAdapter } from "../../../../main/agents/adapters/codex.ts";
import { systemClock } from "../../../../main/agents/clock.ts";
import type { FoundAgent } from "../../../../main/agents/find-agents.ts";
import { Quotas } from "../../../../main/agents/quotas.ts";
import { RunningAgents } from "../../../../main/agents/running-agents.ts";
import { processStart } from "../../../../main/system/processes/process-start.ts";
import { processInfo } from "../../../support/process-info.ts";

const shell = { sessionId: SessionId.parse("session-one"), shellId: ShellId.parse(3), pid: 77 };
const runs = new Map([[shell.pid, [{ pid: shell.pid }]]]);
const ref = { sessionId: shell.sessionId, shellId: shell.shellId };
const adapter = codexAdapter();

/** An agent of this test's own process, which runs, or of one that had its id before. */
function found({ startKey = String(processStart(process.pid)), pane = 0 } = {}): FoundAgent {
  const info = processInfo({ pid: process.pid, startKey, ...(pane > 0 && { pane }) });
  return {
    id: `${process.pid}/${startKey}`,
    adapter,
    process: info,
    launched: info,
    launchedAt: 1,
    recognition: "certain",
  };
}

function running(one: FoundAgent, parent?: FoundAgent): RunningAgents {
  const agents = new RunningAgents({
    quotas: new Quotas({ store: { windows: () => [], putWindow: () => undefined }, log: () => undefined }),
    clock: systemClock,
    onNew: () => undefined,
  });
  const all = parent === undefined ? [one] : [parent, { ...one, startedBy: parent.id }];
  agents.track(all.map((each) => ({ shell, one: each })));
  return agents;
}

const parent: FoundAgent = { ...found({ startKey: "1" }), id: "parent" };

test("an agent that was put into the background runs on, although it is below no shell any more", () => {
  const agents = running(found());
  expect(agents.outliving(runs, [shell])).toMatchObject([{ shell: ref, one: { id: found().id } }]);
});

test("what an agent has started runs on without its shell; what a person has started ends with it", () => {
  expect(running(found()).outliving(runs, [])).toEqual([]);
  expect(running(found()).outliving(new Map(), [shell]), "its shell has just ended").toEqual([]);
  expect(running(found(), parent).outliving(runs, [])).toMatchObject([{ shell: ref, one: { id: found().id } }]);
});

test.each([
  ["whose id another process has now", found({ startKey: "1" }), runs],
  ["that has become another program", found(), new Map([[shell.pid, [{ pid: process.pid }]]])],
  ["whose pane the shell no longer shows", found({ pane: 9 }), runs],
])("an agent %s is gone", (_what, one, below) => {
  expect(running(one).outliving(below, [shell])).toEqual([]);
});
