import { request } from "node:https";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocketServer } from "ws";
import { openSession } from "../../client/open-session.ts";
import type { ShellId } from "../../core/protocol/ids.ts";
import { encodeTerminalBytes } from "../../core/protocol/terminal-bytes.ts";
import { parseCertificate } from "../../main/relay/tls/certificate.ts";
import { makeCertificate } from "../../main/relay/tls/make-certificate.ts";
import { servedNames } from "../../main/relay/tls/served-names.ts";
import { startTestRelay, type TestRelay } from "../support/test-relay.ts";
import { until } from "../support/until.ts";
import { startFakeRelay } from "../unit/cli/fake-relay.ts";

const names = servedNames("0.0.0.0");
let pinned: string;
let box: TestRelay;

beforeAll(async () => {
  const made = makeCertificate(names);
  const certificate = parseCertificate(made.cert, made.key);
  if (certificate === undefined) throw new Error("no certificate");
  pinned = certificate.cert;
  box = await startTestRelay({ outside: { host: "0.0.0.0", port: 0, certificate: async () => certificate } });
});
afterAll(() => box?.[Symbol.asyncDispose]());

test("a window sends the key of a remote to the relay with the expected certificate only", async () => {
  const { session, key } = box;
  const [url = ""] = box.relay.remoteAccess?.urls ?? [];
  const address = { url, session, key, peer: { name: "box", certificate: pinned } };
  const opening = await openSession(address);
  if (!("link" in opening)) throw new Error(opening.refused);
  opening.link.close("the test is over");

  const { secret } = box.relay.keys.create({ owner: box.relay.user, name: "unused" });
  for (const certificate of [undefined, makeCertificate(names).cert]) {
    const refusal = await openSession({ ...address, key: secret, peer: { name: "box", certificate } });
    expect(refusal).toEqual({ refused: expect.stringMatching(/^box .* was not called/), needsKey: false });
  }
  expect(box.relay.keys.list().find(({ name }) => name === "unused")).toMatchObject({ lastUsedAt: null });
});

test("another machine gets nothing by a link of the owner for this one, nor by one whose key was revoked or is limited", async () => {
  const [url = ""] = box.relay.remoteAccess?.urls ?? [];
  const enter = (link: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const headers = { "Content-Type": "application/json" };
      const at = new URL(`/s/${box.session}/owner`, url);
      const sent = request(at, { method: "POST", ca: pinned, headers, agent: false }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      });
      sent.on("error", reject).end(JSON.stringify({ link }));
    });
  const make = (key: string) =>
    box.request("POST", `/v1/sessions/${box.session}/owner-links`, {
      headers: { "X-Service-Token": key },
      body: { outside: true },
    });
  const secretOf = (text: string) => /#owner=([\w-]+)/.exec(text)?.[1] ?? "";
  expect(await enter(secretOf((await box.command<{ url: string }>("createOwnerLink")).url))).toBe(403);
  const { key, secret } = box.relay.keys.create({ owner: box.relay.user, name: "lost" });
  const { text } = await make(secret);
  box.relay.keys.revoke(key.id);
  expect(await enter(secretOf(text))).toBe(401);
  const limited = box.relay.keys.create({
    owner: box.relay.user,
    name: "limited",
    restrictions: { methods: ["createOwnerLink"] },
  });
  expect((await make(limited.secret)).status).toBe(403);
});

test.each(["createInvite", "createOwnerLink"])(
  "a link has an address of the relay, never another host: %s",
  async (method) => {
    const others = box.relay.remoteAccess?.urls ?? [];
    const [url = ""] = others;
    for (const address of others) {
      const made = await box.command<{ url: string }>(method, { address: `${address}/` });
      expect(made.url.startsWith(`${address}/s/`)).toBe(true);
    }
    const { host } = new URL(url);
    const foreign = [
      "https://evil.example",
      `https://${host}@evil.example`,
      `https://evil.example@${host}`,
      `http://${host}`,
      `${url}/evil`,
      `${url}?to=evil`,
      `${url}#evil`,
      box.url,
    ];
    for (const address of foreign) {
      await expect(box.command(method, { address }), address).rejects.toThrow(
        "address: expected an address of this relay",
      );
    }
  },
);

