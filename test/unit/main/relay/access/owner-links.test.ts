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
  links.use(session, secret);
  expect(() => links.use(session, secret)).toThrow(spent);
  expect(() => links.use("b" as SessionId, links.create(session).secret)).toThrow(spent);
  expect(() => links.use(session, "pbo_guess")).toThrow(spent);
});

test("a link ends after ten minutes, whatever the wall clock says", () => {
  const links = new OwnerLinks();
  const [late, kept] = [links.create(session), links.create(session)];
  vi.setSystemTime(Date.now() + 3_600_000);
  links.use(session, kept.secret);
  vi.advanceTimersByTime(10 * 60_000);
  expect(() => links.use(session, late.secret)).toThrow(spent);
});

test("only the latest links can be used", () => {
  const links = new OwnerLinks();
  const made = Array.from({ length: 9 }, () => links.create(session).secret);
  expect(() => links.use(session, made[0] ?? "")).toThrow(spent);
  links.use(session, made[8] ?? "");
});
