import { expect, test } from "vitest";
import { SessionId } from "../../../../../core/protocol/ids.ts";
import { findGuest } from "../../../../../main/relay/access/guest-cookie.ts";
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
  const guest = { session: SessionId.parse("session-one"), name: "guest", role: "writer" } as const;
  const other = { ...guest, session: SessionId.parse("session-two") };
  const invites = { findGuest: (secret: string) => ({ good: guest, other })[secret] };
  const carrying = (cookie: string) => findGuest({ headers: { cookie } }, "session-one", invites);
  expect(carrying("patchbay_guest_session-one=junk; patchbay_guest_session-one=good")).toEqual({
    guest,
    secret: "good",
  });
  expect(carrying("patchbay_guest_session-one=other; patchbay_guest_session-two=good")).toBeUndefined();
});
