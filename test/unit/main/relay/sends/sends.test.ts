import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { RemoteError } from "../../../../../core/protocol/errors.ts";
import type { RelayEvent } from "../../../../../core/protocol/events.ts";
import { type Receipt, sendLimits } from "../../../../../core/protocol/receipts.ts";
import { erasesLine } from "../../../../../main/relay/sends/typing-guard.ts";
import { until } from "../../../../support/until.ts";
import { AGENT, ANN, agent, Bench, prompt, SHELL } from "./sends-bench.ts";

let bench: Bench;
beforeEach(() => {
  bench = new Bench();
});
afterEach(() => bench[Symbol.dispose]());

describe("the record of the agent", () => {
  test("two prompts with the same text need two records", async () => {
    bench.records = false;
    const first = bench.sends.send(SHELL, prompt("continue", { when: "now" }), ANN);
    await bench.reached(first.id, "echoed");
    const second = bench.sends.send(SHELL, prompt("continue", { when: "now" }), ANN);
    await bench.reached(second.id, "echoed");
    bench.record("user_message", "continue");
    await bench.reached(first.id, "accepted");
    expect(await bench.reached(second.id, "uncertain")).toMatchObject({ final: false });
    bench.record("user_message", "continue");
    expect((await bench.reached(second.id, "accepted")).history.map(({ state }) => state)).toEqual([
      ...["queued", "written", "echoed", "uncertain", "accepted"],
    ]);
  });

  test("an older message with the same text proves nothing, and neither does another text", async () => {
    bench.records = false;
    bench.record("user_message", "continue");
    await until("a later millisecond", () => Date.now() > Date.parse(bench.events[0]?.at ?? ""));
    const sent = bench.sends.send(SHELL, prompt("continue"), ANN);
    await bench.reached(sent.id, "echoed");
    bench.record("user_message", "my draft continue");
    await bench.reached(sent.id, "uncertain");
    expect(
      await until("the end", () => (bench.sends.get(sent.id).final ? bench.sends.get(sent.id) : undefined)),
    ).toMatchObject({
      state: "uncertain",
    });
  });

  test("nothing is typed for an agent in a pane of tmux", async () => {
    bench.agent = { ...agent("idle"), inPane: true };
    for (const when of ["idle", "now"] as const) {
      const sent = bench.sends.send(SHELL, prompt("continue", { when, guard: false }), ANN);
      const { reason, history } = await bench.reached(sent.id, "refused");
      expect([reason, history.at(-1)?.evidence]).toEqual(["unexpected_program", expect.stringContaining("tmux")]);
    }
    await expect(bench.guard.inspect({ shell: SHELL, account: "key ann", expect: "claude" })).resolves.toMatchObject({
      reason: "unexpected_program",
    });
    expect(bench.written).toEqual([]);
  });

  test("a prompt that waits in a working agent is not given up", async () => {
    bench.records = false;
    bench.change("working");
    const sent = bench.sends.send(SHELL, prompt("continue", { when: "now" }), ANN);
    const { history } = await bench.reached(sent.id, "echoed");
    const echoedAt = Date.parse(history.at(-1)?.at ?? "");
    await until("more than the time of an idle agent", () => Date.now() - echoedAt > 300);
    expect(bench.sends.get(sent.id).state).toBe("echoed");
    bench.record("user_message", "continue");
    bench.record("assistant_message", "Done.");
    await bench.reached(sent.id, "started");
  });
});

test("a prompt to be written now overtakes all that wait for the agent, which keep their order", async () => {
  bench.change("working");
  const [first, second] = ["first", "second"].map((text) => bench.sends.send(SHELL, prompt(text), ANN));
  await until("the reason", () => bench.sends.get(first?.id ?? 0).waitsFor);
  const stop = bench.sends.send(SHELL, prompt("stop!", { when: "now" }), ANN);
  await bench.reached(stop.id, "accepted");
  expect(bench.written).toEqual(["\u001b[200~stop!\u001b[201~", "\r"]);
  expect([first, second].map((sent) => bench.sends.get(sent?.id ?? 0).state)).toEqual(["queued", "queued"]);
  bench.change("idle");
  await bench.reached(second?.id ?? 0, "accepted");
  expect(bench.written.filter((data) => data !== "\r")).toEqual(
    ["stop!", "first", "second"].map((text) => `\u001b[200~${text}\u001b[201~`),
  );
});

