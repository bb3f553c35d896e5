import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { LOGIN_SECONDS, Logins, OWN_REQUESTER, POLL_SECONDS } from "../../../../../main/relay/access/logins.ts";
import { formatUserCode, newUserCode, normaliseUserCode } from "../../../../../main/relay/access/user-code.ts";
import { LoginRows } from "../../../../../main/relay/store/login-rows.ts";
import { openStore } from "../../../../../main/relay/store/open-store.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const asking = { client: "cli", name: "service on laptop", address: "127.0.0.1" };

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse("2026-11-21T08:00:00Z") });
});
afterEach(() => {
  vi.useRealTimers();
});

function lab() {
  const folder = temporaryFolder();
  const { database } = openStore(folder.path);
  const logins = new Logins(new LoginRows(database));
  return {
    logins,
    /** As a process of its own would write to the store. */
    others: () => new LoginRows(database),
    [Symbol.dispose]() {
      logins[Symbol.dispose]();
      database.close();
      folder[Symbol.dispose]();
    },
  };
}

function wait(seconds: number): void {
  vi.advanceTimersByTime(seconds * 1000);
}

test("an allowed login is given once, to the program that asked", () => {
  using lent = lab();
  const { logins } = lent;
  const { login, deviceCode } = logins.begin(asking);
  expect(logins.pending()).toEqual([login]);
  expect(login).toMatchObject({ name: "service on laptop", address: "127.0.0.1", since: "2026-11-21T08:00:00.000Z" });
  expect(logins.poll(deviceCode, "cli").state).toBe("pending");
  expect(logins.allow(login.code)).toBe(true);
  expect([logins.allow(login.code), logins.deny(login.code), logins.pending()]).toEqual([false, false, []]);
  wait(POLL_SECONDS);
  expect(logins.poll(deviceCode, "another").state).toBe("unknown");
  expect(logins.poll(deviceCode, "cli")).toEqual({ state: "allowed", name: "service on laptop" });
  expect(logins.poll(deviceCode, "cli").state).toBe("unknown");
});

test("a denied login stays denied", () => {
  using lent = lab();
  const { login, deviceCode } = lent.logins.begin(asking);
  expect(lent.logins.deny(login.code)).toBe(true);
  expect(lent.logins.poll(deviceCode, "cli").state).toBe("denied");
  wait(POLL_SECONDS);
  expect(lent.logins.poll(deviceCode, "cli").state).toBe("denied");
});

test("a login expires, and cannot be allowed after that", () => {
  using lent = lab();
  const { login, deviceCode } = lent.logins.begin(asking);
  wait(LOGIN_SECONDS);
  expect([lent.logins.pending(), lent.logins.allow(login.code)]).toEqual([[], false]);
  expect(lent.logins.poll(deviceCode, "cli").state).toBe("expired");
  const allowed = lent.logins.begin(asking);
  lent.logins.allow(allowed.login.code);
  wait(LOGIN_SECONDS);
  expect(lent.logins.poll(allowed.deviceCode, "cli").state).toBe("expired");
});

test("who asks too soon is told so, and must wait 5 seconds longer from then on", () => {
  using lent = lab();
  const { deviceCode } = lent.logins.begin(asking);
  const ask = () => lent.logins.poll(deviceCode, "cli").state;
  expect(ask()).toBe("pending");
  wait(POLL_SECONDS);
  expect(ask()).toBe("pending");
  wait(1);
  expect(ask()).toBe("slow_down");
  wait(POLL_SECONDS + 4);
  expect(ask()).toBe("slow_down");
  wait(POLL_SECONDS + 10);
  expect(ask()).toBe("pending");
});

test("an answer of another process is noticed, and so is the end of the wait", () => {
  using lent = lab();
  const changes: string[][] = [];
  const stop = lent.logins.onChange(() => changes.push(lent.logins.pending().map(({ code }) => code)));
  const first = lent.logins.begin(asking).login;
  const second = lent.logins.begin(asking).login;
  expect(lent.others().answer(normaliseUserCode(first.code), "allowed", new Date().toISOString())).toBe(true);
  expect(changes).toEqual([[first.code], [first.code, second.code]]);
  wait(1);
  expect(changes.at(-1)).toEqual([second.code]);
  wait(LOGIN_SECONDS);
  expect(changes.at(-1)).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
  stop();
  lent.logins.begin(asking);
  expect(changes).toHaveLength(4);
});

test("few may wait at once, and few may begin in a minute", () => {
  using lent = lab();
  const begin = () => lent.logins.begin(asking).login;
  const waiting = Array.from({ length: 5 }, begin);
  expect(begin).toThrow(expect.objectContaining({ code: "too_many_logins" }));
  for (const { code } of waiting) lent.logins.deny(code);
  for (let turn = 0; turn < 5; turn++) lent.logins.deny(begin().code);
  expect(begin).toThrow(/in the last minute/);
  wait(60);
  expect(begin().code).toMatch(/-/);
});

test("one requester holds up nobody else: its oldest login gives way", () => {
  using lent = lab();
  const { logins } = lent;
  const begin = (requester: string) => logins.begin({ ...asking, name: requester, requester });
  const waiting = () => logins.pending().map(({ name }) => name);
  const [oldest, ...later] = Array.from({ length: 5 }, () => begin("user 65534"));
  expect(() => begin("user 65534")).toThrow(expect.objectContaining({ code: "too_many_logins" }));
  const { login } = begin("user 1");
  expect(waiting()).toEqual([...Array(4).fill("user 65534"), "user 1"]);
  expect(logins.poll(oldest?.deviceCode ?? "", "cli").state).toBe("expired");
  expect(logins.poll(later[0]?.deviceCode ?? "", "cli").state).toBe("pending");
  begin("user 1");
  expect(waiting()).toEqual([...Array(3).fill("user 65534"), "user 1", "user 1"]);
  // Beyond an equal share it is refused, and so is the other one.
  for (const one of ["user 1", "user 65534"]) expect(() => begin(one)).toThrow(/answer one of them/);
  expect(logins.allow(login.code)).toBe(true);
  begin("user 2");
  begin("user 3");
  expect(waiting().filter((name) => name === "user 65534")).toHaveLength(2);
});

test("the user's own programs are let in, whoever else waits, and others begin in a minute what one may not", () => {
  using lent = lab();
  const begin = (requester: string) => lent.logins.begin({ ...asking, name: requester, requester });
  for (const one of ["a", "b", "c", "d", "e"]) begin(one);
  expect(() => begin("f")).toThrow(expect.objectContaining({ code: "too_many_logins" }));
  begin(OWN_REQUESTER);
  expect(lent.logins.pending().map(({ name }) => name)).toEqual(["b", "c", "d", "e", OWN_REQUESTER]);
  expect(() => begin("g")).toThrow(expect.objectContaining({ code: "too_many_logins" }));
  for (const { code } of lent.logins.pending()) lent.logins.deny(code);
  for (let turn = 0; turn < 10; turn++) lent.logins.deny(begin("flood").login.code);
  expect(() => begin("flood")).toThrow(/in the last minute/);
  expect(begin("another").login.code).toMatch(/-/);
});

test("a code is of the base-20 alphabet, and is understood as people type it", () => {
  const codes = Array.from({ length: 200 }, newUserCode);
  expect(new Set(codes).size).toBe(200);
  for (const code of codes)
    expect(formatUserCode(code)).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
  expect([" wdjb mjht ", "WDJB-MJHT", "wdjbmjht"].map(normaliseUserCode)).toEqual(Array(3).fill("WDJBMJHT"));
});
