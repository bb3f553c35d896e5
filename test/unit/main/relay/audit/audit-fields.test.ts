import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { SessionId, ShellId } from "../../../../../core/protocol/ids.ts";
import {
  auditIdentity,
  endedEntry,
  maskedTexts,
  maskedValues,
  policyEntry,
} from "../../../../../main/relay/audit/audit-fields.ts";
import { steepGrowth } from "../../../../support/growth.ts";

const declared = {
  params: z.object({ title: z.string(), where: z.unknown(), data: z.string() }),
  sensitive: ["data"],
};
const HOSTILE = ["a.", "a://b", "a://b@", "pb_", "%61", "/", "\u0000"];
/** A frame and a request's body may have this size. */
const BOUND = 1 << 20;

describe("parameters of an entry", () => {
  test("are masked, shortened, and left out if they are not declared", () => {
    const given = { title: `x ${"pb_".padEnd(40, "s")}`, where: { url: "https://u:p@h" }, data: "abc", more: 1 };
    expect(maskedValues(declared, given)).toEqual({
      title: "x pb_[hidden]",
      where: '{"url":"https://[hidden]@h"}',
      data: "(3 characters)",
    });
    expect(maskedValues(declared, { title: "t".repeat(120_000) })).toEqual({ title: `${"t".repeat(200)}…` });
  });

  test.each(HOSTILE)("take linear time for any number of %j", async (unit) => {
    const run = (size: number) => {
      const text = unit.repeat(size / unit.length);
      return maskedValues(declared, { title: text, where: { text }, data: text });
    };
    expect(await steepGrowth(run, BOUND)).toBeUndefined();
  });
});

describe("texts that the caller chose", () => {
  const entry = { who: null, from: "127.0.0.1", session: null, action: "POST /" };

  test("are decoded, masked and cut", () => {
    const secret = "pb_".padEnd(40, "s").replaceAll("s", "%73");
    expect(maskedTexts({ ...entry, action: `POST /${secret}` }).action).toBe("POST /pb_[hidden]");
    expect(maskedTexts({ ...entry, session: "é".repeat(300) as SessionId }).session).toHaveLength(64);
  });

  test.each(HOSTILE)("take linear time for any number of %j", async (unit) => {
    const run = (size: number) => {
      const text = unit.repeat(size / unit.length);
      return maskedTexts({ who: text, from: text, session: text as SessionId, action: text });
    };
    expect(await steepGrowth(run, BOUND)).toBeUndefined();
  });
});

test("the entry of a policy does not cut a credential of the question's title before it is masked", () => {
  const title = `${"x".repeat(170)} https://ann:${"secret".repeat(10)}@example.test/`;
  const { params } = policyEntry({
    question: { session: "s" as SessionId, id: 1, agentType: "claude", title },
    policy: 1,
    outcome: "ok",
  });
  expect(String(params.title)).not.toContain("secret");
});

const principal = { user: "ann", scheme: "api", scopes: [] } as const;

test.each([
  ["nobody", undefined, { who: null, credential: "none" }],
  ["the relay's user", principal, { who: "ann", credential: "user" }],
  ["a key", { ...principal, key: "k1", keyName: "laptop" }, { who: "laptop", credential: "key" }],
  ["a key without a name", { ...principal, key: "k1" }, { who: "ann", credential: "key" }],
  ["a token", { ...principal, scheme: "bearer", key: "k1", keyName: "ci" }, { who: "ci", credential: "token" }],
  ["a program in a shell", { ...principal, shell: 3 as ShellId }, { who: "shell 3", credential: "shell" }],
  ["a guest", { ...principal, guest: "bob", key: "k1", keyName: "x" }, { who: "bob", credential: "guest" }],
] as const)("an entry says who called: %s", (_who, given, expected) => {
  expect(auditIdentity(given)).toEqual(expected);
});

test("the entry of an ended credential says whose it was, why it ended and how much was open with it", () => {
  const ended = { principal: { ...principal, key: "k1", keyName: "laptop" }, ending: "revoked", open: 3 } as const;
  const entry = {
    who: "laptop",
    credential: "key",
    from: "relay",
    session: null,
    action: "credential ended",
    params: { reason: "revoked", closed: 3 },
    outcome: "ok",
    client: null,
    durationMs: null,
  };
  expect(endedEntry(ended)).toEqual(entry);
  const session = "s-1" as SessionId;
  expect(endedEntry({ ...ended, principal: { ...ended.principal, session } })).toEqual({ ...entry, session });
});

test("the entry of a policy names it, the question and what became of it", () => {
  const question = { session: "s" as SessionId, id: 7, agentType: "claude", title: `Bash: ${"x".repeat(300)}` };
  expect(policyEntry({ question, policy: 4, outcome: "ok" })).toEqual({
    who: "policy 4",
    credential: "none",
    from: "relay",
    session: "s",
    action: "answerQuestion",
    params: { id: 7, policy: 4, agentType: "claude", title: question.title.slice(0, 200) },
    outcome: "ok",
    client: null,
    durationMs: null,
  });
});

test.each([
  ["numbers", 7, 7],
  ["nothing", null, null],
  ["a decision", false, false],
  ["a list", ["a", 1], '["a",1]'],
  ["a short text whole", "t".repeat(200), "t".repeat(200)],
  ["a longer one cut", "t".repeat(201), `${"t".repeat(200)}…`],
  ["what is left out", undefined, undefined],
])("a parameter is recorded as it was given: %s", (_what, given, expected) => {
  expect(maskedValues(declared, { where: given })).toEqual(expected === undefined ? {} : { where: expected });
  expect(maskedValues({ params: declared.params }, { where: given, data: "abc" })).toMatchObject({ data: "abc" });
});

test.each([
  ["a text", "äbc", "(3 characters)"],
  ["an object", { a: 1 }, "(7 characters)"],
  ["what JSON cannot say", () => undefined, "(0 characters)"],
])("of a sensitive parameter only its length is recorded: %s", (_what, given, expected) => {
  expect(maskedValues(declared, { data: given })).toEqual({ data: expected });
});

test.each([
  ["%2Fv1%2fkeys", "/v1/keys"],
  ["a%20b%7f%0a%21%7E", "a%20b%7f%0a!~"],
  ["100%", "100%"],
  ["%zz%4", "%zz%4"],
])("an address is recorded as it reads: %s", (given, expected) => {
  const entry = { who: given, from: "f".repeat(70), session: given as SessionId, action: given };
  expect(maskedTexts(entry)).toEqual({ who: expected, from: "f".repeat(64), session: expected, action: expected });
});
