import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type FleetLab, PASSING_HEADERS, startFleetLab } from "../../../../support/fleet-lab.ts";
import type { Answer, RequestOptions, TestRelay } from "../../../../support/test-relay.ts";
import { until } from "../../../../support/until.ts";

let lab: FleetLab;
let laptop: TestRelay;
let box: TestRelay;

beforeAll(async () => {
  lab = await startFleetLab(["laptop", "box"], { commandTimeoutMs: 2_000 });
  laptop = lab.relay("laptop");
  box = lab.relay("box");
});
afterAll(async () => {
  await lab?.[Symbol.asyncDispose]();
});

/** Calls for a session of the box at the laptop, with the box's key. */
function foreign(method: string, path: string, { headers = {}, ...options }: RequestOptions = {}): Promise<Answer> {
  return laptop.request(method, path, { ...options, headers: { "X-Service-Token": box.key, ...headers } });
}

/** Both ways' answers to one request, of a moment in which the session did not change: facts of a shell do by themselves. */
function bothWays(method: string, path: string, options?: RequestOptions) {
  return until("a session that stays the same", async () => {
    const direct = await box.request(method, path, options);
    const other = await foreign(method, path, options);
    const after = await box.request(method, path, options);
    return direct.text === after.text ? { direct, other } : undefined;
  });
}

function sessionPath(below: string): string {
  return `/v1/sessions/${box.session}${below}`;
}

describe("a request through another relay", () => {
  test("has the result and the headers of the direct one, and names the relay", async () => {
    await using _client = await box.join();
    const body = { method: "getSession", params: {} };
    const { direct, other } = await bothWays("POST", sessionPath("/remote/command"), { body });
    expect([other.status, other.text]).toEqual([200, direct.text]);
    expect(plainHeaders(other)).toEqual(plainHeaders(direct));
    expect(other.headers.get("x-service-relay")).toBe("box");
    expect(other.headers.get("x-service-client")).toMatch(/^\d+$/);
  });

  test.each(["layout", "tiles", "workspaces", "shells", "users", "agents", "chat", "tunnels"])(
    "has the same %s as a getter",
    async (getter) => {
      await using _client = await box.join();
      const { direct, other } = await bothWays("GET", sessionPath(`/remote/${getter}`));
      expect([other.status, other.text]).toEqual([200, direct.text]);
    },
  );

  test("changes the session where it is, and stands in that relay's audit log only", async () => {
    await using _client = await box.join();
    const entries = async (relay: TestRelay) =>
      (JSON.parse((await relay.request("GET", "/v1/audit")).text) as { result: AuditRow[] }).result;
    const isChat = ({ action }: AuditRow) => action === "sendChat";
    const before = (await entries(box)).filter(isChat).length;
    const body = { method: "sendChat", params: { message: "from afar" } };
    expect((await foreign("POST", sessionPath("/remote/command"), { body })).status).toBe(200);
    expect(await box.command("getChat")).toContainEqual(expect.objectContaining({ text: "from afar" }));
    const [newest, ...older] = (await entries(box)).filter(isChat);
    expect(newest).toMatchObject({ from: "fleet laptop", who: "test", outcome: "ok" });
    expect(older).toHaveLength(before);
    expect((await entries(laptop)).filter(({ session }) => session === box.session)).toEqual([]);
  });

  test("is executed as a call, and what is none goes to that relay's HTTP", async () => {
    await using _client = await box.join();
    const opened = vi.spyOn(box.relay, "open");
    try {
      const body = { method: "getSession", params: {} };
      expect((await foreign("POST", sessionPath("/remote/command"), { body })).status).toBe(200);
      expect(opened).not.toHaveBeenCalled();
      expect((await foreign("GET", sessionPath("/questions"))).status).toBe(200);
      expect(opened).toHaveBeenCalledOnce();
    } finally {
      opened.mockRestore();
    }
  });

  test.each([
    ["no key", { headers: { "X-Service-Token": "" } }],
    ["a wrong key", { headers: { "X-Service-Token": "pb_wrong" } }],
    ["an unknown method", { body: { method: "getLayuot", params: {} } }],
    ["wrong parameters", { body: { method: "setRatio", params: { ratio: 7 } } }],
    ["text that is no JSON", { body: "{" }],
    ["a body that is too large", { body: { method: "sendChat", params: { message: "x".repeat(1_100_000) } } }],
    ["a timeout that is none", { headers: { "X-Service-Timeout": "soon" } }],
  ])("is refused as the direct one is: %s", async (_what, options) => {
    await using _client = await box.join();
    const request = { body: { method: "getSession", params: {} }, ...options };
    const direct = await box.request("POST", sessionPath("/remote/command"), request);
    const other = await foreign("POST", sessionPath("/remote/command"), request);
    expect([other.status, other.text]).toEqual([direct.status, direct.text]);
    expect(plainHeaders(other)).toEqual(plainHeaders(direct));
    expect(direct.status).toBeGreaterThanOrEqual(400);
  });

  test.each([
    ["PUT", "/remote/layout"],
    ["GET", "/nothing"],
    ["GET", "/remote/layout?client=x"],
    ["GET", "/questions"],
    ["GET", "/invites"],
    ["GET", "/clients"],
  ])("is answered as the direct one: %s %s", async (method, below) => {
    await using _client = await box.join();
    const direct = await box.request(method, sessionPath(below));
    const other = await foreign(method, sessionPath(below));
    expect([other.status, other.text]).toEqual([direct.status, direct.text]);
    expect(plainHeaders(other)).toEqual(plainHeaders(direct));
  });

  test("without a client of the session is 504 after the timeout, as the direct one", async () => {
    const other = await foreign("GET", sessionPath("/remote/layout"), { headers: { "X-Service-Timeout": "0.3" } });
    expect([other.status, other.headers.get("x-service-error")]).toEqual([504, "no_client"]);
  });

  test("carries a body and an answer of several pieces", async () => {
    await using _client = await box.join();
    const message = "ä".repeat(4_000);
    for (let count = 0; count < 60; count++) await box.command("sendChat", { message });
    const direct = await box.request("GET", sessionPath("/remote/chat"));
    const other = await foreign("GET", sessionPath("/remote/chat"));
    expect(direct.text.length).toBeGreaterThan(200_000);
    expect(other.text).toBe(direct.text);
    const { shellId } = await box.command<{ shellId: number }>("createShell", {});
    const data = "x".repeat(600_000);
    const body = { method: "writeToShell", params: { id: shellId, data } };
    expect((await foreign("POST", sessionPath("/remote/command"), { body })).status).toBe(200);
  });

  test("brings a key that the relay does not search for among its own", async () => {
    await using _client = await box.join();
    const verify = vi.spyOn(laptop.relay.keys, "verify");
    try {
      expect((await foreign("GET", sessionPath("/remote/layout"))).status).toBe(200);
      expect(verify).not.toHaveBeenCalled();
    } finally {
      verify.mockRestore();
    }
  });

  test("waits in the session for as long as the direct one", async () => {
    await using _client = await box.join();
    const { shellId } = await box.command<{ shellId: number }>("createShell", {});
    const waits = vi.spyOn(box.relay.sessions.get(box.session).budgets, "wait");
    const body = { method: "waitFor", params: { id: shellId, text: "l.ng awaited", timeout: 30 } };
    const waiting = foreign("POST", sessionPath("/remote/command"), { body });
    await until("the wait to begin", () => waits.mock.calls.length > 0);
    await box.command("writeToShell", { id: shellId, data: "echo 'long 'awaited\n" });
    const { status, text } = await waiting;
    expect([status, text]).toEqual([200, expect.stringContaining("long awaited")]);
  });

  test("is executed once for an idempotency key, by whichever relay it comes", async () => {
    await using _client = await box.join();
    const body = { method: "sendChat", params: { message: "once only" } };
    const headers = { "Idempotency-Key": "through-both" };
    const first = await foreign("POST", sessionPath("/remote/command"), { body, headers });
    const second = await box.request("POST", sessionPath("/remote/command"), { body, headers });
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.headers.get("idempotency-replayed")).toBe("true");
    expect(second.text).toBe(first.text);
    const chat = await box.command<{ text: string }[]>("getChat");
    expect(chat.filter(({ text }) => text === "once only")).toHaveLength(1);
  });
});

