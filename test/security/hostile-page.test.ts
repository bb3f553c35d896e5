import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket as NodeWebSocket } from "ws";
import { KEY_PROTOCOL } from "../../core/protocol/page-credentials.ts";
import { joinSession, startWebLab, type WebLab } from "../e2e/browser/web-lab.ts";
import { startTestRelay } from "../support/test-relay.ts";
import { until } from "../support/until.ts";

/** Names that the attacker's name server gives this machine's address: DNS rebinding, and a site of his own. */
const REBOUND = "rebound.test";
const SITE = "attacker.test";

let lab: WebLab;
let site: Server;
let browser: Browser;
/** Has the cookie of a guest, who then visits the attacker's page. */
let victim: BrowserContext;
let page: Page;

beforeAll(async () => {
  lab = await startWebLab({ client: true });
  site = createServer((_request, response) => {
    response.setHeader("content-type", "text/html").end("<!doctype html><title>nice page</title><body>");
  });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  browser = await chromium.launch({
    executablePath: process.env.PATCHBAY_CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-background-networking",
      `--host-resolver-rules=MAP ${REBOUND} 127.0.0.1, MAP ${SITE} 127.0.0.1`,
    ],
  });
  victim = await browser.newContext();
  const own = await victim.newPage();
  await own.goto(await lab.invite({ role: "admin" }));
  await joinSession(own);
  await own.getByText("Connected", { exact: true }).waitFor();
  page = await victim.newPage();
  await page.goto(`http://${SITE}:${(site.address() as AddressInfo).port}/`);
}, 60_000);

afterAll(async () => {
  await browser.close();
  await new Promise((resolve) => site.close(resolve));
  await lab[Symbol.asyncDispose]();
});

function base(): string {
  return `${lab.relay().url}/v1/sessions/${lab.relay().session}`;
}

const login = {
  address: () => `${lab.relay().url}/v1/oauth/device_authorization`,
  headers: { "Content-Type": "application/x-www-form-urlencoded" },
  body: "client_id=page",
};

/** The programs whose logins wait for the user's answer. */
async function pendingLogins(): Promise<string[]> {
  const answer = await fetch(`${lab.relay().url}/v1/logins`, { headers: { "X-Service-Token": lab.key } });
  return ((await answer.json()) as { result: { name: string }[] }).result.map(({ name }) => name);
}

/** What a WebSocket with these headers gets: `open`, or the HTTP status of the refusal. */
function dial(address: string, headers: Record<string, string>): Promise<"open" | number | undefined> {
  return new Promise((resolve, reject) => {
    const socket = new NodeWebSocket(address, { headers });
    socket.on("open", () => {
      socket.close();
      resolve("open");
    });
    socket.on("unexpected-response", (request, response) => {
      request.destroy();
      resolve(response.statusCode);
    });
    socket.on("error", reject);
  });
}

interface Attempt {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly mode?: "no-cors";
  readonly credentials?: "include";
}

/** What the attacker can see of a request from his page: its text, or that he got nothing. */
function attempt(address: string, init: Attempt = {}): Promise<string> {
  return page.evaluate(
    async ([to, options]) => {
      try {
        const answer = await fetch(to, options);
        return answer.type === "opaque" ? "opaque" : await answer.text();
      } catch {
        return "refused";
      }
    },
    [address, init] as const,
  );
}

