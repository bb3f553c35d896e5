import { expect, test } from "vitest";
import { rewriteRequestHeaders, rewriteResponseHeaders } from "../../../../../main/relay/tunnels/tunnel-headers.ts";

test.each([
  ["http://localhost:3000/a?b#c", "/a?b#c"],
  ["http://127.0.0.1:3000", "/"],
  ["//0.0.0.0:3000/a", "/a"],
  ["http://localhost:3000//evil.test/a", "/evil.test/a"],
  ["/already", "/already"],
  ["relative", "relative"],
  ["http://localhost:3001/", "http://localhost:3001/"],
  ["https://localhost:3000.evil.test/", "https://localhost:3000.evil.test/"],
  ["https://example.test/", "https://example.test/"],
  ["http://[broken", "http://[broken"],
])("a redirect to %s leads the browser to %s", (location, led) => {
  const headers = { location };
  rewriteResponseHeaders(headers, 3000);
  expect(headers.location).toBe(led);
});

test("a foreign origin and referrer are told as they are", () => {
  const headers = { host: "127.0.0.1:4000", origin: "http://other.test", referer: "http://127.0.0.1:40001/x" };
  rewriteRequestHeaders(headers, 3000);
  expect(headers).toEqual({
    host: "localhost:3000",
    origin: "http://other.test",
    referer: "http://127.0.0.1:40001/x",
  });
});

test("what the relay has answered, or does not pass on, is not asked of the program", () => {
  const headers = { host: "a", expect: "100-continue", trailer: "x", "x-forwarded-for": "1.2.3.4", te: "trailers" };
  rewriteRequestHeaders(headers, 3000);
  expect(headers).toEqual({ host: "localhost:3000", te: "trailers" });
});

test("cookies lose their domain, and ours are dropped however they are spelt", () => {
  const headers = { "set-cookie": ["a=1; DOMAIN=.localhost; Path=/x", " Patchbay_Guest_s=1", "b=2"] };
  rewriteResponseHeaders(headers, 3000);
  expect(headers["set-cookie"]).toEqual(["a=1; Path=/x", "b=2"]);
});

test("no prefix of a cookie's name makes one of ours pass", () => {
  const names = ["__Host-patchbay_pass", "__host-patchbay_guest_s", "__Secure-patchbay_x", "patchbay_tunnel_1"];
  const sent = { host: "a", cookie: [...names.map((name) => `${name}=secret`), "theirs=1"].join("; ") };
  rewriteRequestHeaders(sent, 3000);
  expect(sent.cookie).toBe("theirs=1");
  const set = { "set-cookie": names.map((name) => `${name}=1; Path=/`) };
  rewriteResponseHeaders(set, 3000);
  expect(set).toEqual({});
});

test.each([
  ["a=1", "a=1; SameSite=None; Secure; Partitioned"],
  ["a=1; SameSite=Lax; Path=/; Secure", "a=1; Path=/; SameSite=None; Secure; Partitioned"],
  ["a=1;samesite = strict;PARTITIONED; HttpOnly", "a=1; HttpOnly; SameSite=None; Secure; Partitioned"],
  ["secure=1; Path=/secure", "secure=1; Path=/secure; SameSite=None; Secure; Partitioned"],
])("at a host of the tunnel's own the cookie %s is kept in a frame", (cookie, kept) => {
  const headers = { "set-cookie": [cookie] };
  rewriteResponseHeaders(headers, 3000, { ownHost: true });
  expect(headers["set-cookie"]).toEqual([kept]);
});

test("cookies lose a domain with a space before its sign, and ours are dropped where they stand as the value of no name", () => {
  const headers = {
    "set-cookie": ["a=1; Domain =example.com; Path=/", "=patchbay_guest_x=stolen", " = patchbay_guest_x=stolen"],
  };
  rewriteResponseHeaders(headers, 3000);
  expect(headers["set-cookie"]).toEqual(["a=1; Path=/"]);
});

test.each([
  ["h2c", "Upgrade, HTTP2-Settings", {}],
  ["h2c", "close, upgrade,, http2-settings", { connection: "close" }],
  ["WebSocket", "Upgrade", { connection: "Upgrade", upgrade: "WebSocket" }],
])("an offer of %s by `Connection: %s` is made to the program as %j", (upgrade, connection, passed) => {
  const settings = upgrade === "h2c" ? { "http2-settings": "AAMAAABkAAQAoAAAAAIAAAAA" } : {};
  const headers = { host: "localhost:4000", upgrade, connection, ...settings };
  rewriteRequestHeaders(headers, 3000);
  expect(headers).toEqual({ host: "localhost:3000", ...passed });
});
