import { type RequestListener, request as requestPlain } from "node:http";
import { type RequestOptions, request as requestOver } from "node:https";
import { connect } from "node:net";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import express from "express";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import type { ShellId } from "../../../../../core/protocol/ids.ts";
import { TokenBuckets } from "../../../../../core/protocol/rate-limits.ts";
import { appMessages } from "../../../../../main/relay/http/app-messages.ts";
import { defaultArrivalTimeouts, type ListenAddress, listen } from "../../../../../main/relay/http/listen.ts";
import { openRemoteListener, type RemoteListener } from "../../../../../main/relay/http/tls-listener.ts";
import { noMetrics } from "../../../../../main/relay/metrics/metrics-recorder.ts";
import { FRAMES } from "../../../../../main/relay/net/client-socket.ts";
import { ConnectionGate } from "../../../../../main/relay/net/connection-gate.ts";
import { parseCertificate } from "../../../../../main/relay/tls/certificate.ts";
import { makeCertificate } from "../../../../../main/relay/tls/make-certificate.ts";
import { servedNames } from "../../../../../main/relay/tls/served-names.ts";
import { storedCertificate } from "../../../../../main/relay/tls/stored-certificate.ts";
import { otherAddress } from "../../../../support/other-address.ts";
import type { TestRelay } from "../../../../support/test-relay.ts";
import { startPaperRelay } from "../paper-relay.ts";

/** An address of this machine that others could use; it differs from loopback in all that the relay looks at. */
const address = otherAddress();

interface Answer {
  readonly status: number | undefined;
  readonly text: string;
  readonly headers: NodeJS.Dict<string | string[]>;
}