describe("a restart", () => {
  test("keeps what is queued, and writes it once", async () => {
    bench.change("working");
    const sent = bench.sends.send(SHELL, prompt("later"), ANN);
    await until("the reason", () => bench.sends.get(sent.id).waitsFor);
    bench.sends[Symbol.dispose]();
    bench.open();
    expect(bench.sends.get(sent.id)).toMatchObject({ state: "queued", prompt: "later" });
    bench.change("idle");
    await bench.reached(sent.id, "accepted");
    expect(bench.written).toEqual(["\u001b[200~later\u001b[201~", "\r"]);
  });

  test("makes uncertain what was being written, also before its first step was recorded; a later record still counts", async () => {
    // As where the process is killed: the write never returns.
    bench.isKilled = true;
    const sent = bench.sends.send(SHELL, prompt("cut off"), ANN);
    await until("the paste", () => bench.written.length > 0);
    bench.isKilled = false;
    bench.open();
    expect(bench.sends.get(sent.id)).toMatchObject({
      state: "uncertain",
      history: expect.arrayContaining([expect.objectContaining({ evidence: expect.stringMatching(/restarted/) })]),
    });
    expect(bench.written).not.toContain("\r");
    bench.record("user_message", "cut off");
    await bench.reached(sent.id, "accepted");
  });
});

describe("what is in the way", () => {
  test("a question, a draft, another's lease, a spent budget: `now` is refused with the reason, `idle` waits", async () => {
    const obstacles: [Receipt["reason"], () => void, () => void][] = [
      [
        "question_open",
        () => Object.assign(bench, { isQuestionOpen: true }),
        () => Object.assign(bench, { isQuestionOpen: false }),
      ],
      ["draft_unsent", () => bench.guard.personTyped(SHELL, "dra"), () => bench.guard.personTyped(SHELL, "\r")],
      [
        "lease_held",
        () => bench.leases.take(SHELL, { account: "key bob", name: "bob", isAutomated: true }, 60),
        () => bench.leases.end(SHELL),
      ],
      [
        "budget_reached",
        () => Object.assign(bench, { isBudgetSpent: true }),
        () => Object.assign(bench, { isBudgetSpent: false }),
      ],
    ];
    for (const [reason, put, take] of obstacles) {
      put();
      const now = bench.sends.send(SHELL, prompt("now", { when: "now" }), ANN);
      expect(await bench.reached(now.id, "refused")).toMatchObject({ reason, final: true });
      const later = bench.sends.send(SHELL, prompt(`after ${reason}`), ANN);
      await until("the reason", () => bench.sends.get(later.id).waitsFor);
      take();
      await bench.reached(later.id, "accepted");
      bench.record("assistant_message", "Done.");
      await bench.reached(later.id, "started");
    }
  });

  test("a person's key between the paste and Enter: Enter is not pressed", async () => {
    bench.onWrite = () => bench.guard.personTyped(SHELL, "x");
    const sent = bench.sends.send(SHELL, prompt("some text"), ANN);
    const end = await bench.reached(sent.id, "uncertain");
    expect(end.history.at(-1)?.evidence).toMatch(/a person has typed .* Enter was not pressed/);
    expect(bench.written).toEqual(["\u001b[200~some text\u001b[201~"]);
    // What is left in the input is in the way of other prompts until a person has sent or erased it.
    bench.onWrite = () => undefined;
    const now = bench.sends.send(SHELL, prompt("other", { when: "now" }), ANN);
    expect(await bench.reached(now.id, "refused")).toMatchObject({ reason: "draft_unsent" });
    bench.guard.personTyped(SHELL, "\u0015");
    bench.screen = "> ";
    const next = bench.sends.send(SHELL, prompt("other", { when: "now" }), ANN);
    await bench.reached(next.id, "accepted");
  });

  test("a program's Ctrl-U ends what a prompt left in the input, but no draft of a person", async () => {
    const key = { shell: SHELL, account: AGENT.account };
    bench.records = false;
    bench.onWrite = (data) => {
      if (data === "\r") bench.screen = "> lost";
    };
    const lost = bench.sends.send(SHELL, prompt("lost", { when: "now" }), ANN);
    await bench.reached(lost.id, "uncertain");
    const held = bench.sends.send(SHELL, prompt("next"), ANN);
    await until("the reason", () => bench.sends.get(held.id).waitsFor?.includes("was not sent"));
    Object.assign(bench, { records: true, onWrite: () => undefined, screen: "> " });
    expect(bench.guard.obstacle(key)).toMatchObject({ reason: "draft_unsent" });
    expect(bench.guard.obstacle({ ...key, erases: true })).toBeUndefined();
    bench.guard.programErased(SHELL);
    await bench.reached(held.id, "accepted");

    bench.guard.personTyped(SHELL, "mine");
    bench.guard.programErased(SHELL);
    expect(bench.guard.obstacle({ ...key, erases: true })).toMatchObject({ reason: "draft_unsent" });
  });

  test.each([
    ["\u0015", true],
    ["\u0015\u0015", true],
    ["", false],
    ["\u0015y", false],
    ["\u0015\r", false],
  ])("input that only erases the line: %j is %s", (input, isErasing) => {
    expect(erasesLine(input)).toBe(isErasing);
  });

  test("a prompt that is still shown after Enter, until the agent has recorded it", async () => {
    bench.records = false;
    bench.onWrite = (data) => {
      if (data === "\r") bench.screen = "> slow";
    };
    const slow = bench.sends.send(SHELL, prompt("slow", { when: "now" }), ANN);
    await bench.reached(slow.id, "uncertain");
    bench.onWrite = () => undefined;
    const held = bench.sends.send(SHELL, prompt("next"), ANN);
    await until("the reason", () => bench.sends.get(held.id).waitsFor?.includes("was not sent"));
    bench.screen = "> ";
    bench.record("user_message", "slow");
    bench.records = true;
    await bench.reached(slow.id, "accepted");
    await bench.reached(held.id, "accepted");
  });

  test("a dialog that opens between the paste and Enter: Enter is pressed when it is answered", async () => {
    bench.onWrite = (data) => bench.change(data === "\r" ? "working" : "waiting");
    const sent = bench.sends.send(SHELL, prompt("some text"), ANN);
    await bench.reached(sent.id, "written");
    expect(bench.written).toHaveLength(1);
    bench.change("idle");
    await bench.reached(sent.id, "started");
    expect(bench.written).toHaveLength(2);
  });

  test("an agent may not type where a question is open, guarded or not", async () => {
    bench.isQuestionOpen = true;
    const sent = bench.sends.send(SHELL, prompt("yes", { when: "now", guard: false }), { ...ANN, byAgent: true });
    expect(await bench.reached(sent.id, "refused")).toMatchObject({ reason: "question_open" });
    expect(bench.written).toEqual([]);
  });

  test("a shell is restricted by the prompt of a restricted caller, once that is written", async () => {
    bench.isQuestionOpen = true;
    const restricted = { ...ANN, restrictsShell: true };
    const refused = bench.sends.send(SHELL, prompt("now", { when: "now" }), restricted);
    await bench.reached(refused.id, "refused");
    expect(bench.isRestricted).toBe(false);
    bench.isQuestionOpen = false;
    const sent = bench.sends.send(SHELL, prompt("now", { when: "now" }), restricted);
    await bench.reached(sent.id, "accepted");
    expect(bench.isRestricted).toBe(true);
  });

  test("a key that was revoked while its prompt waited", async () => {
    bench.change("working");
    const sent = bench.sends.send(SHELL, prompt("later"), ANN);
    bench.isPermitted = false;
    bench.change("idle");
    expect(await bench.reached(sent.id, "refused")).toMatchObject({ reason: "not_permitted" });
  });

  test("an agent that has ended while prompts waited for it", async () => {
    bench.change("working");
    const sent = bench.sends.send(SHELL, prompt("later"), ANN);
    const ended = agent("ended");
    bench.agent = undefined;
    bench.sends.heard({ type: "agent.ended", data: ended } as RelayEvent);
    expect(await bench.reached(sent.id, "refused")).toMatchObject({ reason: "agent_gone" });
    expect(() => bench.sends.send(SHELL, prompt("later"), ANN)).toThrow(
      expect.objectContaining({ code: "invalid_request" }),
    );
  });
});

