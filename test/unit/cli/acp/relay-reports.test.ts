import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { bounded, RelayReports, reported } from "../../../../cli/acp/relay-reports.ts";
import { until } from "../../../support/until.ts";

let server: ReturnType<typeof createServer>;
let reports: RelayReports;
let asked: {
  readonly key: string;
  readonly event: { readonly type: string; readonly call?: string };
  readonly end: (body: object) => void;
}[];

beforeEach(async () => {
  asked = [];
  server = createServer((request, response) => void take(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const env = { SERVICE_URL: `http://127.0.0.1:${port}`, SERVICE_SESSION: "s", SERVICE_TOKEN: "t" };
  reports = new RelayReports(env, "acp", "own");
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  const { key, event } = JSON.parse(Buffer.concat(pieces).toString());
  asked.push({ key, event, end: (body) => void response.end(JSON.stringify(body)) });
}

const types = () => asked.map(({ event }) => event.type);
const came = (count: number) => until("the reports", () => asked.length >= count);
const permission = { call: "1", cwd: "/", toolCall: { title: "x" }, options: [] };

test("a question is reported only when what was told before has arrived", async () => {
  void reports.tell({ type: "turn", session: "own" });
  const answered = reports.ask(permission);
  await came(1);
  expect(types()).toEqual(["turn"]);
  asked[0]?.end({});
  await came(2);
  expect(types()).toEqual(["turn", "permission"]);
  asked[1]?.end({ option: "allow" });
  expect(await answered).toBe("allow");
});

test("the end of a question is told until its own report has ended", async () => {
  const answered = reports.ask(permission);
  await came(1);
  const told = reports.tell({ type: "settled", session: "own", call: "1" });
  await came(2);
  asked[1]?.end({});
  await came(3);
  expect(types()).toEqual(["permission", "settled", "settled"]);
  asked[0]?.end({});
  asked[2]?.end({});
  await told;
  expect(await answered).toBeUndefined();
  expect(asked).toHaveLength(3);
});

test("outside of a shell nothing is reported, and nothing waits", async () => {
  const alone = new RelayReports({}, "acp", "own");
  expect(await alone.ask(permission)).toBeUndefined();
  await alone.tell({ type: "turn", session: "own" });
  await alone.end(1000);
  expect(asked).toEqual([]);
});

test("values of an agent are cut in length, number and depth", () => {
  const deep = { a: { a: { a: { a: { a: { a: { a: { a: { a: 1 } } } } } } } } };
  expect(JSON.stringify(bounded(deep))).toBe('{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":null}}}}}}}}');
  expect(bounded("x".repeat(30_000))).toHaveLength(20_000);
  expect(bounded(Array.from({ length: 200 }, () => 1))).toHaveLength(100);
  expect(
    Object.keys(bounded(Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`k${at}`, 1]))) as object),
  ).toHaveLength(100);
  expect(bounded([undefined, () => 1, Number.NaN])).toEqual([null, null, Number.NaN]);
});

test("a tool call is reported whole, or marked as cut", () => {
  const deep = { a: { a: { a: { a: { a: { a: { a: { a: { a: 1 } } } } } } } } };
  const long = { text: "x".repeat(60_000), many: Array.from({ length: 500 }, (_, at) => at), deep };
  expect(reported(long)).toEqual({ toolCall: long });
  let endless: unknown = 1;
  for (let level = 0; level < 50; level++) endless = [endless];
  for (const cut of [{ text: "x".repeat(600_000) }, endless, ["€".repeat(300_000)]])
    expect(reported(cut)).toMatchObject({ cut: true });
});

test("the keys of its questions cannot be guessed", async () => {
  for (const call of ["1", "2"]) void reports.ask({ ...permission, call });
  await came(2);
  const keys = asked.map(({ key }) => key);
  for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/);
  expect(new Set(keys).size).toBe(2);
});
