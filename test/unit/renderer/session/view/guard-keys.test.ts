import { describe, expect, test } from "vitest";
import { isMeant } from "../../../../../renderer/session/view/guard-keys.ts";

const NEVER = Number.POSITIVE_INFINITY;

describe("a page in a tile has the keys", () => {
  test.each([
    ["after Tab or F6", { sinceLed: 20, sinceTyped: NEVER, isPressed: false }],
    ["after Tab that followed a text", { sinceLed: 20, sinceTyped: 60, isPressed: false }],
    ["where the pointer is", { sinceLed: NEVER, sinceTyped: NEVER, isPressed: true }],
    ["where the pointer is, some time after a key", { sinceLed: NEVER, sinceTyped: 2000, isPressed: true }],
  ])("%s", (_when, since) => expect(isMeant(since)).toBe(true));
});

describe("a page in a tile does not take the keys", () => {
  test.each([
    ["by itself", { sinceLed: NEVER, sinceTyped: NEVER, isPressed: false }],
    ["by itself while the user types", { sinceLed: NEVER, sinceTyped: 30, isPressed: false }],
    ["under a pointer that lies there while the user types", { sinceLed: NEVER, sinceTyped: 30, isPressed: true }],
    ["long after Tab", { sinceLed: 5000, sinceTyped: NEVER, isPressed: false }],
  ])("%s", (_when, since) => expect(isMeant(since)).toBe(false));
});
