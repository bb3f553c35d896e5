import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Kvm } from "@nats-io/kv";
import { connect, type NatsConnection } from "@nats-io/transport-node";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import type { ShellId } from "../../core/protocol/ids.ts";
import { KEY_PROTOCOL } from "../../core/protocol/page-credentials.ts";
import { digestOf } from "../../main/relay/access/digest.ts";
import { Broker } from "../../main/relay/fleet/broker.ts";
import { type FleetCredentials, readCredentials } from "../../main/relay/fleet/credentials.ts";
import { createFleet } from "../../main/relay/fleet/fleet-files.ts";
import { decodeRequest, encodeFrame, encodeRequest, NO_KEY } from "../../main/relay/fleet/wire.ts";
import { questionOf } from "../support/asked-question.ts";
import { type FleetLab, startFleetLab } from "../support/fleet-lab.ts";
import { startBroker } from "../support/nats-server.ts";
import type { TestRelay } from "../support/test-relay.ts";
import { until } from "../support/until.ts";

let lab: FleetLab;
let laptop: TestRelay;
let box: TestRelay;

beforeAll(async () => {
  lab = await startFleetLab(["laptop", "box"], { commandTimeoutMs: 2_000 }, { members: ["liar"], edit: addOtherOwner });
  laptop = lab.relay("laptop");
  box = lab.relay("box");
});
afterAll(async () => {
  await lab?.[Symbol.asyncDispose]();
});

test("neither a key nor its digest crosses the broker", async () => {
  await using liar = await joinAs(lab.broker.credentialsOf("liar"));
  const seen = listen(liar, `patchbay.v1.tester.${box.session}.*`);
  await liar.connection.flush();
  await send("getSession");
  const page = new WebSocket(`${laptop.url}/v1/sessions/${box.session}/socket`.replace("http", "ws"), [
    KEY_PROTOCOL,
    box.key,
  ]);
  await once(page, "open");
  page.close();
  await until("the requests to be seen", () => seen.length > 1);
  const digest = digestOf(box.key);
  const bytes = Buffer.concat(seen.map(({ data }) => data));
  for (const secret of [box.key, digest, Buffer.from(digest, "base64url").toString("hex")]) {
    expect(bytes.includes(secret)).toBe(false);
  }
  expect(bytes.includes(Buffer.from(digest, "base64url"))).toBe(false);
});

test("a request that a member sends again is executed once, and its answer goes to the relay that made it only", async () => {
  await using _client = await box.join();
  await using liar = await joinAs(lab.broker.credentialsOf("liar"));
  const requests = listen(liar, `patchbay.v1.tester.${box.session}.*`);
  const answers = listen(liar, `${liar.inbox}.>`);
  await liar.connection.flush();
  expect((await send("sendChat", { message: "replayed" }, { seconds: 30 })).status).toBe(200);
  const [request] = await until("the request to be seen", () => (requests.length > 0 ? requests : undefined));
  for (const kind of ["command", "events", "terminal"]) {
    const subject = `patchbay.v1.tester.${box.session}.${kind}`;
    liar.connection.publish(subject, request?.data, { reply: `${liar.inbox}.stolen` });
  }
  // The same request, but for the relay that gets its answer.
  const { head, body } = (request === undefined ? undefined : decodeRequest(request.data)) ?? {};
  if (head === undefined || body === undefined) throw new Error("the request cannot be read");
  const own = encodeRequest({ ...head, from: liar.member }, [digestOf("pb_guess")], body);
  for (const data of own) liar.connection.publish(`patchbay.v1.tester.${box.session}.command`, data);
  await liar.connection.flush();
  expect((await send("sendChat", { message: "afterwards" })).status).toBe(200);
  // What the broker has sent to the liar by then has arrived.
  await liar.connection.flush();
  const chat = await box.command<{ text: string }[]>("getChat");
  expect(chat.filter(({ text }) => text === "replayed")).toHaveLength(1);
  expect(answers).toEqual([]);
});

