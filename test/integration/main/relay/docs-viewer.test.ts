import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { askRaw } from "../../../support/ask-raw.ts";
import { startTestRelay, type TestRelay } from "../../../support/test-relay.ts";

const SCRIPT = `console.log(${JSON.stringify("a viewer ".repeat(400))});\n`;
const STYLE = `body { color: red }\n`;
let relay: TestRelay;

beforeAll(async () => {
  relay = await startTestRelay();
  writeFileSync(join(relay.folder, "viewer.js.gz"), gzipSync(SCRIPT));
  writeFileSync(join(relay.folder, "viewer.css.gz"), gzipSync(STYLE));
  writeFileSync(join(relay.folder, "secret.js.gz"), gzipSync("no part of the viewer"));
});

afterAll(() => relay[Symbol.asyncDispose]());

function ask(file: string, headers?: Record<string, string>, method?: string) {
  return askRaw(`${relay.url}/v1/docs/${file}`, headers, method);
}

test.each<[string, string | undefined, (body: Buffer) => string]>([
  ["gzip, deflate, br", "gzip", (body) => gunzipSync(body).toString()],
  ["br, gzip;q=0", undefined, String],
  ["identity", undefined, String],
])("the viewer's script is sent to a client that accepts %j as %s", async (accepted, encoding, decode) => {
  const { status, headers, body } = await ask("viewer.js", { "Accept-Encoding": accepted });
  expect([status, headers["content-encoding"]]).toEqual([200, encoding]);
  expect(headers["content-type"]).toMatch(/^text\/javascript/);
  expect(headers.vary).toContain("Accept-Encoding");
  expect(headers["content-length"]).toBe(String(body.length));
  expect(decode(body)).toBe(SCRIPT);
});

test("its style sheet is one, also for a client that says nothing of encodings", async () => {
  const { status, headers, body } = await ask("viewer.css");
  expect([status, headers["content-encoding"], String(body)]).toEqual([200, undefined, STYLE]);
  expect(headers["content-type"]).toMatch(/^text\/css/);
});

test("a head and a repeated request get no content", async () => {
  const head = await ask("viewer.js", { "Accept-Encoding": "gzip" }, "HEAD");
  expect([head.status, head.headers["content-encoding"], head.body.length]).toEqual([200, "gzip", 0]);
  const again = await ask("viewer.js", {
    "Accept-Encoding": "gzip",
    "If-Modified-Since": String(head.headers["last-modified"]),
  });
  expect([again.status, again.body.length]).toEqual([304, 0]);
});

test.each(["viewer.js.gz", "secret.js", "..%2fsecret.js", "%2e%2e%2fviewer.js"])("%j is not served", async (file) => {
  expect((await ask(file)).status).toBe(404);
});
