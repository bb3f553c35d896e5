import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Tunnel } from "../../../../../core/protocol/records.ts";
import { isTunnelEntry, newTunnelHost } from "../../../../../main/relay/tunnels/tunnel-entry.ts";
import { fetchLocal } from "../../../../support/local-name.ts";
import { type PaperTunnels, startPaperTunnels } from "./paper-tunnels.ts";

let lab: PaperTunnels;
let tunnel: Tunnel;
beforeAll(async () => {
  lab = await startPaperTunnels();
  tunnel = await lab.program();
});
afterAll(() => lab[Symbol.asyncDispose]());

const ask = (path: string, sent: Parameters<typeof fetchLocal>[1] = {}) => fetchLocal(new URL(path, tunnel.url), sent);
const newPass = async () => ((await (await lab.pass(tunnel.port)).json()) as { result: { pass: string } }).result.pass;

test("the entry's page runs the one script that its policy names, and nothing else", async () => {
  const answer = await ask("/.patchbay/?x=1");
  const page = await answer.text();
  const [, script = ""] = /<script>([\s\S]*)<\/script>/.exec(page) ?? [];
  const digest = createHash("sha256").update(script).digest("base64");
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  expect(answer.headers.get("content-security-policy")).toBe(
    `default-src 'none'; script-src 'sha256-${digest}'; connect-src 'self'; base-uri 'none'; form-action 'none'`,
  );
  expect(script).toContain('fetch("/.patchbay/", { method: "POST"');
  expect(page).toMatch(/^<!doctype html>\n<html lang="en">/);
});

test("no answer of the entry is kept, guessed at or told to other sites", async () => {
  const pass = await newPass();
  const entered = await ask("/.patchbay/", { method: "POST", body: pass });
  const Cookie = (entered.headers.get("set-cookie") ?? "").split(";", 1).join("");
  const admitted = await ask("/.patchbay/admitted", { headers: { Cookie } });
  expect([entered.status, admitted.status]).toEqual([204, 204]);
  for (const { headers } of [entered, admitted, await ask("/.patchbay/")]) {
    expect(["cache-control", "referrer-policy", "x-content-type-options"].map((name) => headers.get(name))).toEqual([
      "no-store",
      "no-referrer",
      "nosniff",
    ]);
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
  }
});

test.each([
  [
    "a pass that was never issued",
    "POST",
    "pbt_guess",
    401,
    "This pass is not valid any more: open the tunnel's tile again.\n",
  ],
  [
    "a pass of 200 characters",
    "POST",
    "x".repeat(200),
    401,
    "This pass is not valid any more: open the tunnel's tile again.\n",
  ],
  ["a longer one", "POST", "x".repeat(201), 413, "This is no pass of a tunnel.\n"],
  ["another method", "DELETE", undefined, 405, "A tunnel's entry takes GET and POST.\n"],
])("%s is refused with the reason", async (_what, method, body, status, sentence) => {
  const answer = await ask("/.patchbay/", { method, ...(body === undefined ? {} : { body }) });
  expect([answer.status, await answer.text()]).toEqual([status, sentence]);
});

test.each([
  ["/.patchbay/", true],
  ["/.patchbay/admitted?x", true],
  ["/?/.patchbay/", false],
  ["/x/.patchbay/", false],
  [undefined, false],
])("the path %j of a tunnel is its entry's: %j", (url, isEntry) => {
  expect(isTunnelEntry({ url } as IncomingMessage)).toBe(isEntry);
});

test("the host of a tunnel cannot be guessed", () => {
  const hosts = Array.from({ length: 100 }, newTunnelHost);
  for (const host of hosts) expect(host).toMatch(/^[0-9a-f]{32}\.localhost$/);
  expect(new Set(hosts).size).toBe(100);
});