test("a request that a member changes, or makes of a seen one, is refused", async () => {
  await using _client = await box.join();
  await using liar = await joinAs(lab.broker.credentialsOf("liar"));
  const requests = listen(liar, `patchbay.v1.tester.${box.session}.*`);
  await liar.connection.flush();
  expect((await send("sendChat", { message: "seen" }, { seconds: 30 })).status).toBe(200);
  const [seen] = await until("the request to be seen", () => (requests.length > 0 ? requests : undefined));
  if (seen === undefined) throw new Error("nothing was seen");
  const before = await chatLength();
  const changed = Buffer.from(seen.data);
  changed.write("S33N", changed.lastIndexOf("seen"));
  // A new id, so that it is not refused as a repeated one.
  const renamed = Buffer.from(seen.data);
  renamed.write("A".repeat(22), renamed.indexOf('"id":"') + 6);
  const { head, body } = decodeRequest(seen.data) ?? {};
  if (head === undefined || body === undefined) throw new Error("the request cannot be read");
  const remade = encodeRequest({ ...head, id: "B".repeat(22), from: liar.member }, [digestOf("pb_guess")], body);
  for (const data of [changed, renamed, ...remade]) {
    liar.connection.publish(`patchbay.v1.tester.${box.session}.command`, data);
  }
  await liar.connection.flush();
  expect((await send("getSession")).status).toBe(200);
  expect(await chatLength()).toBe(before);
});

test("a member that feigns a session gets no key, and its answers are not believed", async () => {
  await using liar = await joinAs(lab.broker.credentialsOf("liar"));
  await using feigned = await feignSession(liar, { status: 200, body: '{"result":"forged"}' });
  await until("the liar to be asked", async () => {
    const answer = await askFeigned({ "X-Service-Token": box.key });
    expect([401, 504]).toContain(answer.status);
    expect(answer.text).not.toContain("forged");
    return feigned.asked > 0;
  });
});

test("what a member answers for a session that it feigns is no page, no script and no cookie of this relay", async () => {
  const types = [
    "text/html",
    "text/plain;,text/html",
    'application/json; x="',
    "text/plain;\r\nset-cookie: patchbay=stolen; Path=/",
  ];
  for (const type of types) {
    await using liar = await joinAs(lab.broker.credentialsOf("liar"));
    const headers = {
      "content-type": type,
      "content-length": "3",
      "cache-control": "public, max-age=31536000, immutable",
      "set-cookie": "patchbay=stolen",
      "service-worker-allowed": "/",
      "clear-site-data": '"*"',
      location: "https://liar.example",
      "www-authenticate": 'Basic realm="your password"',
      "x-service-relay": "laptop",
      "x-service-error": "not_found",
      "x-service-note": "one\r\nset-cookie: a=b",
      "x-service-a b": "no name of a header",
    };
    await using _feigned = await feignSession(liar, { status: 404, headers, body: "<script>steal()</script>" });
    const kept = {
      "content-type": "application/octet-stream",
      "cache-control": "no-store",
      "content-security-policy": "default-src 'none'; sandbox",
      "x-content-type-options": "nosniff",
      "x-service-relay": "liar",
      "x-service-error": "not_found",
    };
    // A page that is opened has no key; a script may have one that the liar does not know.
    for (const key of [{}, { "X-Service-Token": box.key }]) {
      const answer = await until("the liar to be asked", async () => {
        const one = await askFeigned(key);
        return one.status === 404 && one.text.includes("steal") ? one : undefined;
      });
      const { date: _date, connection: _connection, "keep-alive": _keep, ...own } = answer.headers;
      expect(own).toEqual({ ...kept, "content-length": String(answer.text.length) });
    }
    const socket = new WebSocket(`${laptop.url}${FEIGNED}/socket`.replace("http", "ws"), [KEY_PROTOCOL, box.key]);
    socket.on("error", () => undefined);
    const [, refused] = await once(socket, "unexpected-response");
    const { connection: _closed, ...own } = refused.headers;
    expect([refused.statusCode, own]).toEqual([404, kept]);
  }
});

test("a member that listens refuses nothing that the session's relay executes", async () => {
  await using liar = await joinAs(lab.broker.credentialsOf("liar"));
  await using _client = await box.join();
  let asked = 0;
  answerFor(liar, box.session, { status: 404, body: "{}" }, () => {
    asked += 1;
  });
  await liar.connection.flush();
  for (let sent = 0; sent < 20; sent += 1) {
    const path = `/v1/sessions/${box.session}/remote/command`;
    const headers = { "X-Service-Token": box.key };
    const answer = await laptop.request("POST", path, { body: { method: "getTiles", params: {} }, headers });
    expect(answer.status).toBe(200);
  }
  expect(asked).toBeGreaterThan(0);
});