describe("a hostile page in the user's browser", () => {
  test("cannot call the API across sites, not even with a key that it knows", async () => {
    const body = JSON.stringify({ method: "sendChat", params: { message: "from the attacker" } });
    const known = { "X-Service-Token": lab.key };
    expect(await attempt(`${base()}/remote/tiles`, { headers: known })).toBe("refused");
    expect(await attempt(`${base()}/remote/command`, { method: "POST", headers: known, body })).toBe("refused");
    expect(await attempt(`${base()}/remote/command`, { method: "POST", body, credentials: "include" })).toBe("refused");
    // Without a header of its own and without reading the answer, a browser sends it; the relay must not do it.
    await attempt(`${base()}/remote/command`, { method: "POST", body, mode: "no-cors", credentials: "include" });
    await attempt(`${base()}/remote/command?token=${lab.key}`, { method: "POST", body, mode: "no-cors" });
    expect(await lab.command("getChat")).toEqual([]);
    // A login needs neither a credential nor a header that a browser would ask about first: only its Origin stops it.
    await attempt(login.address(), { method: "POST", body: login.body, headers: login.headers, mode: "no-cors" });
    expect(await pendingLogins()).toEqual([]);
  });

  test("cannot change anything by a form", async () => {
    const sessions = async () =>
      (await fetch(`${lab.relay().url}/v1/sessions`, { headers: { "X-Service-Token": lab.key } })).text();
    const before = await sessions();
    for (const path of ["/v1/sessions", `/v1/sessions/${lab.relay().session}/invites`, `/s/${lab.relay().session}`]) {
      const done = page.waitForEvent("framenavigated", { predicate: (frame) => frame !== page.mainFrame() });
      await page.evaluate((action) => {
        const frame = Object.assign(document.createElement("iframe"), { name: "target" });
        const form = Object.assign(document.createElement("form"), {
          method: "post",
          action,
          target: "target",
          enctype: "text/plain",
        });
        const field = Object.assign(document.createElement("input"), { name: '{"name":"mine","x":"', value: '"}' });
        form.append(field);
        document.body.replaceChildren(frame, form);
        form.submit();
      }, lab.relay().url + path);
      await done;
    }
    expect(await sessions()).toBe(before);
    const done = page.waitForEvent("framenavigated", { predicate: (frame) => frame !== page.mainFrame() });
    await page.evaluate((action) => {
      const frame = Object.assign(document.createElement("iframe"), { name: "target" });
      const form = Object.assign(document.createElement("form"), { method: "post", action, target: "target" });
      form.append(Object.assign(document.createElement("input"), { name: "client_id", value: "form" }));
      document.body.replaceChildren(frame, form);
      form.submit();
    }, login.address());
    await done;
    expect(await pendingLogins()).toEqual([]);
    // A form can send JSON as text, so text is not read as JSON, whoever sends it.
    const answer = await fetch(`${base()}/remote/command`, {
      method: "POST",
      headers: { "X-Service-Token": lab.key, "Content-Type": "text/plain" },
      body: JSON.stringify({ method: "sendChat", params: { message: "from a form" } }),
    });
    expect([answer.status, await lab.command("getChat")]).toEqual([415, []]);
  });

  test("cannot open a WebSocket with a key that it knows, in the subprotocol in which the session's page sends one", async () => {
    const dialFrom = (from: Page) =>
      from.evaluate(
        ([address, ...protocols]) =>
          new Promise((resolve) => {
            const tried = new WebSocket(address, protocols);
            tried.onopen = () => resolve("open");
            tried.onerror = () => resolve("refused");
          }),
        [`${base().replace("http", "ws")}/socket`, KEY_PROTOCOL, lab.key] as const,
      );
    expect(await dialFrom(page)).toBe("refused");
    const own = await victim.newPage();
    await own.goto(`${lab.relay().url}/s/${lab.relay().session}/guest`);
    expect(await dialFrom(own)).toBe("open");
    await own.close();
  });

  test("cannot open a WebSocket or an event stream, though the browser has a guest's cookie", async () => {
    const opened = await page.evaluate(
      async ([socket, events]) => {
        const tried = new WebSocket(socket);
        const first = new Promise((resolve) => {
          tried.onopen = () => resolve("open");
          tried.onerror = () => resolve("refused");
        });
        const stream = new EventSource(events, { withCredentials: true });
        const second = new Promise((resolve) => {
          stream.onopen = () => resolve("open");
          stream.onerror = () => resolve("refused");
        });
        return Promise.all([first, second]);
      },
      [`${lab.relay().url.replace("http", "ws")}/s/${lab.relay().session}/socket`, `${base()}/events`] as const,
    );
    expect(opened).toEqual(["refused", "refused"]);
    // A page of another port of the same host is of the same site, so the browser sends the cookie: only the Origin differs.
    const { session, url } = lab.relay();
    const neighbour = await victim.newPage();
    const asked = once(site, "request") as Promise<[IncomingMessage]>;
    await neighbour.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/s/${session}/page`);
    const cookie = (await asked)[0].headers.cookie ?? "";
    expect(cookie).toMatch(/^patchbay_guest_/);
    const socket = `${url.replace("http", "ws")}/s/${session}/socket`;
    const fromNeighbour = await neighbour.evaluate(
      (address) =>
        new Promise((resolve) => {
          const tried = new WebSocket(address);
          tried.onopen = () => resolve("open");
          tried.onerror = () => resolve("refused");
        }),
      socket,
    );
    expect(fromNeighbour).toBe("refused");
    expect(await neighbour.evaluate(() => document.cookie)).toBe("");
    // The same cookie opens the session for its own page, and for no program, which sends no Origin.
    expect(await dial(socket, { Cookie: cookie, Origin: new URL(url).origin })).toBe("open");
    expect(await dial(socket, { Cookie: cookie })).toBe(401);
    // Another site does not even make the browser send it.
    const followed = page.waitForEvent("framenavigated", { predicate: (frame) => frame === page.mainFrame() });
    const before = page.url();
    await page.evaluate((address) => location.assign(address), `${url}/s/${session}/guest`);
    await followed;
    expect(await page.locator("body").textContent()).toContain('{"result":null}');
    await page.goto(before);
    await neighbour.close();
  });

  test("has no hold on a session or a panel that it opens in a tab: it cannot replace it by a page of its own", async () => {
    for (const address of [await lab.invite({ role: "admin" }), `${lab.relay().url}/panel`]) {
      const opening = victim.waitForEvent("page");
      const hold = await page.evaluateHandle((own) => window.open(own), address);
      const opened = await opening;
      await opened.waitForLoadState();
      await hold.evaluate((tab, copy) => {
        tab?.location.replace(copy);
      }, page.url());
      expect(await hold.evaluate((tab) => tab?.closed)).toBe(true);
      expect(opened.url()).toContain(new URL(address).pathname);
      await opened.close();
    }
  });

  test("cannot put the session into a frame of its own", async () => {
    const link = await lab.invite({ role: "admin" });
    await page.evaluate((source) => {
      const frame = document.createElement("iframe");
      frame.src = source;
      document.body.replaceChildren(frame);
      return new Promise((resolve) => {
        frame.onload = resolve;
      });
    }, link);
    // It is told here a moment after the page has seen it.
    const framed = await until("the frame's page", () => page.mainFrame().childFrames()[0]?.url() || undefined);
    expect(framed).toMatch(/^chrome-error:/);
    // Nobody came in, so the link is good still.
    const fresh = await (await browser.newContext()).newPage();
    await fresh.goto(link);
    await joinSession(fresh);
    await fresh.getByText("Connected", { exact: true }).waitFor();
  });

  test("whose name was rebound to this machine gets nothing", async () => {
    const { port } = new URL(lab.relay().url);
    const rebound = await victim.newPage();
    for (const path of [
      "/v1/health",
      `/v1/sessions/${lab.relay().session}/remote/tiles`,
      `/s/${lab.relay().session}`,
    ]) {
      const answer = await rebound.goto(`http://${REBOUND}:${port}${path}`);
      expect([answer?.status(), answer?.headers()["x-service-error"]]).toEqual([403, "foreign_origin"]);
    }
  });
});

test("no page frames the API's documentation, which has the relay's own origin", async () => {
  await using relay = await startTestRelay();
  const answer = await relay.request("GET", "/v1/docs");
  expect([answer.status, answer.headers.get("content-security-policy")]).toEqual([
    200,
    expect.stringContaining("frame-ancestors 'none'"),
  ]);
});
