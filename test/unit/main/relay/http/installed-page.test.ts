import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestRelay } from "../../../../support/test-relay.ts";
import { startPaperRelay } from "../paper-relay.ts";

let relay: TestRelay;

beforeAll(async () => {
  relay = await startPaperRelay();
  mkdirSync(join(relay.folder, "web"));
  mkdirSync(join(relay.folder, "icons"));
  writeFileSync(join(relay.folder, "web/index.html"), '<head><script nonce="PATCHBAY_NONCE"></script></head>');
  writeFileSync(join(relay.folder, "web/offline-worker.js"), "// the worker\n");
  writeFileSync(join(relay.folder, "icons/256.png"), "icon");
});

afterAll(() => relay[Symbol.asyncDispose]());

const get = (path: string) => relay.request("GET", path, { headers: { "X-Service-Token": "" } });

test("the manifest is of one session, and the same for sessions that there are and that there are not", async () => {
  const own = await get(`/s/${relay.session}/manifest.webmanifest`);
  expect([own.status, own.headers.get("content-type")]).toEqual([200, "application/manifest+json; charset=utf-8"]);
  expect(JSON.parse(own.text)).toMatchObject({
    id: `/s/${relay.session}`,
    start_url: `/s/${relay.session}`,
    scope: `/s/${relay.session}`,
    icons: [
      { src: "/s/icons/256.png", purpose: "any" },
      { src: "/s/icons/512.png", purpose: "any" },
      { src: "/s/icons/maskable-512.png", sizes: "512x512", purpose: "maskable" },
    ],
  });
  const other = await get("/s/no-session/manifest.webmanifest");
  expect(other.text).toBe(own.text.replaceAll(relay.session, "no-session"));
});

test("a page links its manifest; an address that is no session's id is not written into it", async () => {
  const page = await get(`/s/${relay.session}`);
  expect(page.text).toContain(`<link rel="manifest" href="./${relay.session}/manifest.webmanifest" />`);
  expect(page.headers.get("content-security-policy")).toContain("worker-src 'self'");
  const policy = page.headers.get("content-security-policy") ?? "";
  // Images of terminals are decoded in WebAssembly. Nothing else that is unsafe is allowed.
  expect(policy).toContain("script-src 'self' 'wasm-unsafe-eval';");
  expect(policy.replace("'wasm-unsafe-eval'", "")).not.toContain("unsafe");
  const feigned = await get("/s/%22%3E%3Cscript%3E");
  expect(feigned.text).not.toMatch(/manifest|"><script>/);
  expect((await get("/s/%22%3E/manifest.webmanifest")).status).toBe(404);
});

test("the worker may do nothing but ask its relay, and browsers look for a new one each time", async () => {
  const { status, headers, text } = await get("/s/worker.js");
  expect([status, text]).toEqual([200, "// the worker\n"]);
  expect(headers.get("content-type")).toMatch(/^text\/javascript/);
  expect(headers.get("content-security-policy")).toBe("default-src 'none'; connect-src 'self'");
  expect(headers.get("cache-control")).toBe("no-cache");
  expect((await get("/s/icons/256.png")).status).toBe(200);
});
