import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { checkPage, refusesFrames } from "../../../../../main/relay/net/check-page.ts";
import { freePort } from "../../../../support/free-port.ts";

test.each<[headers: Record<string, string>, refuses: boolean]>([
  [{}, false],
  [{ "x-frame-options": "DENY" }, true],
  [{ "x-frame-options": "sameorigin" }, true],
  [{ "content-security-policy": "default-src 'self'" }, false],
  [{ "content-security-policy": "default-src 'self'; frame-ancestors 'none'" }, true],
  [{ "content-security-policy": "frame-ancestors 'self' https://partner.example" }, true],
  [{ "content-security-policy": "frame-ancestors *", "x-frame-options": "DENY" }, false],
  [{ "content-security-policy": "img-src *, frame-ancestors https:" }, false],
])("a page with %o refuses frames: %s", (headers, refuses) => {
  expect(refusesFrames(new Headers(headers))).toBe(refuses);
});

test("a page is requested, and one that does not answer is named with the reason", async () => {
  const server = createServer((request, response) => {
    response.setHeader("x-frame-options", request.url === "/closed" ? "DENY" : "");
    response.end("<h1>here</h1>");
  }).listen(0, "127.0.0.1");
  await new Promise((listening) => server.once("listening", listening));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect(await checkPage(`${base}/open`)).toEqual({ page: "shown", detail: null });
  expect(await checkPage(`${base}/closed`)).toEqual({ page: "refuses-frames", detail: null });
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
  expect(await checkPage(`http://127.0.0.1:${await freePort()}/`)).toEqual({
    page: "unreachable",
    detail: "ECONNREFUSED",
  });
});