describe("over TLS, from another address", () => {
  let relay: TestRelay;
  let base: URL;
  let ca: string;

  beforeEach(async () => {
    const made = makeCertificate([...servedNames("0.0.0.0"), "box.test"]);
    const certificate = parseCertificate(made.cert, made.key);
    if (certificate === undefined) throw new Error("no certificate");
    ca = certificate.cert;
    relay = await startPaperRelay({ outside: { host: "0.0.0.0", port: 0, certificate: async () => certificate } });
    base = new URL(relay.relay.remoteAccess?.urls[0] ?? "");
  });
  afterEach(() => relay[Symbol.asyncDispose]());

  const ask = (path: string, options: RequestOptions = {}, body?: string): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const sent = requestOver(
        new URL(path, base),
        { ca, agent: false, servername: "box.test", ...options },
        (response) => {
          let text = "";
          response.on("data", (piece) => (text += String(piece)));
          response.on("end", () => resolve({ status: response.statusCode, text, headers: response.headers }));
        },
      );
      sent.on("error", reject);
      sent.end(body);
    });
  const remote = (path: string) => `/v1/sessions/${relay.session}/${path}`;

  test("a key opens the session, the certificate holds for the address, and plain HTTP finds nobody", async () => {
    const headers = { "X-Service-Token": relay.key };
    expect(await ask(remote("events?follow=false"), { headers })).toMatchObject({ status: 200 });
    expect(await ask("/v1/health")).toMatchObject({ status: 200 });
    expect(await ask("/v1/whoami", { headers })).toMatchObject({ status: 200 });
    expect(await ask("/v1/sessions")).toMatchObject({ status: 401 });
    await expect(fetch(`http://${base.host}/v1/health`)).rejects.toThrow();
    // The listener for this machine is not to be had at the other address.
    const refused = await new Promise((resolve) => {
      const socket = connect(Number(new URL(relay.url).port), address);
      socket.on("connect", () => resolve("connected"));
      socket.on("error", (error: NodeJS.ErrnoException) => resolve(error.code));
    });
    expect(refused).toBe("ECONNREFUSED");
  });

  test("the token of a shell is good on its own machine only", async () => {
    const { token } = relay.relay.keys.createShellToken(relay.relay.user, relay.session, 1 as ShellId);
    const headers = { "X-Service-Token": token };
    expect(await ask("/v1/sessions", { headers })).toMatchObject({ status: 403 });
    expect((await relay.request("GET", "/v1/sessions", { headers })).status).toBe(200);
  });

  test("nothing older than TLS 1.2 is spoken", async () => {
    const outcome = await new Promise((resolve) => {
      const socket = connectTls({
        host: address,
        port: Number(base.port),
        ca,
        maxVersion: "TLSv1.1",
        minVersion: "TLSv1",
      });
      socket.on("secureConnect", () => resolve("connected"));
      socket.on("error", () => resolve("refused"));
    });
    expect(outcome).toBe("refused");
  });

  test.each([
    ["its address", () => base.host, 200],
    ["a name in the certificate", () => `box.test:${base.port}`, 200],
    ["a name that is not in it", () => `evil.example:${base.port}`, 403],
    ["a name of this machine alone", () => `localhost:${base.port}`, 403],
    ["another address", () => `198.51.100.9:${base.port}`, 403],
  ])("asked for %s", async (_name, host, status) => {
    expect(await ask("/v1/health", { headers: { Host: host() } })).toMatchObject({ status });
  });

  test("a page of another origin is refused, its own is not", async () => {
    const origin = (value: string) => ask("/v1/health", { headers: { Origin: value } });
    expect(await origin(base.origin)).toMatchObject({ status: 200 });
    for (const foreign of [base.origin.replace("https", "http"), relay.url, "https://evil.example", "null"]) {
      expect(await origin(foreign)).toMatchObject({ status: 403 });
    }
  });

  test("the names for other machines are no good at the listener for this one", async () => {
    const status = await new Promise((resolve, reject) => {
      requestPlain(`${relay.url}/v1/health`, { headers: { Host: "box.test" } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on("error", reject)
        .end();
    });
    expect(status).toBe(403);
  });

  test.each([
    "/v1/openapi.json",
    "/v1/oauth/token",
    "/v1/docs",
    "/",
    "/v1/sessionsx",
    "/v1//sessions",
    "/v1/metrics",
    "/v1/mcp",
    "/v1/overviews",
    "/panel/x",
    "/V1/health",
    "/s",
  ])("%s is for this machine only", async (path) => {
    expect(await ask(path, { headers: { "X-Service-Token": relay.key } })).toMatchObject({ status: 404 });
  });

  test("the owner's panel and what it reads are for other machines too, with a key", async () => {
    const headers = { "X-Service-Token": relay.key };
    // The pages of this relay are not built.
    expect((await ask("/panel")).status).not.toBe(404);
    for (const path of ["/v1/overview", "/v1/usage", "/v1/keys", "/v1/settings"]) {
      expect([path, (await ask(path, { headers })).status]).toEqual([path, 200]);
      expect([path, (await ask(path)).status]).toEqual([path, 401]);
    }
  });

  test("a link of the owner lets another machine in where it was made for those, within the limits of its key", async () => {
    const { secret, key } = relay.relay.keys.create({ owner: relay.relay.user, name: "desk", ttlMs: 60_000 });
    const link = async (body: object) => {
      const headers = { "X-Service-Token": secret };
      const made = await relay.request("POST", remote("owner-links"), { headers, body });
      return new URL((JSON.parse(made.text) as { result: { url: string } }).result.url);
    };
    const enter = (url: URL) =>
      ask(
        `/s/${relay.session}/owner`,
        { method: "POST", headers: { "Content-Type": "application/json" } },
        JSON.stringify({ link: url.hash.replace("#owner=", "") }),
      );
    const outside = await link({ outside: true });
    expect(outside.origin).toBe(base.origin);
    const answer = await enter(outside);
    expect(answer.status).toBe(200);
    const { apiKey } = (JSON.parse(answer.text) as { result: { apiKey: string } }).result;
    const own = relay.relay.keys.list().find(({ madeBy }) => madeBy === key.id);
    expect(Date.parse(own?.expiresAt ?? "") - Date.now()).toBeLessThanOrEqual(60_000);
    expect(await ask("/v1/overview", { headers: { "X-Service-Token": apiKey } })).toMatchObject({ status: 200 });
    const here = await link({});
    expect((await enter(here)).status).toBe(403);
    relay.relay.keys.revoke(key.id);
    expect(await ask("/v1/overview", { headers: { "X-Service-Token": apiKey } })).toMatchObject({ status: 401 });
    expect((await enter(outside)).status).toBe(403);
  });

  test("an invite for other machines names their address, and its cookie never travels in the clear", async () => {
    const { text } = await relay.request("POST", remote("invites"), { body: { outside: true } });
    const { url, urls } = (JSON.parse(text) as { result: { url: string; urls: string[] } }).result;
    expect(new URL(url).origin).toBe(base.origin);
    expect(urls[0]?.startsWith(`${relay.url}/s/`)).toBe(true);
    expect(urls).toContain(url);

    const entered = await ask(
      `/s/${relay.session}/enter`,
      { method: "POST", headers: { "Content-Type": "application/json", Origin: base.origin } },
      JSON.stringify({ invite: new URL(url).hash.slice(1) }),
    );
    expect(entered.status).toBe(200);
    const cookie = String(entered.headers["set-cookie"]);
    expect(cookie).toMatch(/; HttpOnly; SameSite=Strict; .*; Secure$/);

    const socket = (headers: Record<string, string>): Promise<unknown> =>
      new Promise((resolve) => {
        const opened = new WebSocket(`wss://${base.host}/s/${relay.session}/socket`, { ca, headers });
        opened.on("open", () => {
          opened.close();
          resolve("open");
        });
        opened.on("unexpected-response", (request, response) => {
          request.destroy();
          resolve(response.statusCode);
        });
        opened.on("error", () => undefined);
      });
    const own = { Cookie: cookie.split(";")[0] ?? "" };
    expect(await socket({ ...own, Origin: base.origin })).toBe("open");
    expect(await socket({ ...own, Origin: "https://evil.example" })).toBe(403);
    expect(await socket({ Origin: base.origin })).toBe(401);
  });

  test("guessing keys is slowed down for the address that guesses, whatever it says of itself", async () => {
    const guess = (more: Record<string, string> = {}) =>
      ask(remote("remote/tiles"), { headers: { "X-Service-Token": "pbk_wrong", ...more } });
    for (let turn = 0; turn < 10; turn++) expect(await guess()).toMatchObject({ status: 401 });
    expect(await guess()).toMatchObject({ status: 429 });
    expect(await guess({ "X-Forwarded-For": "198.51.100.1", Forwarded: "for=198.51.100.1" })).toMatchObject({
      status: 429,
    });
    const here = await relay.get("tiles", { "X-Service-Token": "pbk_wrong" });
    expect(here.status).toBe(401);
  });
});

