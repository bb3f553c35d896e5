import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { SessionId } from "../../../../../core/protocol/ids.ts";
import { OwnerLinks } from "../../../../../main/relay/access/owner-links.ts";

const session = "a" as SessionId;
const spent = expect.objectContaining({ code: "invite_spent" });

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance", "Date"] }));
afterEach(() => void vi.useRealTimers());

test("a link is good once, for its session", () => {
  const links = new OwnerLinks();
  const { secret } = links.create(session);
  links.use(session, secret, false);
  expect(() => links.use(session, secret, false)).toThrow(spent);
  expect(() => links.use("b" as SessionId, links.create(session).secret, false)).toThrow(spent);
  expect(() => links.use(session, "pbo_guess", false)).toThrow(spent);
});

test("a link lets another machine in only if it was made for those, and stays good for this one", () => {
  const links = new OwnerLinks();
  const here = links.create(session);
  expect(() => links.use(session, here.secret, true)).toThrow(spent);
  links.use(session, here.secret, false);
  const outside = links.create(session, { outside: true, madeBy: "k1" });
  expect(links.use(session, outside.secret, true).madeBy).toBe("k1");
  expect(() => links.use(session, outside.secret, true)).toThrow(spent);
});

test("a link ends after ten minutes, whatever the wall clock says", () => {
  const links = new OwnerLinks();
  const [late, kept] = [links.create(session), links.create(session)];
  vi.setSystemTime(Date.now() + 3_600_000);
  links.use(session, kept.secret, false);
  vi.advanceTimersByTime(10 * 60_000);
  expect(() => links.use(session, late.secret, false)).toThrow(spent);
});

test("only the latest links can be used", () => {
  const links = new OwnerLinks();
  const made = Array.from({ length: 9 }, () => links.create(session).secret);
  expect(() => links.use(session, made[0] ?? "", false)).toThrow(spent);
  links.use(session, made[8] ?? "", false);
});
