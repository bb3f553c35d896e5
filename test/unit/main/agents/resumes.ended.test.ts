import Database from "libsql";
import { expect, onTestFinished, test } from "vitest";
import { SessionId, ShellId } from "../../../../core/protocol/ids.ts";
import { Resumes } from "../../../../main/agents/resumes.ts";
import { agentMigrations, usageStore } from "../../../../main/agents/usage-store.ts";

const session = SessionId.parse("session-one");
const shellId = ShellId.parse(1);
const AGENT_ENDED = Date.UTC(2026, 0, 1, 12);

function resumesWith(endedAt: number | undefined): Resumes {
  const database = new Database(":memory:");
  onTestFinished(() => void database.close());
  for (const sql of agentMigrations) database.exec(sql);
  const store = usageStore(database);
  const startedAt = new Date(AGENT_ENDED - 60_000).toISOString();
  store.recordRun({
    ...{ session, shellId, agentType: "claude", sessionId: "one", home: "/home", cwd: "/work", model: "m" },
    ...{ startedAt, lastActivityAt: startedAt },
    endedAt: endedAt === undefined ? undefined : new Date(endedAt).toISOString(),
  });
  return new Resumes({
    store,
    adapters: [],
    live: { runs: () => [] },
    conversations: {
      page: () => {
        throw new Error("no transcript");
      },
      locate: () => {
        throw new Error("no transcript");
      },
    },
  });
}

test.each([
  ["that ran on", undefined, AGENT_ENDED, true],
  ["that ended a moment before its shell", AGENT_ENDED, AGENT_ENDED + 1000, true],
  ["that was seen to have ended a moment after its shell", AGENT_ENDED, AGENT_ENDED - 1000, true],
  ["that ended a while before its shell", AGENT_ENDED, AGENT_ENDED + 60_000, false],
  ["that ended before the clock was set back, and its shell after that", AGENT_ENDED, AGENT_ENDED - 3_600_000, false],
  ["that ended before its shell did at an unknown time", AGENT_ENDED, undefined, false],
])("the conversation of an agent %s is offered if they ended together", async (_, agent, shell, isOffered) => {
  const ended = shell === undefined ? undefined : new Date(shell).toISOString();
  const offered = await resumesWith(agent).list(session, shellId, ended);
  expect(offered.map(({ sessionId }) => sessionId)).toEqual(isOffered ? ["one"] : []);
});
