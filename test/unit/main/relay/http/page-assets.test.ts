import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { askRaw } from "../../../../support/ask-raw.ts";
import type { TestRelay } from "../../../../support/test-relay.ts";
import { startPaperRelay } from "../paper-relay.ts";

const SCRIPT = `console.log(${JSON.stringify("a script ".repeat(400))});\n`;
let relay: TestRelay;

beforeAll(async () => {
  relay = await startPaperRelay();
  const assets = join(relay.folder, "assets");
  mkdirSync(assets);
  writeFileSync(join(assets, "view-1a2b3c4d.js"), SCRIPT);
  writeFileSync(join(assets, "view-1a2b3c4d.js.br"), brotliCompressSync(SCRIPT));
  writeFileSync(join(assets, "view-1a2b3c4d.js.gz"), gzipSync(SCRIPT));
  writeFileSync(join(assets, "font-1a2b3c4d.woff2"), "font");
  writeFileSync(join(relay.folder, "secret.js"), "not an asset");
  writeFileSync(join(relay.folder, "secret.js.br"), "not an asset");
});

afterAll(() => relay[Symbol.asyncDispose]());

function ask(file: string, headers?: Record<string, string>, method?: string) {
  return askRaw(`${relay.url}/s/assets/${file}`, headers, method);
}

test.each<[string, string | undefined, (body: Buffer) => string]>([
  ["gzip, deflate, br, zstd", "br", (body) => brotliDecompressSync(body).toString()],
  ["gzip, br;q=0", "gzip", (body) => gunzipSync(body).toString()],
  ["gzip", "gzip", (body) => gunzipSync(body).toString()],
  ["deflate", undefined, String],
  ["", undefined, String],
])("a script is sent to a browser that accepts %j as %s", async (accepted, encoding, decode) => {
  const { status, headers, body } = await ask("view-1a2b3c4d.js", { "Accept-Encoding": accepted });
  expect([status, headers["content-encoding"]]).toEqual([200, encoding]);
  expect(headers["content-type"]).toMatch(/^text\/javascript/);
  expect(headers.vary).toContain("Accept-Encoding");
  expect(headers["cache-control"]).toBe("public, max-age=31536000, immutable");
  expect(headers["content-length"]).toBe(String(body.length));
  expect(decode(body)).toBe(SCRIPT);
});

test("an asset without compressed forms is sent as it is, and is kept for good, too", async () => {
  const { status, headers, body } = await ask("font-1a2b3c4d.woff2", { "Accept-Encoding": "br" });
  expect([status, headers["content-encoding"], String(body)]).toEqual([200, undefined, "font"]);
  expect(headers["cache-control"]).toBe("public, max-age=31536000, immutable");
});

test("a head and a repeated request get no content", async () => {
  const head = await ask("view-1a2b3c4d.js", { "Accept-Encoding": "br" }, "HEAD");
  expect([head.status, head.headers["content-encoding"], head.body.length]).toEqual([200, "br", 0]);
  const again = await ask("view-1a2b3c4d.js", {
    "Accept-Encoding": "br",
    "If-Modified-Since": String(head.headers["last-modified"]),
  });
  expect([again.status, again.body.length]).toEqual([304, 0]);
});

test.each(["..%2fsecret.js", "%2e%2e%2fsecret.js", "nothing.js", ".hidden", "a%00.js", "a/view-1a2b3c4d.js"])(
  "%j is no asset",
  async (file) => {
    const { status, headers } = await ask(file, { "Accept-Encoding": "br" });
    expect([400, 403, 404]).toContain(status);
    expect(headers["cache-control"] ?? "").not.toContain("immutable");
  },
);