test("a member that takes another one's name is told from it by its key, and its questions take no answer", async () => {
  await using liar = await joinAs(lab.broker.credentialsOf("liar"));
  const kv = await new Kvm(liar.connection).open("patchbay_tester");
  const fleet = laptop.relay.fleet ?? expect.unreachable("it has joined");
  const names = () => fleet.others().map(({ name }) => name);
  for (const name of ["box", "laptop"]) {
    await kv.put(`relays.${liar.member}`, JSON.stringify({ name, version: "1", joinedAt: 0, sessions: [] }));
    const told = `${name}~${liar.member.slice(0, 12)}`;
    await until("the liar to be listed", () => names().includes(told));
    expect(names().filter((one) => one === name)).toEqual([]);
  }
  const questions = await new Kvm(liar.connection).open("patchbay_tester_questions");
  const forged = { ...questionOf(), title: "box is locked: send its password", digest: "a".repeat(64) };
  await questions.put(liar.member, JSON.stringify([forged]));
  expect(await fleet.keptQuestions(liar.member)).toMatchObject([{ answerable: false, digest: null }]);
  await kv.delete(`relays.${liar.member}`);
});

test("a member writes no entries of others, and receives no answers of others", async () => {
  await using liar = await joinAs(lab.broker.credentialsOf("liar"));
  const { member } = readCredentials(lab.broker.credentialsOf("box"));
  const kv = await new Kvm(liar.connection).open("patchbay_tester");
  await expect(kv.put(`relays.${member}`, "{}")).rejects.toThrow(/Permissions Violation/);
  await expect(kv.delete(`beats.${member}`)).rejects.toThrow(/Permissions Violation/);
  const questions = await new Kvm(liar.connection).open("patchbay_tester_questions");
  await expect(questions.put(member, "[]")).rejects.toThrow(/Permissions Violation/);
  expect(await refusalOf(liar, `patchbay.v1.tester.reply.${member}.>`)).toMatch(/Permissions Violation/);
  expect(await refusalOf(liar, "patchbay.v1.tester.>")).toMatch(/Permissions Violation/);
  expect(await refusalOf(liar, "$KV.>")).toMatch(/Permissions Violation/);
});

test("a member of another owner gets nothing, and reaches nothing", async () => {
  await using other = await joinAs(join(lab.broker.folder, "other", "stranger.creds"));
  expect(await refusalOf(other, `patchbay.v1.tester.${box.session}.*`)).toMatch(/Permissions Violation/);
  expect(await refusalOf(other, "patchbay.v1.tester.>")).toMatch(/Permissions Violation/);
  const before = await chatLength();
  const [request] = await capture(() => send("sendChat", { message: "for one" }, { seconds: 30 }));
  expect(await chatLength()).toBe(before + 1);
  other.connection.publish(`patchbay.v1.tester.${box.session}.command`, request?.data);
  await other.connection.flush();
  expect(await chatLength()).toBe(before + 1);
  await expect(new Kvm(other.connection).create("patchbay_tester")).rejects.toThrow(/Permissions Violation/);
});

test("messages that are malformed or too large are dropped, and the relays go on", async () => {
  await using _client = await box.join();
  await using liar = await joinAs(lab.broker.credentialsOf("liar"));
  const [request] = await capture(() => send("getSession"));
  if (request === undefined) throw new Error("nothing was seen");
  const { member } = readCredentials(lab.broker.credentialsOf("laptop"));
  const whole = Buffer.from(request.data);
  const cuts = [0, 1, 5, 6, 7, 60, 100, whole.length - 1].map((length) => whole.subarray(0, length));
  const flips = Array.from({ length: 200 }, (_, index) => {
    const copy = Buffer.from(whole);
    const at = (index * 7919) % copy.length;
    copy[at] = (copy[at] ?? 0) ^ 0xff;
    return copy;
  });
  for (const data of [...cuts, ...flips, Buffer.alloc(900_000, 1), Buffer.alloc(300_000), Buffer.from("{}")]) {
    liar.connection.publish(`patchbay.v1.tester.${box.session}.command`, data);
    liar.connection.publish(`patchbay.v1.tester.reply.${member}.${"A".repeat(22)}`, data);
  }
  await liar.connection.flush();
  expect((await send("getSession")).status).toBe(200);
  expect([box.errors, laptop.errors]).toEqual([[], []]);
});

