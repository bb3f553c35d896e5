import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import type { ShellId } from "../../../../../core/protocol/ids.ts";
import type { Principal } from "../../../../../main/relay/access/keys.ts";
import { Audit } from "../../../../../main/relay/audit/audit.ts";
import { recordCall } from "../../../../../main/relay/audit/record-call.ts";
import { AuditRows } from "../../../../../main/relay/store/audit-rows.ts";
import { openStore, type StoreDatabase } from "../../../../../main/relay/store/open-store.ts";
import { temporaryFolder } from "../temporary-folder.ts";

type Call = Parameters<typeof recordCall>[2];

const quiet = () => undefined;
const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };
const key = (keyName: string): Principal => ({ user: "ann", scheme: "api", scopes: [], key: "k1", keyName });
const laptop = { principal: key("laptop"), from: "10.0.0.1" };
const spec = { params: z.object({ shell: z.unknown(), data: z.string() }), sensitive: ["data"] };
const typed: Call = {
  ...{ name: "writeShell", spec, params: { shell: 1, data: "ls" }, session: "s", outcome: "ok", client: 1 },
  ...{ durationMs: 2.6, isFrequent: true },
};

let folder: ReturnType<typeof temporaryFolder>;
let database: StoreDatabase;
let audit: Audit;

beforeEach(() => {
  folder = temporaryFolder();
  ({ database } = openStore(folder.path));
  audit = new Audit(new AuditRows(database), log);
});
afterEach(() => {
  audit[Symbol.dispose]();
  database.close();
  folder[Symbol.dispose]();
});

const entries = () => audit.list({ limit: 100 });
const counts = () => entries().map(({ count }) => count);

test("the entry of a call says who called from where, what with, and what became of it after how many milliseconds", () => {
  recordCall(audit, laptop, { ...typed, outcome: "role_forbids", isFrequent: false });
  expect(entries()).toEqual([
    {
      ...{ id: 1, at: expect.any(String), kind: "call", who: "laptop", credential: "key", from: "10.0.0.1" },
      ...{ session: "s", action: "writeShell", params: { shell: 1, data: "(2 characters)" } },
      ...{ outcome: "role_forbids", client: 1, durationMs: 3, count: 1 },
    },
  ]);
});

test("no parameter is recorded of a call of what does not exist", () => {
  recordCall(audit, laptop, { ...typed, name: "noSuchThing", spec: undefined });
  expect(entries()).toMatchObject([{ action: "noSuchThing", params: {} }]);
});

test("each call has an entry, unless it is a frequent one", () => {
  for (let n = 0; n < 3; n += 1) recordCall(audit, laptop, { ...typed, isFrequent: false });
  expect(counts()).toEqual([1, 1, 1]);
});

describe("frequent calls", () => {
  test("of one caller are one entry, whatever they say and however long they take", () => {
    recordCall(audit, laptop, typed);
    recordCall(audit, laptop, { ...typed, params: { shell: 1, data: "cd" }, durationMs: 9 });
    recordCall(audit, laptop, { ...typed, params: { shell: 1 } });
    expect(counts()).toEqual([3]);
  });

  test.each<[string, Partial<Call>]>([
    ["in another shell", { params: { shell: 2 } }],
    ["in no shell", { params: {} }],
    ["in another session", { session: "t" }],
    ["in no session", { session: null }],
    ["by another client", { client: 2 }],
    ["by no client", { client: null }],
    ["of another name", { name: "resizeShell" }],
    ["with another outcome", { outcome: "internal" }],
  ])("%s have an entry of their own", (_what, other) => {
    for (let n = 0; n < 2; n += 1) {
      recordCall(audit, laptop, typed);
      recordCall(audit, laptop, { ...typed, ...other });
    }
    expect(counts()).toEqual([2, 2]);
  });

  test.each([
    ["a key of another name", { ...laptop, principal: key("phone") }],
    ["a token of the same name", { ...laptop, principal: { ...key("laptop"), scheme: "bearer" as const } }],
    ["a guest of the same name", { ...laptop, principal: { ...key("x"), guest: "laptop" } }],
    ["a program in a shell", { ...laptop, principal: { ...key("laptop"), shell: 1 as ShellId } }],
    ["the same key at another address", { ...laptop, from: "10.0.0.2" }],
  ])("of %s are not counted in the entry of a key", (_who, other) => {
    for (let n = 0; n < 2; n += 1) {
      recordCall(audit, laptop, typed);
      recordCall(audit, other, typed);
    }
    const identity = ({ who, credential, from }: ReturnType<typeof entries>[number]) => [who, credential, from].join();
    expect(counts()).toEqual([2, 2]);
    expect(new Set(entries().map(identity)).size).toBe(2);
  });

  test("of two callers are two entries where the end of one's address reads like the client of the other", () => {
    recordCall(audit, { ...laptop, from: "10.0.0.1" }, { ...typed, client: 12 });
    recordCall(audit, { ...laptop, from: "10.0.0.11" }, { ...typed, client: 2 });
    expect(counts()).toEqual([1, 1]);
  });

  test.each([
    ["an object without a text", Object.create(null)],
    ["a list", [1]],
    ["a text", "1"],
  ])("with %s in place of the shell's number are recorded and counted", (_what, shell: unknown) => {
    for (let n = 0; n < 2; n += 1) recordCall(audit, laptop, { ...typed, params: { shell } });
    recordCall(audit, laptop, typed);
    expect(counts()).toEqual([1, 2]);
  });
});
