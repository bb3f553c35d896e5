import { expect, test } from "vitest";
import { SessionId } from "../../../../core/protocol/ids.ts";
import { qwenAdapter } from "../../../../main/agents/adapters/qwen.ts";
import { Ledger } from "../../../../main/agents/ledger.ts";
import { SessionAccount } from "../../../../main/agents/session-account.ts";
import { TranscriptReader } from "../../../../main/agents/transcript-reader.ts";
import { paperAgent } from "../../../support/paper-agent.ts";

/** An agent whose transcript ends with an error. */
function failedWith(detail: string) {
  const agent = paperAgent(SessionId.parse("agents-test-session"), 1);
  const price = () => ({ cost: 0, basis: "listed" as const });
  const reader = new TranscriptReader(qwenAdapter(), "/not/there", "a", "usage", { problem: () => undefined });
  agent.account = new SessionAccount(new Ledger("openai", price, new Set(), []), reader);
  agent.account.status = { status: "error", at: new Date(1000).toISOString(), detail };
  return agent.record(2000);
}

test("a file of the agent's own that says that it works is not believed without a sign of work for 30 s", () => {
  const agent = paperAgent(SessionId.parse("agents-test-session"), 1);
  const reported = { status: "working", detail: "busy", at: 5000 } as const;
  agent.joined = { sessionId: "a", home: "/home/u/.claude", cwd: "/work", reported };
  expect(agent.record(34_999)).toMatchObject({ state: "working", reason: { source: "agent-file" } });
  expect(agent.record(35_000).state).toBe("unknown");
  agent.showsWork(34_000);
  expect(agent.record(35_000).state).toBe("working");
});

test("an error of the transcript is one line", () => {
  expect(failedWith("429\ntoo many requests").message).toBe("429 too many requests");
});

test("a long error is cut with an ellipsis, and not within a character", () => {
  expect(failedWith("x".repeat(2048)).message).toBe("x".repeat(2048));
  expect(failedWith("x".repeat(2049)).message).toBe(`${"x".repeat(2047)}…`);
  expect(failedWith(`${"x".repeat(2046)}😀😀`).message).toBe(`${"x".repeat(2046)}…`);
});