test("the digest of a key is no key", async () => {
  const headers = { "X-Service-Token": digestOf(box.key) };
  for (const relay of [laptop, box]) {
    const answer = await relay.request("GET", `/v1/sessions/${box.session}/remote/layout`, { headers });
    expect(answer.status).toBe(401);
  }
});

test("a shell's token is good on its own machine only", async () => {
  await using _client = await box.join();
  const { shellId } = await box.command<{ shellId: ShellId }>("createShell");
  const { token } = box.relay.keys.createShellToken(box.relay.user, box.session, shellId, {
    role: "admin",
    guest: false,
  });
  const path = `/v1/sessions/${box.session}/remote/shells`;
  const headers = { "X-Service-Token": token };
  expect((await box.request("GET", path, { headers })).status).toBe(200);
  const answer = await laptop.request("GET", path, { headers });
  expect([answer.status, answer.headers.get("x-service-error")]).toEqual([403, "scope_forbids"]);
});

test("a revoked key is refused by every relay at once, and what is open with it ends within a second", async () => {
  await using _client = await box.join();
  const { secret, key } = box.relay.keys.create({ owner: box.relay.user, name: "short-lived" });
  const headers = { "X-Service-Token": secret };
  const stream = await fetch(`${laptop.url}/v1/sessions/${box.session}/events`, { headers });
  expect(stream.status).toBe(200);
  const text = stream.text();
  const path = `/v1/sessions/${box.session}/remote/layout`;
  expect((await laptop.request("GET", path, { headers })).status).toBe(200);
  const revokedAt = performance.now();
  box.relay.keys.revoke(key.id);
  expect((await laptop.request("GET", path, { headers })).status).toBe(401);
  expect(await text).toContain('"code":"unauthenticated"');
  expect(performance.now() - revokedAt).toBeLessThan(1_000);
});

test("a restricted key stays restricted through another relay", async () => {
  await using _client = await box.join();
  const { secret } = box.relay.keys.create({
    owner: box.relay.user,
    name: "reader",
    restrictions: { readOnly: true },
  });
  const answer = await send("sendChat", { message: "no" }, { key: secret });
  expect([answer.status, answer.headers.get("x-service-error")]).toEqual([403, "scope_forbids"]);
  expect((await send("getChat", {}, { key: secret })).status).toBe(200);
});

/** `seconds`: how long a request that another member has seen can be sent again. */
function send(method: string, params: object = {}, { key = box.key, seconds = 2 } = {}) {
  return laptop.request("POST", `/v1/sessions/${box.session}/remote/command`, {
    body: { method, params },
    headers: { "X-Service-Token": key, "X-Service-Timeout": String(seconds) },
  });
}

async function chatLength(): Promise<number> {
  await using _client = await box.join();
  return (await box.command<unknown[]>("getChat")).length;
}

interface Seen {
  readonly data: Uint8Array;
}

interface Member extends AsyncDisposable {
  readonly connection: NatsConnection;
  readonly member: string;
  readonly inbox: string;
}

/** Joins the broker as a relay does, with the library alone. */
async function joinAs(file: string): Promise<Member> {
  const { authenticator, ca = "", member, owner }: FleetCredentials = readCredentials(file);
  const inbox = `patchbay.v1.${owner}.reply.${member}`;
  const connection = await connect({
    servers: lab.broker.url,
    authenticator,
    tls: { ca },
    inboxPrefix: `${inbox}.nats`,
    reconnect: false,
  });
  return { connection, member, inbox, [Symbol.asyncDispose]: () => connection.close() };
}

function listen({ connection }: Member, subject: string): Seen[] {
  const seen: Seen[] = [];
  connection.subscribe(subject, {
    callback(_error, { data }) {
      if (data.length > 0) seen.push({ data: Uint8Array.from(data) });
    },
  });
  return seen;
}

/** Returns the requests for the box's session that another member sees meanwhile. */
async function capture(act: () => Promise<unknown>): Promise<readonly Seen[]> {
  await using _client = await box.join();
  await using liar = await joinAs(lab.broker.credentialsOf("liar"));
  const seen = listen(liar, `patchbay.v1.tester.${box.session}.*`);
  await liar.connection.flush();
  await act();
  return until("a request to be seen", () => (seen.length > 0 ? seen : undefined));
}

const FEIGNED = "/v1/sessions/feigned-session";

