import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import type { Tunnel } from "../../../../../core/protocol/records.ts";
import { fetchLocal, toLoopback } from "../../../../support/local-name.ts";
import { until } from "../../../../support/until.ts";
import { type PaperTunnels, startPaperTunnels } from "./paper-tunnels.ts";

describe("passing through", () => {
  let lab: PaperTunnels;
  let tunnel: Tunnel;
  let cookie: string;

  beforeAll(async () => {
    lab = await startPaperTunnels();
    tunnel = await lab.program();
    cookie = await lab.cookie(tunnel.port);
  });
  afterAll(() => lab[Symbol.asyncDispose]());

  const ask = (path: string, init: { method?: string; body?: string; headers?: Record<string, string> } = {}) =>
    fetchLocal(new URL(path, tunnel.url), { ...init, headers: { Cookie: cookie, ...init.headers } });

  test("a browser with a pass gets what the program answers", async () => {
    const answer = await lab.pass(tunnel.port);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ result: { url: tunnel.url, pass: expect.stringMatching(/^pbt_/) } });
    // What is set here, the browser would send to every port of the relay's host.
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(cookie).toMatch(/^__Host-patchbay_pass=pbt_/);
    const audited = JSON.parse((await lab.relay.request("GET", "/v1/audit?kind=authentication")).text) as {
      result: object[];
    };
    expect(audited.result).toContainEqual(
      expect.objectContaining({ credential: "guest", who: "guest", outcome: "ok" }),
    );
    const told = await (await ask("/a?b=c", { method: "PUT", body: "body" })).json();
    expect(told).toMatchObject({ method: "PUT", url: "/a?b=c", body: "body" });
  });

  test("the program learns neither our cookies nor a key, and is asked by its own name", async () => {
    const origin = new URL(tunnel.url).origin;
    const { headers } = (await (
      await ask("/", {
        headers: {
          Cookie: `theirs=1; ${cookie}; patchbay_guest_x=secret; __Host-patchbay_guest_x=secret`,
          "X-Service-Token": "secret",
          "X-Forwarded-For": "192.0.2.1",
          Origin: origin,
          Referer: `${origin}/page`,
        },
      })
    ).json()) as { headers: Record<string, string> };
    expect(headers).toMatchObject({
      cookie: "theirs=1",
      host: `localhost:${tunnel.port}`,
      origin: `http://localhost:${tunnel.port}`,
      referer: `http://localhost:${tunnel.port}/page`,
    });
    expect(JSON.stringify(headers)).not.toMatch(/patchbay_|secret|x-forwarded/);
  });

  test("an answer whose status no server may send is passed on without it, and ends nothing", async () => {
    const answers = [await ask("/status"), await ask("/reason")];
    expect(answers.map(({ status }) => status)).toEqual([502, 200]);
    expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual(["body", "body"]);
  });

  test("fields that are announced to follow a body, by either side, end nothing, and are left out", async () => {
    const answer = await ask("/trailer");
    expect([answer.status, answer.headers.get("trailer"), await answer.text()]).toEqual([200, null, "body"]);
    const { host, port } = new URL(tunnel.url);
    const socket = connect(Number(port), "127.0.0.1");
    let told = "";
    socket.setEncoding("utf8").on("data", (piece: string) => (told += piece));
    socket.write(`GET /told HTTP/1.1\r\nHost: ${host}\r\nCookie: ${cookie}\r\nTrailer: x\r\nConnection: close\r\n\r\n`);
    await once(socket, "close");
    expect(told).toContain('"url":"/told"');
    expect(told).not.toMatch(/trailer/i);
  });

  test("an offer of HTTP/2 is ignored, and is not made to the program", async () => {
    const { host, port } = new URL(tunnel.url);
    const socket = connect(Number(port), "127.0.0.1");
    let told = "";
    socket.setEncoding("utf8").on("data", (piece: string) => (told += piece));
    const offer = "Connection: close, Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk";
    const head = `POST /told HTTP/1.1\r\nHost: ${host}\r\nCookie: ${cookie}\r\nContent-Length: 4\r\n${offer}`;
    socket.write(`${head}\r\n\r\nbody`);
    await once(socket, "close");
    expect(told).toMatch(/^HTTP\/1\.1 200 /);
    expect(told).toContain('"body":"body"');
    expect(told).not.toMatch(/h2c|http2-settings/i);
  });

  test("a program that changes the protocol unasked is told as one that does not answer", async () => {
    const answer = await ask("/switched");
    expect([answer.status, answer.headers.get("x-service-error")]).toEqual([502, "tunnel_failed"]);
  });

  test("the program can neither set our cookies nor clear them", async () => {
    const { headers } = await ask("/cookies");
    expect(headers.getSetCookie()).toEqual(["own=1; Path=/; SameSite=None; Secure; Partitioned"]);
    expect(headers.get("clear-site-data")).toBeNull();
    expect(headers.get("strict-transport-security")).toBeNull();
  });

  test("a redirect to the program itself stays inside, and no other is followed", async () => {
    expect((await ask("/redirect")).headers.get("location")).toBe("/landed?a=1");
    const away = await ask("/away");
    expect([away.status, away.headers.get("location")]).toEqual([302, "https://example.test/there"]);
  });

  test("a stream comes as it is sent", async () => {
    const reader = ((await ask("/stream")).body ?? new ReadableStream()).getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toBe("data: first\n\n");
    await ask("/again");
    expect(new TextDecoder().decode((await reader.read()).value)).toBe("data: second\n\n");
    await reader.cancel();
  });

  test("a WebSocket passes in both directions", async () => {
    const socket = new WebSocket(tunnel.url.replace("http", "ws"), { lookup: toLoopback, headers: { Cookie: cookie } });
    const [first] = (await once(socket, "message")) as [Buffer];
    expect(JSON.parse(String(first))).toMatchObject({ host: `localhost:${tunnel.port}` });
    expect(String(first)).not.toContain("patchbay_");
    socket.send("hello");
    expect(String((await once(socket, "message"))[0])).toBe("echo hello");
    socket.terminate();
  });

  test.each([
    ["without a pass", { Cookie: "" }, 401],
    ["with a guessed pass", { Cookie: "__Host-patchbay_pass=guess" }, 401],
    ["with a key only", { Cookie: "", "X-Service-Token": "any" }, 401],
    ["from another origin", { Origin: "http://evil.test" }, 403],
    ["from a page without an origin", { Origin: "null" }, 403],
    ["from another port's page", { "Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "no-cors" }, 403],
  ])("%s a request is refused, and a WebSocket too", async (_how, headers, status) => {
    expect((await ask("/", { headers })).status).toBe(status);
    const socket = new WebSocket(tunnel.url.replace("http", "ws"), {
      lookup: toLoopback,
      headers: { Cookie: cookie, ...headers },
    });
    const [, answer] = (await once(socket, "unexpected-response")) as [unknown, { statusCode: number }];
    expect(answer.statusCode).toBe(status);
    socket.on("error", () => undefined).terminate();
  });

  test.each([
    ["a name that was rebound to this machine", () => "rebound.test"],
    ["the relay's own address", () => `127.0.0.1:${new URL(tunnel.url).port}`],
    ["localhost itself", () => `localhost:${new URL(tunnel.url).port}`],
    ["another name below localhost", () => `${"0".repeat(32)}.localhost:${new URL(tunnel.url).port}`],
    ["a name below its own", () => `a.${new URL(tunnel.url).host}`],
    ["its own name with another port", () => `${new URL(tunnel.url).hostname}:1`],
    ["its own name without a port", () => new URL(tunnel.url).hostname],
  ])("%s is refused", async (_what, host) => {
    expect((await ask("/", { headers: { Host: host() } })).status).toBe(403);
    expect((await ask("/.patchbay/", { headers: { Host: host() } })).status).toBe(403);
    const socket = new WebSocket(tunnel.url.replace("http", "ws"), {
      lookup: toLoopback,
      headers: { Cookie: cookie, Host: host() },
    });
    const [, answer] = (await once(socket, "unexpected-response")) as [unknown, { statusCode: number }];
    expect(answer.statusCode).toBe(403);
    socket.on("error", () => undefined).terminate();
  });

  test("a pass opens its own tunnel only, and no port that is not listed", async () => {
    const other = await lab.program();
    expect(other.port).not.toBe(tunnel.port);
    expect((await fetchLocal(other.url, { headers: { Cookie: cookie } })).status).toBe(401);
    const unlisted = await lab.pass(Number(new URL(lab.relay.url).port));
    expect([unlisted.status, unlisted.headers.get("x-service-error")]).toEqual([404, "unknown_tunnel"]);
    expect(await unlisted.text()).not.toContain("pbt_");
  });

  test("a pass is exchanged for a cookie at its own tunnel's host only, and by its own page only", async () => {
    const { result } = (await (await lab.pass(tunnel.port)).json()) as { result: { pass: string } };
    const enter = (url: string, body: string, headers: Record<string, string> = {}) =>
      fetchLocal(new URL("/.patchbay/", url), { method: "POST", body, headers });
    const other = await lab.program();
    expect((await enter(other.url, result.pass)).status).toBe(401);
    expect((await enter(tunnel.url, "pbt_guessed")).status).toBe(401);
    expect((await enter(tunnel.url, "x".repeat(300))).status).toBe(413);
    expect((await enter(tunnel.url, result.pass, { Origin: lab.relay.url })).status).toBe(403);
    const entered = await enter(tunnel.url, result.pass, { Origin: new URL(tunnel.url).origin });
    expect([entered.status, entered.headers.getSetCookie()]).toEqual([
      204,
      [`__Host-patchbay_pass=${result.pass}; HttpOnly; SameSite=None; Path=/; Secure; Partitioned`],
    ]);
    expect((await ask("/.patchbay/admitted")).status).toBe(204);
    expect((await ask("/.patchbay/admitted", { headers: { Cookie: "" } })).status).toBe(401);
    // The program is never asked for what is below the entry.
    expect(await (await ask("/.patchbay/anything")).text()).toContain("<title>Opening the tunnel</title>");
    expect((await ask("/.patchbay/", { method: "PUT" })).status).toBe(405);
  });

  test("readers and strangers get no pass", async () => {
    expect((await lab.pass(tunnel.port, lab.guest("reader"))).status).toBe(403);
    expect((await lab.pass(tunnel.port, "")).status).toBe(401);
  });

  test("a guest who is sent away loses the tunnel, and what is open through it", async () => {
    const guest = lab.guest();
    const own = await lab.cookie(tunnel.port, guest);
    const socket = new WebSocket(tunnel.url.replace("http", "ws"), { lookup: toLoopback, headers: { Cookie: own } });
    await once(socket, "message");
    const { guests } = lab.relay.relay;
    guests.remove(lab.relay.session, guests.find(guest.split("=")[1] ?? "")?.id ?? "");
    expect((await ask("/", { headers: { Cookie: own } })).status).toBe(401);
    await until("the WebSocket to be cut", () => socket.readyState === WebSocket.CLOSED);
  });
});

