import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { liveAgent, TurnStops } from "../../../../../main/relay/budgets/turn-stops.ts";
import { GovernorBench } from "./governor-bench.ts";

let bench: GovernorBench;
let stops: TurnStops;
let settled: (readonly [state: string, evidence: string])[];
let withoutTerminal: string[];
beforeEach(async () => {
  bench = await GovernorBench.open();
  vi.useFakeTimers();
  settled = [];
  withoutTerminal = [];
  stops = new TurnStops({
    interruptKeys: (kind) => (kind === "claude" ? "\u001b" : undefined),
    stopTurn: async (_, id) => {
      withoutTerminal.push(id);
      throw new Error("it has ended");
    },
    session: (id) => (id === bench.session.id ? bench.session : undefined),
  });
});
afterEach(async () => {
  stops[Symbol.dispose]();
  vi.useRealTimers();
  await bench[Symbol.asyncDispose]();
});

const CONFIRMED = ["confirmed", "no agent of this budget is in a turn"];
const stop = (...shells: number[]) =>
  stops.stop(
    shells.map((shell) => bench.place(shell)),
    (...settling) => settled.push(settling),
  );
const written = () => vi.spyOn(bench.session.shells, "write").mockResolvedValue({ queued: 0 });

test("the keys are typed where an agent is in a turn, and it has stopped when all have", () => {
  const write = written();
  bench.tell(1, "working");
  bench.tell(2, "waiting");
  stop(1, 2);
  expect(write.mock.calls).toEqual([
    [1, "\u001b"],
    [2, "\u001b"],
  ]);
  bench.tell(1, "idle");
  stops.look();
  expect(settled).toEqual([]);
  bench.tell(2, "ended");
  stops.look();
  stops.look();
  expect(settled).toEqual([CONFIRMED]);
  vi.advanceTimersByTime(60_000);
  expect(settled).toHaveLength(1);
});

test("an agent of which nothing is known counts as in a turn", () => {
  const write = written();
  bench.tell(1, "unknown");
  stop(1);
  expect([write.mock.calls, settled]).toEqual([[[1, "\u001b"]], []]);
});

test("where no agent is in a turn nothing is typed, and it is confirmed at once", () => {
  const write = written();
  bench.tell(1, "idle");
  stop(1, 2);
  expect([write.mock.calls, settled]).toEqual([[], [CONFIRMED]]);
  // Where none is in the terminal, its turn may go on without it.
  expect(withoutTerminal).toEqual([bench.place(2).sessionId]);
});

test("a turn that another begins later is not waited for", () => {
  written();
  bench.tell(1, "working");
  bench.tell(2, "idle");
  stop(1, 2);
  bench.tell(2, "working");
  bench.tell(1, "idle");
  stops.look();
  expect(settled).toEqual([CONFIRMED]);
});

test("an agent that works on is told after ten seconds, and it may stop still", () => {
  written();
  bench.tell(1, "working");
  stop(1);
  vi.advanceTimersByTime(9_999);
  expect(settled).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(settled).toEqual([["unconfirmed", "an agent works on"]]);
  bench.tell(1, "idle");
  stops.look();
  expect(settled[1]).toEqual(CONFIRMED);
});

test("nothing is typed into a pane of tmux, for an agent without such keys, or after a shell's end", async () => {
  const write = written();
  write.mockRejectedValue(new Error("the shell has ended"));
  bench.tell(1, "working", { inPane: true });
  bench.tell(2, "working", { agentType: "other" });
  stops.stop([bench.place(1), { ...bench.place(2), agentType: "other" }], () => undefined);
  expect(write).not.toHaveBeenCalled();
  bench.tell(1, "working");
  stop(1);
  await vi.advanceTimersByTimeAsync(0);
  expect(write).toHaveBeenCalledTimes(1);
});

test("after its end nothing is settled", () => {
  written();
  bench.tell(1, "working");
  stop(1);
  stops[Symbol.dispose]();
  bench.tell(1, "idle");
  stops.look();
  vi.advanceTimersByTime(60_000);
  expect(settled).toEqual([]);
});

test("an agent is live where it was seen, under its kind and session", () => {
  bench.tell(1, "idle");
  const place = bench.place(1);
  expect(liveAgent(bench.session, place)).toMatchObject({ sessionId: "agent-1" });
  for (const other of [{ sessionId: "x" }, { agentType: "x" }, { shellId: bench.place(2).shellId }])
    expect(liveAgent(bench.session, { ...place, ...other })).toBeUndefined();
  expect(liveAgent(undefined, place)).toBeUndefined();
});