test("a window follows no redirection with the key of another machine", async () => {
  const seen: unknown[] = [];
  await using thief = await startFakeRelay(({ headers }, response) => {
    seen.push(headers["x-service-token"]);
    response.end("{}");
  });
  await using relay = await startFakeRelay((_request, response) => {
    response.writeHead(302, { location: `${thief.url}/` }).end();
  });
  const address = { url: relay.url, session: box.session, key: "pb_secret", peer: { name: "box" } };
  expect(await openSession(address)).toHaveProperty("refused");
  expect(seen).toEqual([]);
});

test("a window shows the session of the chosen relay of the fleet or none, also where this machine has one with that id", async () => {
  const { url, session, key } = box;
  const address = { url, session, key, peer: { name: "desk" } };
  // The relay that is called has the session, and admits the key.
  const opening = await openSession(address);
  if (!("link" in opening)) throw new Error(opening.refused);
  opening.link.close("the test is over");
  await expect(openSession({ ...address, servedBy: "desk" })).rejects.toThrow("desk does not serve this session");
});

test("a window gives up a connection that is not to the chosen relay, though the question before it was answered there", async () => {
  await using relay = await startFakeRelay((_request, response) => {
    response.setHeader("X-Service-Relay", "desk").end(JSON.stringify({ result: { session: "default" } }));
  });
  const sockets = new WebSocketServer({ noServer: true });
  relay.server.on("upgrade", (request, socket, head) => sockets.handleUpgrade(request, socket, head, () => undefined));
  const address = { url: relay.url, session: box.session, key: "pb_secret", peer: { name: "desk" } };
  await expect(openSession({ ...address, servedBy: "desk" })).rejects.toThrow("desk does not serve this session");
});

/** A window's link to a machine that sends these frames as soon as it is open. */
async function linkTo(frames: readonly (string | Uint8Array)[]) {
  const sockets = new WebSocketServer({ noServer: true });
  const relay = await startFakeRelay((_request, response) =>
    response.end(JSON.stringify({ result: { session: box.session } })),
  );
  relay.server.on("upgrade", (request, socket, head) =>
    sockets.handleUpgrade(request, socket, head, (client) => {
      for (const frame of frames) client.send(frame);
    }),
  );
  const opening = await openSession({ url: relay.url, session: box.session, key: "pb_x", peer: { name: "box" } });
  if (!("link" in opening)) throw new Error(opening.refused);
  const { link } = opening;
  return {
    link,
    async [Symbol.asyncDispose]() {
      link.close("the test is over");
      sockets.close();
      await relay[Symbol.asyncDispose]();
    },
  };
}

const gone = JSON.stringify({ type: "diff", diff: { kind: "adopt-request-gone", id: 1 } });
const piece = encodeTerminalBytes({ shell: 7 as ShellId, offset: 0, bytes: Buffer.from("x"), quiet: false });

/** Reads frames of a machine to the last one. Returns the milliseconds that it took. */
async function timeOf(count: number, frame: string | Uint8Array): Promise<number> {
  await using machine = await linkTo(Array.from({ length: count }, () => frame));
  const began = performance.now();
  let received = 0;
  machine.link.onFrame(() => {
    received += 1;
  });
  await until("everything to be read", () => received === count);
  return performance.now() - began;
}

test("a window reads many small messages of another machine at a rate that leaves the app time", async () => {
  // The first 2000 are read at once, and those that came with them.
  expect(await timeOf(3500, gone)).toBeGreaterThan(500);
});

test("a window reads pieces of output that no terminal shows at a rate that leaves the app time", async () => {
  // The first 4000 are read at once, and those that came with them.
  expect(await timeOf(20_000, piece)).toBeGreaterThan(500);
});

test("a window leaves another machine whose message is nested without end", async () => {
  const depth = 100_000;
  const deep = `{"type":"answer","id":1,"value":${"[".repeat(depth)}${"]".repeat(depth)}}`;
  await using machine = await linkTo([deep]);
  const received: unknown[] = [];
  machine.link.onFrame((frame) => received.push(frame));
  const closed = await new Promise<string>((resolve) => machine.link.onClose(resolve));
  expect([closed, received]).toEqual([expect.any(String), []]);
});

test("a window reads what another machine sends at a rate that leaves the app time", async () => {
  const frame = JSON.stringify({ type: "answer", id: 1, value: "x".repeat(1024 * 1024) });
  await using machine = await linkTo(Array.from({ length: 18 }, () => frame));
  let received = 0;
  const began = performance.now();
  machine.link.onFrame(() => {
    received += 1;
  });
  // Of 18 MiB 16 are read at once.
  await until("everything to be read", () => received === 18);
  expect(performance.now() - began).toBeGreaterThan(1000);
});