test("a program that has ended is told to the browser", async () => {
  await using lab = await startPaperTunnels();
  const tunnel = await lab.program();
  const headers = { Cookie: await lab.cookie(tunnel.port) };
  await lab.end(tunnel);
  const answer = await fetchLocal(tunnel.url, { headers });
  expect([answer.status, answer.headers.get("x-service-error"), await answer.text()]).toEqual([
    502,
    "tunnel_failed",
    `The program on port ${tunnel.port} does not answer, or ended its answer early.\n`,
  ]);
  const socket = new WebSocket(tunnel.url.replace("http", "ws"), { lookup: toLoopback, headers });
  socket.on("error", () => undefined);
  const [, refusal] = await once(socket, "unexpected-response");
  expect([refusal.statusCode, refusal.headers["x-service-error"]]).toEqual([502, "tunnel_failed"]);
});

test("a server on ::1 alone is reached", async () => {
  await using lab = await startPaperTunnels();
  const tunnel = await lab.program("::1");
  const answer = await fetchLocal(tunnel.url, { headers: { Cookie: await lab.cookie(tunnel.port) } });
  expect(answer.status).toBe(200);
});

test("connections that say nothing keep no browser out of a tunnel", { timeout: 60_000 }, async () => {
  await using lab = await startPaperTunnels();
  const tunnel = await lab.program();
  const headers = { Cookie: await lab.cookie(tunnel.port) };
  const silent = Array.from({ length: 600 }, () => connect(Number(new URL(tunnel.url).port), "127.0.0.1"));
  for (const socket of silent) socket.on("error", () => undefined);
  await Promise.all(silent.map((socket) => once(socket, "connect")));
  expect((await fetchLocal(tunnel.url, { headers })).status).toBe(200);
  for (const socket of silent) socket.destroy();
});

test("a guest who opens connections without end keeps no other guest out of a tunnel", {
  timeout: 60_000,
}, async () => {
  await using lab = await startPaperTunnels();
  const tunnel = await lab.program();
  const { host, port } = new URL(tunnel.url);
  const [mallory, bob] = await Promise.all([lab.cookie(tunnel.port), lab.cookie(tunnel.port)]);
  const sockets = [];
  for (let opened = 0; opened < 600; opened += 1) {
    const socket = connect(Number(port), "127.0.0.1").on("error", () => undefined);
    sockets.push(socket);
    socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\nCookie: ${mallory}\r\n\r\n`);
    await Promise.race([once(socket, "data"), once(socket, "close")]);
  }
  expect((await fetchLocal(tunnel.url, { headers: { Cookie: bob } })).status).toBe(200);
  for (const socket of sockets) socket.destroy();
});
