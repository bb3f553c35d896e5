import { expect, test } from "vitest";
import { contentPolicy } from "../../../../../main/desktop/app/content-policy.ts";

const rulesOf = (policy: string) => new Map(policy.split("; ").map((rule) => [rule.split(" ")[0], rule]));

test("the policy allows nothing inline, no eval and no network, and names the nonce for styles only", () => {
  const policy = contentPolicy("abc123", { tiles: false });
  expect(policy).not.toMatch(/unsafe-|\*/);
  const rules = rulesOf(policy);
  expect(rules.get("default-src")).toBe("default-src 'none'");
  expect(rules.get("script-src")).toBe("script-src 'self'");
  expect(rules.get("style-src")).toBe("style-src 'self' 'nonce-abc123'");
  expect(rules.has("connect-src")).toBe(false);
  expect(policy).not.toMatch(/https?:/);
});

test("the page with tiles may compile WebAssembly and have frames of the web too, and nothing more", () => {
  const rules = rulesOf(contentPolicy("abc123", { tiles: true }));
  expect(rules.get("script-src")).toBe("script-src 'self' 'wasm-unsafe-eval'");
  rules.set("script-src", "script-src 'self'");
  expect(rules.get("frame-src")).toBe("frame-src http: https:");
  rules.delete("frame-src");
  expect([...rules.values()].join("; ")).toBe(contentPolicy("abc123", { tiles: false }));
});
