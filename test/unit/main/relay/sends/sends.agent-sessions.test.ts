import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Agent } from "../../../../../core/protocol/agent-records.ts";
import type { RelayEvent } from "../../../../../core/protocol/events.ts";
import { until } from "../../../../support/until.ts";
import { ANN, agent, Bench, prompt, SHELL } from "./sends-bench.ts";

let bench: Bench;
beforeEach(() => {
  bench = new Bench();
});
afterEach(() => bench[Symbol.dispose]());

describe("an agent that goes on to another session", () => {
  /** As after `/clear`. */
  const moveTo = (sessionId: string) => {
    bench.agent = { ...agent("idle"), sessionId };
    bench.sends.heard({ type: "agent.updated", data: bench.agent } as RelayEvent);
  };
  const laterInTheRun = () => vi.spyOn(performance, "now").mockReturnValue(performance.now() + 60_000);
  afterEach(() => vi.restoreAllMocks());

  test("gets no prompt for the session that it has left", async () => {
    laterInTheRun();
    bench.change("working");
    const named = bench.sends.send(SHELL, prompt("for a-1", { agentSessionId: "a-1" }), ANN);
    const toShell = bench.sends.send(SHELL, prompt("for the shell", { shellId: SHELL }), ANN);
    moveTo("");
    await until("the reason", () => bench.sends.get(named.id).waitsFor?.includes("another session"));
    moveTo("a-2");
    const { reason, history } = await bench.reached(named.id, "refused");
    expect([reason, history.at(-1)?.evidence]).toEqual(["agent_gone", "claude in shell 1 is in another session now"]);
    await bench.reached(toShell.id, "accepted");
    expect(bench.written.join("")).not.toContain("for a-1");
  });

  test("gets none at the end of the turn in which `/clear` was typed", async () => {
    laterInTheRun();
    bench.change("working");
    const named = bench.sends.send(SHELL, prompt("for a-1", { agentSessionId: "a-1" }), ANN);
    bench.change("idle");
    await until("the reason", () => bench.sends.get(named.id).waitsFor?.includes("may go on to another session"));
    moveTo("a-2");
    expect(await bench.reached(named.id, "refused")).toMatchObject({ reason: "agent_gone" });
    const next = bench.sends.send(SHELL, prompt("for a-2", { agentSessionId: "a-2" }), ANN);
    await bench.reached(next.id, "accepted");
    expect(bench.written.join("")).not.toContain("for a-1");
  });

  test("gets none after a restart of the relay either, once it was looked for", async () => {
    bench.change("working");
    const named = bench.sends.send(SHELL, prompt("for a-1", { agentSessionId: "a-1" }), ANN);
    bench.sends[Symbol.dispose]();
    bench.agent = { ...agent("idle"), sessionId: "a-2" };
    bench.open();
    await until("the reason", () => bench.sends.get(named.id).waitsFor?.includes("another session"));
    laterInTheRun();
    moveTo("a-2");
    expect(await bench.reached(named.id, "refused")).toMatchObject({ reason: "agent_gone" });
    expect(bench.written).toEqual([]);
  });
});

describe("an agent that ends before its session is known", () => {
  const unknown = (): Agent => ({ ...agent("idle"), sessionId: "" });
  const end = (sessionId: string) => {
    bench.agent = undefined;
    bench.sends.heard({ type: "agent.ended", data: { ...agent("ended"), sessionId } } as RelayEvent);
  };
  const sendAndEnd = async (sessionId: string) => {
    bench.agent = unknown();
    const { id } = bench.sends.send(SHELL, prompt("a last word"), ANN);
    await until("Enter", () => bench.written.includes("\r"));
    await until("its receipt", () => ["sent", "echoed"].includes(bench.sends.get(id).state));
    end(sessionId);
    return bench.sends.get(id).final ? bench.sends.get(id) : until("the end", () => finalOf(id));
  };
  const finalOf = (id: number) => (bench.sends.get(id).final ? bench.sends.get(id) : undefined);

  test("has accepted what is in the transcript that is known by its end", async () => {
    const { history } = await sendAndEnd("a-9");
    expect(history.map(({ state }) => state)).toContain("accepted");
  });

  test("is not said to have no record where none was found", async () => {
    expect(await sendAndEnd("")).toMatchObject({
      state: "uncertain",
      history: expect.arrayContaining([
        expect.objectContaining({ evidence: "the agent ended before its transcript was known" }),
      ]),
    });
  });
});

describe("two agents of a kind in a shell", () => {
  const other: Agent = { ...agent("idle"), sessionId: "b-1" };

  test("a prompt for one that is stopped waits until that goes on, and is not typed into the other", async () => {
    bench.change("working");
    const sent = bench.sends.send(SHELL, prompt("for a-1"), ANN);
    bench.agent = { ...agent("idle"), paused: true };
    bench.others = [other];
    bench.sends.heard({ type: "agent.updated", data: other } as RelayEvent);
    await until("the reason", () => bench.sends.get(sent.id).waitsFor?.includes("stopped in shell 1"));
    expect(bench.sends.send(SHELL, prompt("for the one in front"), ANN)).toMatchObject({ agentSessionId: "b-1" });
    expect(bench.written).toEqual([]);
    bench.others = [];
    bench.sends.heard({ type: "agent.ended", data: { ...other, state: "ended" } } as RelayEvent);
    bench.change("idle");
    await bench.reached(sent.id, "accepted");
  });

  test("the end of one refuses its prompts only", async () => {
    bench.change("working");
    const first = bench.sends.send(SHELL, prompt("for a-1"), ANN);
    bench.others = [other];
    const second = bench.sends.send(SHELL, prompt("for b-1", { agentSessionId: "b-1" }), ANN);
    bench.agent = undefined;
    bench.sends.heard({ type: "agent.ended", data: agent("ended") } as RelayEvent);
    expect(await bench.reached(first.id, "refused")).toMatchObject({ reason: "agent_gone" });
    await bench.reached(second.id, "accepted");
  });

  test("the end of one says nothing of what the other is writing", async () => {
    bench.records = false;
    const entered = () => bench.written.filter((data) => data === "\r").length;
    const first = bench.sends.send(SHELL, prompt("for a-1"), ANN);
    await until("Enter", () => entered() === 1);
    bench.others = [other];
    const second = bench.sends.send(SHELL, prompt("for b-1", { agentSessionId: "b-1" }), ANN);
    await until("Enter again", () => entered() === 2);
    bench.agent = undefined;
    bench.sends.heard({ type: "agent.ended", data: agent("ended") } as RelayEvent);
    await until("what the end says", () => bench.sends.get(first.id).final);
    expect(bench.sends.get(second.id).final).toBe(false);
    bench.record("user_message", "for b-1");
    await bench.reached(second.id, "accepted");
  });
});
