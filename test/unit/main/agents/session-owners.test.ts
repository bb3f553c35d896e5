import { expect, test } from "vitest";
import { SessionId, ShellId } from "../../../../core/protocol/ids.ts";
import type { SessionEvidence } from "../../../../main/agents/session-evidence.ts";
import { SessionOwners } from "../../../../main/agents/session-owners.ts";
import type { AgentRun } from "../../../../main/agents/usage-store.ts";
import { paperAgent } from "../../../support/paper-agent.ts";

const session = SessionId.parse("agents-test-session");

const run = (sessionId: string, shell: number): AgentRun => ({
  ...{ session, shellId: ShellId.parse(shell), agentType: "qwen", sessionId, model: "" },
  ...{ home: "/home", cwd: "/work", startedAt: "2026-01-01T00:00:00.000Z" },
  lastActivityAt: "2026-01-01T00:00:00.000Z",
});

test("from when on a proof counts is asked of the evidence", () => {
  const agent = paperAgent(session, 1);
  const shownIn: SessionEvidence["shownIn"] = (_agent, _near, _id, since) => (since === 5 ? "here" : undefined);
  const owners = new SessionOwners({ runs: () => [] }, { shownIn });
  const request = owners.joinRequest(agent, [agent], "/work", 0);
  expect(request.shownIn("s", 5)).toBe("here");
  expect(request.shownIn("s", 6)).toBeUndefined();
  expect(request.shownIn("s")).toBeUndefined();
});

test("the runs are read once for all agents and transcripts of a poll, and anew in the next one", async () => {
  let reads = 0;
  let runs = [run("first", 1), run("second", 2)];
  const store = {
    runs: () => {
      reads += 1;
      return runs;
    },
  };
  const owners = new SessionOwners(store, { shownIn: () => undefined });
  const agents = [paperAgent(session, 1), paperAgent(session, 2), paperAgent(session, 3)];
  const seen = (id: string) => agents.map((one) => owners.joinRequest(one, agents, "/work", 0).seenIn?.(id));
  expect(seen("first")).toEqual(["here", "elsewhere", "elsewhere"]);
  expect(seen("second")).toEqual(["elsewhere", "here", "elsewhere"]);
  for (let number = 0; number < 500; number += 1) expect(seen(`s${number}`)).toEqual([undefined, undefined, undefined]);
  expect(reads).toBe(1);
  await new Promise((resolve) => setImmediate(resolve));
  runs = [run("first", 3)];
  expect(seen("first")).toEqual(["elsewhere", "elsewhere", "here"]);
  expect(reads).toBe(2);
});