/** The answer is not described by the OpenAPI document, as the liar is no relay. */
async function askFeigned(key: Readonly<Record<string, string>>) {
  const headers = { "X-Service-Timeout": "0.2", ...key };
  const answer = await fetch(`${laptop.url}${FEIGNED}/remote/layout`, { headers });
  return { status: answer.status, headers: Object.fromEntries(answer.headers), text: await answer.text() };
}

interface FeignedAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Lets a member claim a session that is none, and answer whatever it is asked of it, with proofs by any key that it may have. */
/** Answers all requests for a session without the keys that prove an answer. */
function answerFor(liar: Member, session: string, answer: FeignedAnswer, onAsked = () => {}) {
  const { status, headers = {}, body } = answer;
  liar.connection.subscribe(`patchbay.v1.tester.${session}.*`, {
    callback(_error, message) {
      const { head } = decodeRequest(message.data) ?? {};
      if (head === undefined) return;
      onAsked();
      for (const digest of [NO_KEY, digestOf("pb_guess")]) {
        const frame = { kind: "answer", n: 0, status, headers } as const;
        message.respond(encodeFrame(frame, { id: head.id, direction: "down" }, digest, Buffer.from(body)));
      }
    },
  });
}

async function feignSession(liar: Member, { status, headers = {}, body }: FeignedAnswer) {
  const kv = await new Kvm(liar.connection).open("patchbay_tester");
  const session = { id: "feigned-session", name: "x", owner: box.relay.user, createdAt: new Date().toISOString() };
  const record = { name: "liar", version: "1", joinedAt: 1, sessions: [session] };
  await kv.put(`relays.${liar.member}`, JSON.stringify(record));
  await kv.put(`beats.${liar.member}`, "");
  let asked = 0;
  answerFor(liar, "feigned-session", { status, headers, body }, () => {
    asked += 1;
  });
  return {
    get asked() {
      return asked;
    },
    async [Symbol.asyncDispose]() {
      await kv.delete(`relays.${liar.member}`);
      await kv.delete(`beats.${liar.member}`);
    },
  };
}

/** Returns why the broker refuses a subscription. */
function refusalOf({ connection }: Member, subject: string): Promise<string> {
  return new Promise((resolve) => {
    connection.subscribe(subject, { callback: (error) => resolve(error?.message ?? "it was accepted") });
    void connection.flush().then(() => setTimeout(() => resolve("it was accepted"), 500));
  });
}

/** Adds a second owner with an account of its own to the broker's configuration. */
function addOtherOwner(folder: string): void {
  const other = join(folder, "other");
  const { config } = createFleet({ folder: other, owner: "stranger", hosts: ["127.0.0.1"], members: ["stranger"] });
  const account = /accounts \{\n([\s\S]*)\n\}\n$/.exec(readFileSync(config, "utf8"))?.[1] ?? "";
  const main = join(folder, "nats-server.conf");
  // Its credentials name the certificate of the broker that it calls.
  const certificate = readFileSync(join(folder, "broker-cert.pem"), "utf8");
  const credentials = join(other, "stranger.creds");
  const text = readFileSync(credentials, "utf8");
  writeFileSync(credentials, text.replace(/-----BEGIN CERT[\s\S]*/, certificate));
  writeFileSync(main, readFileSync(main, "utf8").replace("accounts {\n", `accounts {\n${account}\n`));
}

test("a bucket that a member has made to keep the answers to others is used by no relay", async () => {
  await using broker = await startBroker({ members: ["liar", "box"] });
  const quiet = () => undefined;
  const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };
  const join = (name: string) => {
    const credentials = readCredentials(broker.credentialsOf(name));
    const options = { urls: [broker.url], credentials, log, onConnected: quiet, onProblem: quiet };
    return Broker.connect(options, new AbortController().signal);
  };
  const liar = await join("liar");
  const box = await join("box");
  try {
    const name = "KV_patchbay_tester_questions";
    const subjects = ["$KV.patchbay_tester_questions.>", "patchbay.v1.tester.reply.*.>"];
    const config = { name, subjects, max_msgs_per_subject: 1, allow_direct: true, allow_rollup_hdrs: true };
    await liar.connection.request(`$JS.API.STREAM.CREATE.${name}`, JSON.stringify(config));
    await expect(box.openQuestions()).rejects.toThrow("was made by something else");
    await expect(box.openDirectory()).resolves.toBeDefined();
  } finally {
    await liar.close();
    await box.close();
  }
});