test("a renewed certificate is served without a restart, and a bad one changes nothing", async () => {
  await using relay = await startPaperRelay();
  const file = join(relay.folder, "tls.pem");
  let source = () => storedCertificate(file, ["127.0.0.1"]);
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const admit = () => {
    throw new Error("no client is expected");
  };
  const handle: RequestListener = (_request, response) => void response.end();
  const options = {
    app: { handle, messages: appMessages(express()) },
    admit,
    upgradeElsewhere: () => false,
    gate: new ConnectionGate(noMetrics),
    frames: new TokenBuckets(FRAMES, () => performance.now()),
    metrics: noMetrics,
    timeouts: defaultArrivalTimeouts,
  };
  const serve = (where: ListenAddress) => listen(options, where);
  const door: RemoteListener = await openRemoteListener(
    { serve, log, basePath: "" },
    {
      host: "127.0.0.1",
      port: 0,
      certificate: () => source(),
    },
  );
  try {
    const first = door.access.fingerprint;
    expect(await presented(door)).toBe(first);
    source = () => storedCertificate(file, ["127.0.0.1", "box.test"]);
    await door.refresh();
    expect(door.access.fingerprint).not.toBe(first);
    expect(await presented(door)).toBe(door.access.fingerprint);
    const second = door.access.fingerprint;
    source = () => Promise.reject(new Error("unreadable"));
    await door.refresh();
    expect(await presented(door)).toBe(second);
  } finally {
    await door.close();
  }
});

test("below a base path the same is open to other machines, and no more", async () => {
  const made = makeCertificate(["127.0.0.1"]);
  const certificate = parseCertificate(made.cert, made.key);
  if (certificate === undefined) throw new Error("no certificate");
  const door = { host: "127.0.0.1", port: 0, certificate: async () => certificate };
  await using relay = await startPaperRelay({ basePath: "/x", outside: door });
  const [base = ""] = relay.relay.remoteAccess?.urls ?? [];
  expect(base).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/x$/);
  const status = (path: string) =>
    new Promise((resolve, reject) => {
      const sent = requestOver(base + path, { ca: certificate.cert, agent: false }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      sent.on("error", reject).end();
    });
  expect(await Promise.all(["/v1/health", "/v1/docs", "/v1/oauth/token"].map(status))).toEqual([200, 404, 404]);
});

test("another loopback address takes the place of the usual one, in plain HTTP", async () => {
  await using relay = await startPaperRelay({ host: "127.0.0.5" });
  expect(new URL(relay.url).hostname).toBe("127.0.0.5");
  expect((await relay.request("GET", "/v1/health")).status).toBe(200);
});

test("without a door for other machines there is no link for them", async () => {
  await using relay = await startPaperRelay();
  const path = `/v1/sessions/${relay.session}/invites`;
  const { status, text } = await relay.request("POST", path, { body: { outside: true } });
  expect({ status, text }).toEqual({ status: 400, text: expect.stringContaining("--listen") });
  const open = await relay.request("GET", path);
  expect((JSON.parse(open.text) as { result: unknown[] }).result).toEqual([]);
});

/** Fingerprint of the certificate that a new connection gets. */
function presented(door: RemoteListener): Promise<string> {
  const { hostname, port } = new URL(door.access.urls[0] ?? "");
  return new Promise((resolve, reject) => {
    const socket = connectTls({ host: hostname, port: Number(port), rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().fingerprint256);
      socket.end();
    });
    socket.on("error", reject);
  });
}
