import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { askMachine, findMachines } from "../../../../client/ask-machines.ts";
import { userOf } from "../../../../client/remote-machine.ts";
import { newRemoteId, Remotes } from "../../../../client/remotes.ts";
import { until } from "../../../support/until.ts";
import { ok, refuse, sessions, startFakeRelay } from "../fake-relay.ts";
import { runCli } from "../run-cli.ts";

let data = "";
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), "patchbay-cli-"));
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

test("on a terminal each machine has a heading and a table, and one that is away says since when", async () => {
  await using relay = await startFakeRelay(({ url }, response) => {
    if (url === "/v1/health") response.end(JSON.stringify({ ok: true, version: "1.2.3" }));
    else ok(response, [{ ...sessions[0], name: "work\u001b[2J" }]);
  });
  const remotes = new Remotes(data);
  const addedAt = "2026-11-21T04:00:00.000Z";
  remotes.add("box", { id: newRemoteId(), url: relay.url, addedAt });
  remotes.add("pi", { id: newRemoteId(), url: "http://127.0.0.1:1", addedAt });
  remotes.noteSeen("pi", new Date(2026, 10, 21, 4, 5, 6));
  const env = { PATCHBAY_DATA: data, SERVICE_TOKEN_BOX: "pb_box", NO_COLOR: "1" };
  const { code, out, err } = await runCli(["sessions", "--all"], { env, isTTY: true, columns: 120 });
  expect([code, err]).toEqual([0, ""]);
  expect(out.split("\n")).toEqual([
    `box  ${relay.url}`,
    expect.stringMatching(/^id +name +owner/),
    expect.stringContaining("work\\u001b[2J"),
    "",
    "pi  http://127.0.0.1:1",
    "away since 2026-11-21 04:05:06: pi (http://127.0.0.1:1) does not answer: nothing listens there.",
    "",
  ]);
});

test("questions are listed by machine and session; a session that is closed meanwhile or whose relay is away has none", async () => {
  const [session] = sessions;
  const question = { id: 12, session: session?.id, shellId: 3, agentType: "claude", title: "Bash: ls", state: "open" };
  const listed = [
    session,
    { ...session, id: "Fleet00012345678", relay: "desk", awaySince: "2026-11-21T04:05:06.000Z" },
    { ...session, id: "Closed0012345678" },
    { ...session, id: "Away000012345678", relay: "shed" },
  ];
  await using relay = await startFakeRelay(({ url }, response) => {
    if (url === "/v1/health") response.end(JSON.stringify({ ok: true, version: "1.2.3" }));
    else if (url === "/v1/sessions") ok(response, listed);
    else if (url.includes("Closed")) refuse(response, 404, "unknown_session", "Closed.");
    else if (url.includes("Away")) refuse(response, 504, "relay_away", "Away.");
    else ok(response, [question]);
  });
  new Remotes(data).add("box", { id: newRemoteId(), url: relay.url, addedAt: "2026-11-21T04:00:00.000Z" });
  const env = { PATCHBAY_DATA: data, SERVICE_TOKEN_BOX: "pb_box", NO_COLOR: "1" };
  const { code, out, err } = await runCli(["questions", "--all", "--closed"], { env });
  expect([code, err]).toEqual([0, ""]);
  expect(JSON.parse(out)[0].questions).toEqual([
    { machine: "box", ...question, session: "default" },
    { machine: "box", ...question, session: "desk/default", awaySince: "2026-11-21T04:05:06.000Z" },
  ]);
  const asked = relay.received.filter(({ url }) => url.includes("/questions"));
  expect(asked.every(({ url }) => url.endsWith("/questions?closed=true"))).toBe(true);
  const table = await runCli(["questions", "--all"], { env, isTTY: true, columns: 120 });
  expect(table.out.split("\n")[1]).toMatch(/^session +id +shellId +agentType +title +state/);
});

test("what is found in a conversation, which every session finds, is listed once; the same line in two shells is not", async () => {
  const [session] = sessions;
  const listed = ["orders", "docs"].map((name) => ({ ...session, id: `${name}-0000000000`, name }));
  const line = { at: "2026-11-21T04:05:06.000Z", line: "a needle", from: 2, length: 6, before: [], after: [] };
  const conversation = { agentType: "claude", agentSessionId: "a-1", title: "Needles" };
  const hits = [
    { in: "output", shellId: 1, offset: 8, ...line },
    { in: "conversations", id: "c-1", conversation, ...line },
    { in: "conversations", id: "c-2", conversation, ...line },
  ];
  await using relay = await startFakeRelay(({ url }, response) => {
    if (url === "/v1/health") response.end(JSON.stringify({ ok: true, version: "1.2.3" }));
    else ok(response, url === "/v1/sessions" ? listed : { hits, complete: true });
  });
  new Remotes(data).add("box", { id: newRemoteId(), url: relay.url, addedAt: "2026-11-21T04:00:00.000Z" });
  const env = { PATCHBAY_DATA: data, SERVICE_TOKEN_BOX: "pb_box", NO_COLOR: "1" };
  const { code, out, err } = await runCli(["search", "needle", "--all"], { env });
  expect([code, err]).toEqual([0, ""]);
  const rows: { in: string; session: string; id?: string }[] = JSON.parse(out)[0].search;
  expect(rows.map((row) => [row.in, row.session, row.id])).toEqual([
    ["output", "orders", undefined],
    ["conversations", "orders", "c-1"],
    ["conversations", "orders", "c-2"],
    ["output", "docs", undefined],
  ]);
});

test("a machine that accepts a connection and says nothing is away within 3 s, and the others do not wait for it", async () => {
  await using silent = await startFakeRelay(() => undefined);
  await using relay = await startFakeRelay((_request, response) =>
    response.end(JSON.stringify({ ok: true, version: "1.2.3", result: { user: "me" } })),
  );
  const remotes = new Remotes(data);
  for (const [name, url] of Object.entries({ silent: silent.url, box: relay.url })) {
    remotes.add(name, { id: newRemoteId(), url, addedAt: "2026-11-21T04:00:00.000Z" });
  }
  const env = { PATCHBAY_DATA: data, SERVICE_TOKEN_BOX: "pb_box", SERVICE_TOKEN_SILENT: "pb_silent" };
  const { machines } = findMachines({ env, local: false });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const answers = machines.map((machine) => askMachine(machine, userOf));
    expect(await answers[0]).toMatchObject({ machine: "box", state: "reachable", value: "me" });
    const late = answers[1]?.then(({ state }) => state);
    await until("the question", () => silent.received.length === 1);
    await vi.advanceTimersByTimeAsync(2499);
    expect(await Promise.race([late, "waits"])).toBe("waits");
    await vi.advanceTimersByTimeAsync(1);
    expect(await late).toBe("away");
  } finally {
    vi.useRealTimers();
  }
});

test("noting that a remote answers does not bring back one that was removed", () => {
  const remotes = new Remotes(data);
  remotes.add("box", { id: newRemoteId(), url: "http://127.0.0.1:1", addedAt: "2026-11-21T04:00:00.000Z" });
  remotes.remove("box");
  remotes.noteSeen("box");
  expect(remotes.list()).toEqual([]);
  expect(remotes.find("../../etc/passwd")).toBeUndefined();
});