describe("the list of sessions", () => {
  test("has those of every relay that accepts the key, with the relay's name", async () => {
    const listed = await foreign("GET", "/v1/sessions");
    expect(listed.status).toBe(200);
    expect(JSON.parse(listed.text).result).toMatchObject([{ id: box.session, relay: "box" }]);
    const own = await laptop.request("GET", "/v1/sessions");
    const ids = (JSON.parse(own.text).result as { id: string }[]).map(({ id }) => id);
    expect(ids).toEqual([laptop.session]);
    const nobody = await laptop.request("GET", "/v1/sessions", { headers: { "X-Service-Token": "pb_nobody" } });
    expect(nobody.status).toBe(401);
  });

  test("has a session of another relay as soon as it is made, and not when it is closed", async () => {
    const made = await box.request("POST", "/v1/sessions", { body: { name: "fresh" } });
    const { id } = JSON.parse(made.text).result as { id: string };
    const isListed = async () => (await foreign("GET", "/v1/sessions")).text.includes(id);
    await until("the session to be listed", isListed);
    expect((await foreign("DELETE", `/v1/sessions/${id}`)).status).toBe(200);
    await until("the session to be gone", async () => !(await isListed()));
  });
});

test("the state of the fleet names every relay", async () => {
  const { result } = JSON.parse((await laptop.request("GET", "/v1/fleet")).text);
  expect(result).toMatchObject({ state: "joined", owner: "tester", name: "laptop", problem: null, conflicts: [] });
  expect(result.members).toMatchObject([
    { name: "laptop", state: "present", isSelf: true },
    { name: "box", state: "present", isSelf: false, awaySince: null },
  ]);
});

test("the metrics count what is passed on, and the relays that are there", async () => {
  await foreign("GET", sessionPath("/clients"));
  const { text } = await laptop.request("GET", "/v1/metrics");
  expect(text).toMatch(/^patchbay_fleet_requests_total\{direction="out",outcome="ok"\} [1-9]\d*$/m);
  expect(text).toMatch(/^patchbay_fleet_members 2$/m);
  const { text: served } = await box.request("GET", "/v1/metrics");
  expect(served).toMatch(/^patchbay_fleet_requests_total\{direction="in",outcome="ok"\} [1-9]\d*$/m);
});

interface AuditRow {
  readonly action: string;
  readonly session: string | null;
}

/** Headers without those that differ between any two answers. */
const OWN_HEADERS = ["date", "keep-alive", "connection", ...PASSING_HEADERS];

function plainHeaders({ headers }: Answer): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => !OWN_HEADERS.includes(name)));
}