test("a caller's queue, a shell's and the kept receipts are bounded; what is dropped is the oldest", async () => {
  bench.change("working");
  const ids = Array.from(
    { length: sendLimits.queuedPerCaller },
    (_, index) => bench.sends.send(SHELL, prompt(`${index}`), ANN).id,
  );
  expect(() => bench.sends.send(SHELL, prompt("one more"), ANN)).toThrow(
    expect.objectContaining({ code: "limit_reached" }),
  );
  for (const id of ids) bench.sends.cancel(id, ANN);
  for (let count = ids.length; count < sendLimits.keptFinal + 5; count++) {
    bench.sends.cancel(bench.sends.send(SHELL, prompt(`${count}`), ANN).id, ANN);
  }
  const kept = bench.sends.list({ all: true }).map(({ id }) => id);
  expect(kept).toHaveLength(sendLimits.keptFinal);
  expect(Math.min(...kept)).toBe(6);
  expect(bench.sends.list()).toEqual([]);
});

test("programs that fill the queue of a shell keep no person out of it", () => {
  bench.agent = agent("working");
  const most = { length: sendLimits.queuedPerShell };
  for (const [count] of Array.from(most).entries()) {
    bench.sends.send(SHELL, prompt(`${count}`), { ...AGENT, account: `shell session-1 ${2 + (count % 2)}` });
  }
  const refused = expect.objectContaining({ code: "limit_reached", message: expect.stringMatching(/for shell 1/) });
  const other = { ...AGENT, account: "key ci", byAgent: false };
  expect(() => bench.sends.send(SHELL, prompt("one more"), other)).toThrow(refused);
  expect(bench.sends.send(SHELL, prompt("from ann"), ANN).state).toBe("queued");
});

