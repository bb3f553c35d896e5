import { expect, test } from "vitest";
import { contentPolicy } from "../../../../../main/desktop/app/content-policy.ts";

test("the policy allows nothing inline, no eval and no network, and names the nonce for styles only", () => {
  const policy = contentPolicy("abc123");
  expect(policy).not.toMatch(/unsafe-|\*/);
  const rules = new Map(policy.split("; ").map((rule) => [rule.split(" ")[0], rule]));
  expect(rules.get("default-src")).toBe("default-src 'none'");
  expect(rules.get("script-src")).toBe("script-src 'self'");
  expect(rules.get("style-src")).toBe("style-src 'self' 'nonce-abc123'");
  expect(rules.has("connect-src")).toBe(false);
});
