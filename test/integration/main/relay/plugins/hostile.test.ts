import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import type { RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { until } from "../../../../support/until.ts";
import { startPluginRelay } from "./start-plugin-relay.ts";
import { manifestWith, startTestSite, type TestSite } from "./test-site.ts";

let site: TestSite;

beforeEach(async () => {
  site = await startTestSite();
  site.on("/manifest.json", manifestWith());
  site.on("/index.html", "<h1>1</h1>");
  return () => site[Symbol.asyncDispose]();
});

describe("addresses", () => {
  test.each([
    ["https://169.254.169.254/latest/meta-data/", "private or special network"],
    ["https://10.0.0.1/manifest.json", "private or special network"],
    ["https://[::ffff:127.0.0.1]/manifest.json", "private or special network"],
    ["http://example.com/manifest.json", "expected https"],
    ["file:///etc/passwd", "expected https"],
    ["https://me:secret@example.com/", "user name"],
    ["manifest.json", "expected a web address"],
  ])("%s is refused by the field's name", async (url, why) => {
    await using relay = await startPluginRelay({ resolve: neverAsked });
    const answer = await relay.install(url);
    expect(answer).toMatchObject({ status: 400, text: expect.stringMatching(/^body\.manifest_url: /) });
    expect(answer.text).toContain(why);
    expect(answer.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  });

  test.each([
    ["this machine", "127.0.0.1"],
    ["this machine", "::1"],
    ["a private network", "10.0.0.1"],
    ["a cloud's metadata", "169.254.169.254"],
    ["a private network in IPv6", "fd00::1"],
    ["this machine in disguise", "::ffff:127.0.0.1"],
  ])("a name of the outside that leads to %s (%s) is refused unconnected", async (_, address) => {
    const family = address.includes(":") ? 6 : 4;
    await using relay = await startPluginRelay({ resolve: async () => [{ address, family }] });
    const answer = await relay.install(`https://plugins.example.com:${site.port}/manifest.json`);
    expect(answer).toMatchObject({
      status: 502,
      text: `The manifest could not be fetched from https://plugins.example.com:${site.port}: plugins.example.com does not lead to public addresses alone.\n`,
    });
    expect(answer.headers.get("x-service-error")).toBe("fetch_failed");
    expect([await site.connections(), site.requests.length]).toEqual([0, 0]);
  });

  test("each connection goes where its one look-up led, and every look-up is checked (rebinding)", async () => {
    const asked: string[] = [];
    await using relay = await startPluginRelay({
      resolve: async (host) => {
        asked.push(host);
        return [{ address: asked.length === 1 ? "127.0.0.1" : "10.255.255.1", family: 4 }];
      },
    });
    const answer = await relay.install(`http://localhost:${site.port}/manifest.json`);
    expect(answer).toMatchObject({ status: 502, text: expect.stringContaining("The entry page could not be fetched") });
    expect([asked, site.requests.length]).toEqual([["localhost", "localhost"], 1]);
  });

  test("localhost that leads elsewhere is refused", async () => {
    await using relay = await startPluginRelay({ resolve: async () => [{ address: "192.168.0.1", family: 4 }] });
    const answer = await relay.install(`http://localhost:${site.port}/manifest.json`);
    expect(answer).toMatchObject({ status: 502, text: expect.stringContaining("loopback addresses alone") });
  });

  test("localhost by the system's own resolver is taken", async () => {
    await using relay = await startPluginRelay();
    expect(await relay.install(`http://localhost:${site.port}/manifest.json`)).toMatchObject({ status: 200 });
  });
});

describe("redirects", () => {
  test.each([
    ["http://169.254.169.254/latest/meta-data/", "expected https"],
    ["https://169.254.169.254/latest/meta-data/", "private or special network"],
    ["https://10.0.0.1/", "private or special network"],
    ["https://[fe80::1]/", "private or special network"],
    ["http://example.com/", "expected https"],
    ["file:///etc/passwd", "expected https"],
    ["https://a:b@example.com/", "user name"],
  ])("to %s are refused", async (location, why) => {
    site.on("/manifest.json", redirect(location));
    await using relay = await startPluginRelay({ resolve: neverAsked });
    const answer = await relay.install(`${site.url}/manifest.json`);
    expect(answer).toMatchObject({ status: 502, text: expect.stringContaining(why) });
  });

  test("to a name that leads into a private network are refused", async () => {
    site.on("/manifest.json", redirect("https://metadata.example.com/"));
    await using relay = await startPluginRelay({ resolve: async () => [{ address: "169.254.169.254", family: 4 }] });
    const answer = await relay.install(`${site.url}/manifest.json`);
    expect(answer).toMatchObject({ status: 502, text: expect.stringContaining("metadata.example.com does not lead") });
  });

  test("in a circle end after the third", async () => {
    site.on("/manifest.json", redirect("/manifest.json"));
    await using relay = await startPluginRelay();
    const answer = await relay.install(`${site.url}/manifest.json`);
    expect(answer).toMatchObject({ status: 502, text: expect.stringContaining("redirected more than 3 times") });
    expect(site.requests.length).toBe(4);
  });

  test("to nowhere are refused", async () => {
    site.on("/manifest.json", (_, response) => response.writeHead(302).end());
    await using relay = await startPluginRelay();
    expect(await relay.install(`${site.url}/manifest.json`)).toMatchObject({ status: 502 });
  });

  test("of the entry page may not leave the manifest's folder", async () => {
    const other = await startTestSite();
    await using _ = other;
    other.on("/p/index.html", "<h1>other</h1>");
    site.on("/p/manifest.json", manifestWith());
    site.on("/index.html", "<h1>above</h1>");
    await using relay = await startPluginRelay();
    for (const location of [`${other.url}/p/index.html`, "/index.html", "../index.html"]) {
      site.on("/p/index.html", redirect(location));
      const answer = await relay.install(`${site.url}/p/manifest.json`);
      expect(answer).toMatchObject({ status: 502, text: expect.stringContaining("leaves the manifest's folder") });
    }
    expect([other.requests.length, await relay.list()]).toEqual([0, []]);
  });
});

describe("servers", () => {
  const silent: RequestListener = () => undefined;
  const drip: RequestListener = (_, response) => {
    response.write("{");
    const drops = setInterval(() => response.write(" "), 20);
    response.on("close", () => clearInterval(drops));
  };
  const endless: RequestListener = (_, response) => {
    const pour = () => {
      while (response.write(" ".repeat(64 * 1024)));
    };
    response.on("drain", pour);
    pour();
  };

  test.each([
    ["that never answer", silent],
    ["that drip", drip],
  ])("%s are left in time, for the manifest and for the entry page", async (_, answer) => {
    await using relay = await startPluginRelay({ timeoutMs: 300 });
    for (const path of ["/index.html", "/manifest.json"]) {
      site.on(path, answer);
      const { status, text } = await relay.install(`${site.url}/manifest.json`);
      expect([status, text]).toEqual([502, "The plugin could not be fetched within 0.3 s.\n"]);
    }
    await until("the connections are closed", async () => (await site.connections()) === 0);
  });

  test("a resolver that never answers is left in time", async () => {
    await using relay = await startPluginRelay({ timeoutMs: 300, resolve: () => new Promise(() => undefined) });
    const answer = await relay.install("https://plugins.example.com/manifest.json");
    expect(answer).toMatchObject({ status: 502, text: "The plugin could not be fetched within 0.3 s.\n" });
  });

  test.each([
    ["/manifest.json", "it is over 256 KiB"],
    ["/index.html", "it is over 1024 KiB"],
  ])("that send %s without end are cut", async (path, why) => {
    site.on(path, endless);
    await using relay = await startPluginRelay();
    const answer = await relay.install(`${site.url}/manifest.json`);
    expect(answer).toMatchObject({ status: 502, text: expect.stringContaining(why) });
    await until("the connection is closed", async () => (await site.connections()) === 0);
  });

  test("256 KiB of manifest are taken, a byte more is not", async () => {
    const text = manifestWith();
    await using relay = await startPluginRelay();
    site.on("/manifest.json", text.padEnd(256 * 1024));
    expect(await relay.install(`${site.url}/manifest.json`)).toMatchObject({ status: 200 });
    site.on("/manifest.json", text.padEnd(256 * 1024 + 1));
    expect(await relay.install(`${site.url}/manifest.json`)).toMatchObject({ status: 502 });
  });

  const odd: [string, RequestListener, string][] = [
    ["answer 404", (_, response) => response.writeHead(404).end(manifestWith()), "the server answered 404"],
    ["answer 204", (_, response) => response.writeHead(204).end(), "the server answered 204"],
    ["compress unasked", (_, response) => response.setHeader("Content-Encoding", "gzip").end("x"), "compressed"],
    ["hang up", (_, response) => response.socket?.destroy(), "the server broke off"],
    [
      "break off",
      (_, response) => response.writeHead(200, { "Content-Length": 100 }).write("{", cut(response)),
      "broke",
    ],
    ["talk another language", (_, response) => response.socket?.end("SSH-2.0-x\r\n"), "as HTTP wants it"],
    [
      "switch protocols",
      (_, response) => response.socket?.write("HTTP/1.1 101 X\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n"),
      "the server",
    ],
  ];
  test.each(odd)("that %s are told", async (_, answer, why) => {
    site.on("/manifest.json", answer);
    await using relay = await startPluginRelay();
    const { status, text } = await relay.install(`${site.url}/manifest.json`);
    expect([status, text]).toEqual([502, expect.stringContaining(why)]);
    expect(relay.errors).toEqual([]);
  });

  test("where nobody listens", async () => {
    const gone = await startTestSite();
    await gone[Symbol.asyncDispose]();
    await using relay = await startPluginRelay();
    const answer = await relay.install(`${gone.url}/manifest.json`);
    expect(answer).toMatchObject({ status: 502, text: expect.stringContaining("nothing listens there") });
  });

  test("with a certificate that nobody vouches for are refused, whatever the environment says", async () => {
    const folder = mkdtempSync(join(tmpdir(), "patchbay-tls-"));
    const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
    const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
    const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
    execFileSync("openssl", ["req", "-x509", ...curve, ...subject, "-keyout", key, "-out", cert], { stdio: "ignore" });
    await using secure = await startTestSite({ key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") });
    rmSync(folder, { recursive: true });
    secure.on("/manifest.json", manifestWith());
    await using relay = await startPluginRelay();
    const answer = await relay.install(`${secure.url}/manifest.json`);
    expect(answer).toMatchObject({ status: 502, text: expect.stringContaining("is not trusted") });
    expect(secure.requests.length).toBe(0);
  });

  test("do not keep the relay from stopping", async () => {
    site.on("/manifest.json", silent);
    const relay = await startPluginRelay();
    const answer = relay.install(`${site.url}/manifest.json`).catch(() => "cut off");
    await until("the manifest is asked for", () => site.requests.length === 1);
    await relay[Symbol.asyncDispose]();
    await answer;
    await until("the connection is closed", async () => (await site.connections()) === 0);
    expect(relay.errors).toEqual([]);
  });
});

describe("manifests", () => {
  test.each([
    ["<!doctype html>", "manifest: expected a JSON object"],
    [manifestWith({ entry: "../index.html" }), "manifest.entry: "],
    [manifestWith({ entry: "https://example.com/index.html" }), "manifest.entry: "],
    [manifestWith({ version: "one" }), "manifest.version: expected a version such as 1.2.0."],
    [manifestWith({ permissions: ["tost"] }), 'manifest.permissions.0: no such method: "tost"; did you mean toast?'],
  ])("such as %s are refused by the field's name", async (text, message) => {
    site.on("/manifest.json", text);
    await using relay = await startPluginRelay();
    const answer = await relay.install(`${site.url}/manifest.json`);
    expect(answer).toMatchObject({ status: 400, text: expect.stringContaining(message) });
    expect(answer.headers.get("x-service-error")).toBe("invalid_params");
    expect(await relay.list()).toEqual([]);
  });

  test("of another plugin are refused, before its page is asked for", async () => {
    await using relay = await startPluginRelay();
    const answer = await relay.install(`${site.url}/manifest.json`, "build-status");
    expect(answer).toMatchObject({ status: 409, text: expect.stringContaining("agent-cost, not of build-status") });
    expect(answer.headers.get("x-service-error")).toBe("plugin_id_mismatch");
    expect(site.requests.map(({ url }) => url)).toEqual(["/manifest.json"]);
  });
});

function redirect(location: string): RequestListener {
  return (_, response) => response.writeHead(302, { Location: location }).end();
}

function cut(response: { socket: { destroy(): void } | null }): () => void {
  return () => response.socket?.destroy();
}

function neverAsked(host: string): Promise<never> {
  return Promise.reject(new Error(`${host} should not have been resolved`));
}