test("an agent changes its own prompts only, and a prompt with another text is its editor's", async () => {
  bench.agent = agent("working");
  const ours = bench.sends.send(SHELL, prompt("from ann"), ANN).id;
  const its = bench.sends.send(SHELL, prompt("from the agent"), AGENT).id;
  const refused = expect.objectContaining({ code: "scope_forbids" });
  for (const change of [{ text: "other" }, { position: 2 }, { when: "now" as const }, { expiresIn: 1 }])
    expect(() => bench.sends.edit(ours, change, AGENT)).toThrow(refused);
  expect(() => bench.sends.cancel(ours, AGENT)).toThrow(refused);
  expect(bench.sends.get(ours)).toMatchObject({ by: "ann", prompt: "from ann", state: "queued" });
  expect(bench.sends.edit(its, { text: "its other" }, AGENT).text).toBe("its other");
  expect(bench.sends.edit(its, { text: "from ann, too" }, ANN).by).toBe("ann");
  expect(() => bench.sends.cancel(its, AGENT)).toThrow(refused);
  // A program that is no agent may change what others wait for, and answers for what it writes.
  const program = { ...AGENT, byAgent: false };
  expect(bench.sends.edit(ours, { text: "rewritten" }, program)).toMatchObject({ by: "shell 2" });
  bench.change("idle");
  await bench.reached(ours, "accepted");
  expect(bench.isRestricted).toBe(true);
});

test("a prompt that expects what cannot be told is refused, not kept waiting", async () => {
  bench.infoFails = new RemoteError("invalid_params", "params.expect: the pattern takes too long.");
  const sent = bench.sends.send(SHELL, prompt("continue", { expect: "(a+)+$" }), ANN);
  expect(await bench.reached(sent.id, "refused")).toMatchObject({ reason: "unexpected_program", final: true });
  expect(bench.written).toEqual([]);
});

describe("the shell of a prompt", () => {
  const named = (shellId?: number, agentSessionId?: string) => () =>
    bench.sends.shellOf({ shellId: shellId as never, agentSessionId });

  test("is named, or that of the agent session that is", () => {
    expect(named(7)()).toBe(7);
    expect(named(undefined, bench.agent?.sessionId)()).toBe(SHELL);
  });

  test.each([
    [
      undefined,
      undefined,
      "invalid_params",
      "params: expected exactly one of shellId and agentSessionId, got neither.",
    ],
    [1, "x", "invalid_params", "params: expected exactly one of shellId and agentSessionId, got both."],
    [undefined, "x", "unknown_agent_session", 'No agent with the session "x" runs in this session\'s shells.'],
  ])("is not told by the shell %j and the session %j", (shell, session, code, message) => {
    expect(named(shell, session)).toThrow(expect.objectContaining({ code, message }));
  });

  test("is not that of an agent whose session is only assumed", () => {
    if (bench.agent !== undefined) bench.agent = { ...bench.agent, assumed: true };
    expect(named(undefined, bench.agent?.sessionId)).toThrow(
      /^Nothing proves yet that the agent in shell 1 works on the/,
    );
  });
});

describe("a wait for a receipt", () => {
  test("ends when its state is reached, also at once", async () => {
    const { id } = bench.sends.send(SHELL, prompt("one"), ANN);
    const waited = await bench.sends.waitFor(id, "accepted", 10_000);
    expect(["accepted", "started"]).toContain(waited.state);
    expect((await bench.sends.waitFor(id, "queued", 0)).id).toBe(id);
  });

  test("is refused when the state cannot be reached any more, with what happened", async () => {
    bench.change("working");
    const { id } = bench.sends.send(SHELL, prompt("one"), ANN);
    const waiting = bench.sends.waitFor(id, "accepted", 10_000);
    bench.sends.cancel(id, ANN);
    const refused = { code: "prompt_undelivered", message: `Prompt ${id} is refused (cancelled): cancelled by ann.` };
    await expect(waiting).rejects.toMatchObject(refused);
    await expect(bench.sends.waitFor(id, "accepted", 10_000)).rejects.toMatchObject(refused);
  });

  test("is told how far it came when the time is over", async () => {
    bench.change("working");
    const { id } = bench.sends.send(SHELL, prompt("one"), ANN);
    await expect(bench.sends.waitFor(id, "written", 50)).rejects.toMatchObject({
      code: "wait_timeout",
      message: expect.stringMatching(new RegExp(`^Prompt ${id} was not written within .*\\. It is queued`)),
    });
  });
});
