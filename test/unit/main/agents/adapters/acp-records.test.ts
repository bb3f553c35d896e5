import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { AgentEvent } from "../../../../../core/protocol/agent-records.ts";
import { acpAdapters } from "../../../../../main/agents/adapters/acp.ts";
import { AcpParser } from "../../../../../main/agents/adapters/acp-records.ts";
import type { ApiCall, TranscriptSink } from "../../../../../main/agents/adapters/adapter.ts";
import { Ledger } from "../../../../../main/agents/ledger.ts";
import { createPricing } from "../../../../../main/agents/pricing.ts";
import { AcpRecord, acpRecordFile, acpRunFile } from "../../../../../main/system/acp-record.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "acp-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** What a parser tells of records. */
function read(records: readonly unknown[]) {
  const [events, calls, skipped, contexts]: [AgentEvent[], ApiCall[], string[], unknown[]] = [[], [], [], []];
  const states: string[] = [];
  const sink: TranscriptSink = {
    call: (call) => void calls.push(call),
    event: (event) => void events.push(event),
    status: (status) => void states.push(status),
    model: () => undefined,
    reported: () => undefined,
    context: (context) => void contexts.push(context),
    windows: () => undefined,
    facts: () => undefined,
    skip: (reason) => void skipped.push(reason),
  };
  const parser = new AcpParser("events");
  for (const record of records) parser.record(record, false, sink);
  return { events, calls, skipped, states, contexts };
}

test("a record is for its user alone, and is read as it was written", () => {
  const record = new AcpRecord(folder);
  const file = acpRecordFile(folder, record.sessionId);
  const run = acpRunFile(folder, process.pid);
  for (const path of [file, run]) expect(statSync(path).mode & 0o777).toBe(0o600);
  record.add({ type: "model", text: "model-1" });
  record.add({ type: "user", text: "Do it" });
  record.add({ type: "thinking", text: "Hm" });
  record.add({ type: "tool", text: "touch a", call: "c", input: { command: "touch a" } });
  record.add({ type: "result", text: "made", call: "c", failed: false });
  record.add({ type: "assistant", text: "Done" });
  const tokens = { input: 3, cached: 2, cacheWrite: 0, output: 1 };
  record.add({
    type: "turn",
    text: "end_turn",
    calls: [
      { model: "", tokens },
      { model: "model-2", tokens },
    ],
  });
  record.add({ type: "usage", text: "", used: 10, size: 100 });
  record.add({ type: "error", text: "It broke" });
  record[Symbol.dispose]();
  expect(() => statSync(run)).toThrow();
  const lines = readFileSync(file, "utf8").trim().split("\n");
  const { events, calls, states, contexts, skipped } = read(lines.map((line): unknown => JSON.parse(line)));
  expect(events.map(({ type, text }) => `${type} ${text}`)).toEqual([
    "user_message Do it",
    "thinking Hm",
    "tool_call touch a",
    "tool_result made",
    "assistant_message Done",
    "error It broke",
  ]);
  expect(calls).toMatchObject([
    { model: "model-1", tokens },
    { model: "model-2", tokens },
  ]);
  expect([states, contexts, skipped]).toEqual([["working", "idle", "error"], [undefined, { used: 10, size: 100 }], []]);
});

