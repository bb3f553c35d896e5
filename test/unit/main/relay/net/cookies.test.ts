import { expect, test } from "vitest";
import { SessionId } from "../../../../../core/protocol/ids.ts";
import { findGuest, guestCookie } from "../../../../../main/relay/access/guest-cookie.ts";
import { type Guest, guestSecretOf } from "../../../../../main/relay/access/guests.ts";
import { cookieValues, strictCookie } from "../../../../../main/relay/net/cookies.ts";

test.each([
  [undefined, []],
  ["a=1", ["1"]],
  ["b=2;a=1", ["1"]],
  ["a=junk; b=2; a=1", ["junk", "1"]],
  ["a", [""]],
  ["A=1; aa=2; a =3", []],
  ["a=%31", ["%31"]],
])("the values of a in %j", (cookie, values) => {
  expect(cookieValues({ headers: { ...(cookie === undefined ? {} : { cookie }) } }, "a")).toEqual(values);
});

test("a cookie is closed to scripts and to other sites", () => {
  expect(strictCookie("a", "1", { path: "/", secure: false })).toBe("a=1; HttpOnly; SameSite=Strict; Path=/");
  expect(strictCookie("a", "1", { path: "/s/x", maxAgeMs: 1999, secure: true })).toBe(
    "a=1; HttpOnly; SameSite=Strict; Path=/s/x; Max-Age=1; Secure",
  );
});

test("another cookie of the same name does not shut a guest out", () => {
  const times = { since: "", lastSeenAt: "", expiresAt: "" };
  const session = SessionId.parse("session-one");
  const guest: Guest = {
    id: "1",
    session,
    name: "guest",
    role: "writer",
    device: "",
    invite: null,
    madeBy: null,
    ...times,
  };
  const other = { ...guest, session: SessionId.parse("session-two") };
  const guests = { find: (secret: string) => ({ good: guest, other })[secret] };
  const carrying = (cookie: string) => findGuest({ headers: { cookie } }, "session-one", guests);
  expect(carrying("patchbay_guest_session-one=junk; patchbay_guest_session-one=good")).toEqual(guest);
  expect(carrying("patchbay_guest_session-one=other; patchbay_guest_session-two=good")).toBeUndefined();
  expect(carrying("patchbay_guest_session-one=junk; __Host-patchbay_guest_session-one=good")).toEqual(guest);
});

test("a page key decides whose request it is, whatever the cookies", () => {
  const times = { since: "", lastSeenAt: "", expiresAt: "" };
  const session = SessionId.parse("session-one");
  const guest: Guest = {
    id: "1",
    session,
    name: "guest",
    role: "writer",
    device: "",
    invite: null,
    madeBy: null,
    ...times,
  };
  const own = guestSecretOf("pbk_own");
  const guests = { find: (secret: string) => ({ [own]: guest, tossed: { ...guest, name: "attacker" } })[secret] };
  const find = (headers: Record<string, string>) =>
    findGuest({ headers: { cookie: "patchbay_guest_session-one=tossed", ...headers } }, "session-one", guests)?.name;
  expect(find({})).toBe("attacker");
  expect(find({ "x-patchbay-guest": "pbk_own" })).toBe("guest");
  expect(find({ "sec-websocket-protocol": "patchbay, pbk_own" })).toBe("guest");
  // A guest who was removed does not become the guest of another cookie.
  for (const key of ["", "pbk_other", own]) {
    expect([key, find({ "x-patchbay-guest": key })]).toEqual([key, undefined]);
    expect([key, find({ "sec-websocket-protocol": `patchbay, ${key}` })]).toEqual([key, undefined]);
  }
  expect(find({ "sec-websocket-protocol": "patchbay" })).toBeUndefined();
});

test("over TLS the guest's cookie belongs to its host alone", () => {
  const options = { session: SessionId.parse("session-one"), secret: "pbg_1", maxAgeMs: 1000, basePath: "/x" };
  expect(guestCookie({ ...options, secure: true })).toBe(
    "__Host-patchbay_guest_session-one=pbg_1; HttpOnly; SameSite=Strict; Path=/; Max-Age=1; Secure",
  );
  expect(guestCookie({ ...options, secure: false })).toMatch(
    /^patchbay_guest_session-one=.*; Path=\/x\/s\/session-one;/,
  );
});
