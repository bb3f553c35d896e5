import { describe, expect, test } from "vitest";
import { AgentProcess } from "../../cli/acp/agent-process.ts";
import { PermissionRequests } from "../../cli/acp/permission-requests.ts";
import { bounded } from "../../cli/acp/relay-reports.ts";
import { until } from "../support/until.ts";

const options = [
  { optionId: "yes", name: "Yes", kind: "allow_once" },
  { optionId: "no", name: "No", kind: "reject_once" },
];
const request = { toolCall: { toolCallId: "t", title: "rm -rf /" }, options };

/** The terminal and the relay, each of which answers when the test says so. */
function answerers() {
  const terminal: ((place: number | undefined) => void)[] = [];
  const relay: ((option: string | undefined) => void)[] = [];
  const told: unknown[] = [];
  const requests = new PermissionRequests({
    view: {
      print: () => undefined,
      stream: () => undefined,
      endStream: () => undefined,
      choose: () => new Promise((resolve) => terminal.push(resolve)),
      queued: () => undefined,
      state: () => undefined,
    },
    reports: {
      ask: () => new Promise((resolve) => relay.push(resolve)),
      tell: async (report) => void told.push(report),
    },
    sessionId: "own",
    cwd: "/work",
    titleOf: () => undefined,
    changed: () => undefined,
  });
  return { requests, terminal, relay, told };
}

/** Sends its lines to the client one after the other, and writes what was answered to its error output. */
const HOSTILE = `
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const asks = [
  ["fs/read_text_file", { sessionId: "s", path: "/etc/passwd" }],
  ["fs/write_text_file", { sessionId: "s", path: "/tmp/out-of-the-folder", content: "x" }],
  ["terminal/create", { sessionId: "s", command: "id" }],
  ["session/request_permission", { sessionId: "another", toolCall: { toolCallId: "t" }, options: ${JSON.stringify(options)} }],
];
let rest = "";
process.stdin.on("data", (data) => {
  const lines = (rest + data).split("\\n");
  rest = lines.pop();
  for (const line of lines) {
    const { id, method, error, result } = JSON.parse(line);
    if (method === "initialize") say({ id, result: { protocolVersion: 1, agentCapabilities: {} } });
    else if (method === "session/new") {
      say({ id, result: { sessionId: "s" } });
      const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "not of this session" } };
      say({ method: "session/update", params: { sessionId: "another", update } });
      asks.forEach(([method, params], index) => say({ id: 100 + index, method, params }));
    } else if (method === undefined) {
      process.stderr.write(id + "=" + (error === undefined ? "granted" : error.code) + "\\n");
      if (id === 100 + asks.length - 1) {
        process.stdout.write('"' + "x".repeat(17 * 1024 * 1024));
      }
    }
  }
});
`;

describe("an agent that speaks by the protocol", () => {
  test("acts on a permission only by an answer that was given, and by the first one", async () => {
    const { requests, terminal, relay, told } = answerers();
    let settled = false;
    const asked = requests.ask(request, new AbortController().signal).finally(() => {
      settled = true;
    });
    await until("both to be asked", () => terminal.length === 1 && relay.length === 1);
    // No option of this request, and an answerer that has none.
    relay[0]?.("always");
    terminal[0]?.(7);
    await new Promise((resolve) => setImmediate(resolve));
    expect(settled).toBe(false);
    await requests.cancel();
    expect(await asked).toEqual({ outcome: "cancelled" });

    const second = requests.ask(request, new AbortController().signal);
    await until("both to be asked again", () => terminal.length === 2 && relay.length === 2);
    terminal[1]?.(1);
    relay[1]?.("yes");
    expect(await second).toEqual({ outcome: "selected", optionId: "no" });
    expect(told.filter((report) => JSON.stringify(report).includes('"settled"'))).toHaveLength(1);

    const taken = new AbortController();
    taken.abort();
    expect(await requests.ask(request, taken.signal)).toEqual({ outcome: "cancelled" });
    expect(terminal).toHaveLength(2);
  });

  test("fills neither the screen nor the relay with what it asks", async () => {
    const { requests, terminal } = answerers();
    const all = Array.from({ length: 100 }, () => requests.ask(request, new AbortController().signal));
    await until("the questions", () => terminal.length > 0);
    expect(await Promise.all(all.slice(20))).toEqual(Array(80).fill({ outcome: "cancelled" }));
    expect(terminal).toHaveLength(20);
    await requests.cancel();
    let nested: unknown = "deep";
    for (let depth = 0; depth < 5000; depth += 1) nested = [nested];
    expect(JSON.stringify(bounded(nested)).length).toBeLessThan(100);
    const wide = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`${at}`.repeat(500), "x".repeat(50_000)]));
    expect(JSON.stringify(bounded(wide)).length).toBeLessThan(3_000_000);
  });

  test("gets no file, no terminal and no answer for another session, and is left when it sends without an end", async () => {
    const updates: unknown[] = [];
    const permissions: unknown[] = [];
    const agent = new AgentProcess([process.execPath, "-e", HOSTILE], process.cwd(), {
      update: (update) => void updates.push(update),
      permission: async (asked) => {
        permissions.push(asked);
        return { outcome: "selected", optionId: "yes" };
      },
      login: async () => undefined,
    });
    try {
      await agent.open(process.cwd());
      await until("its answers", () => agent.errors.split("\n").length === 4);
      expect(agent.errors.split("\n").sort()).toEqual(["100=-32601", "101=-32601", "102=-32601", "103=-32602"]);
      expect([permissions, updates]).toEqual([[], []]);
      await agent.ended;
    } finally {
      await agent.end();
    }
  });
});
