import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { SessionId } from "../../../../../core/protocol/ids.ts";
import { maskedTexts, maskedValues, policyEntry } from "../../../../../main/relay/audit/audit-fields.ts";
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