test("a turn of one model costs what the agent says, of which the tokens may be those of the last call alone", () => {
  // As opencode 1.18.33 tells two turns of two calls and a cancelled one between them.
  const at = "2026-11-23T01:00:49.486Z";
  const tokens = { input: 13, cached: 15_000, cacheWrite: 1300, output: 80 };
  const none = { input: 0, cached: 0, cacheWrite: 0, output: 0 };
  const turn = (id: string, ...models: readonly { readonly model: string; readonly tokens: typeof tokens }[]) => ({
    id,
    at,
    type: "turn",
    text: "end_turn",
    calls: models,
  });
  const costs = (cost: number) => ({ id: `cost ${cost}`, at, type: "usage", text: "", used: 1, cost });
  const { calls } = read([
    { id: "m", at, type: "model", text: "claude-sonnet-4-6" },
    costs(0.0192),
    turn("first", { model: "", tokens }),
    turn("cancelled", { model: "", tokens: none }),
    costs(0.03),
    turn("second", { model: "", tokens }),
    costs(0.05),
    turn("of two models", { model: "one", tokens }, { model: "two", tokens }),
  ]);
  const own = calls.map(({ ownCost, isSeveral }) => [ownCost, isSeveral]);
  expect(own).toEqual([
    [0.0192, true],
    [undefined, undefined],
    [expect.closeTo(0.0108, 10), true],
    [undefined, undefined],
    [undefined, undefined],
  ]);
  const ledger = new Ledger(
    "",
    createPricing(() => []),
    new Set(),
  );
  for (const call of calls.slice(0, 1)) ledger.add(call);
  expect([...ledger.all()]).toMatchObject([{ cost: 0.0192, basis: "reported" }]);
  const prices = { input: 1, output: 1, cacheRead: 1, cacheWrite: 1, cacheWrite1h: 1 };
  const overrides = [{ provider: "anthropic", match: "claude-sonnet-4-6", prices }];
  const overridden = new Ledger(
    "",
    createPricing(() => overrides),
    new Set(),
  );
  for (const call of calls.slice(0, 1)) overridden.add(call);
  expect([...overridden.all()]).toMatchObject([{ basis: "override" }]);
});

test("whatever stands in a record, it is read or skipped", () => {
  const line = fc.oneof(
    fc.jsonValue(),
    fc.record({
      id: fc.string(),
      at: fc.string(),
      type: fc.constantFrom("user", "turn", "usage", "tool"),
      text: fc.jsonValue(),
      calls: fc.jsonValue(),
    }),
  );
  fc.assert(fc.property(fc.array(line), (records) => void read(records)));
});

test("its own program is an agent of the kind that it was started for, once its run is known", () => {
  const adapters = acpAdapters();
  const info = (argv: readonly string[], exe = "/usr/bin/node") => ({
    pid: 77,
    ppid: 1,
    startKey: "1",
    startedAt: 1_000_000,
    pgrp: 77,
    tty: "34816",
    comm: "node",
    stopped: false,
    exe: () => exe,
    exeSize: () => 0,
    argv: () => argv,
    cwd: () => "/project",
    openFiles: () => [],
    env: (name: string) => (name === "XDG_STATE_HOME" ? folder : undefined),
  });
  const kindIn = (exe: string, ...words: string[]) =>
    adapters.find((one) => one.recognise(info(["node", ...words], exe)) === "likely")?.kind;
  const kindOf = (...words: string[]) => kindIn("/usr/bin/node", ...words);
  expect(kindIn("/usr/bin/vim", "/app/dist/cli/main.js", "acp", "gemini")).toBeUndefined();
  expect(kindIn("/opt/patchbay", "--cli", "acp", "codex")).toBe("codex-acp");
  expect(kindOf("/app/dist/cli/main.js", "acp", "gemini")).toBe("gemini-acp");
  expect(kindOf("/app/dist/cli/main.js", "acp", "--", "gemini")).toBe("acp");
  expect(kindOf("/app/dist/cli/main.js", "agents", "start")).toBeUndefined();
  expect(kindOf("/app/other.js", "acp", "gemini")).toBeUndefined();
  const adapter = adapters.find(({ kind }) => kind === "acp");
  const join = (launchedAt: number) =>
    adapter?.join({
      process: info([]),
      launchedAt,
      cwd: "/project",
      known: undefined,
      aloneAt: () => true,
      shownIn: () => undefined,
      taken: () => false,
    });
  expect(join(1_000_000)).toBeUndefined();
  const record = new AcpRecord(`${folder}/patchbay/acp`);
  const sessionId = record.sessionId;
  writeFileSync(acpRunFile(`${folder}/patchbay/acp`, 77), JSON.stringify({ sessionId, startedAt: 1_000_400 }));
  expect(join(1_000_000)).toMatchObject({ sessionId, cwd: "/project" });
  // Left by an earlier process of the same id.
  expect(join(2_000_000)).toBeUndefined();
});
