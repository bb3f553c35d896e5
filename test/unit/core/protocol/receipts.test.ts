import { expect, test } from "vitest";
import { ExpectedProgram, hasReached, mayFollow, ReceiptState } from "../../../../core/protocol/receipts.ts";

const states = ReceiptState.options;

test("a receipt goes forward only, and only `uncertain` may become `accepted` again", () => {
  const table = Object.fromEntries(states.map((from) => [from, states.filter((to) => mayFollow(from, to))]));
  expect(table).toEqual({
    queued: ["written", "refused", "expired", "uncertain"],
    written: ["echoed", "accepted", "uncertain"],
    echoed: ["accepted", "uncertain"],
    accepted: ["started"],
    started: [],
    refused: [],
    expired: [],
    uncertain: ["accepted"],
  });
});

test("a later state on the way includes the earlier ones, and the others stand for themselves", () => {
  const at = (...reached: ReceiptState[]) => ({ history: reached.map((state) => ({ state, at: "", evidence: "" })) });
  expect(hasReached(at("queued", "written", "accepted"), "echoed")).toBe(true);
  expect(hasReached(at("queued", "written", "echoed"), "accepted")).toBe(false);
  expect(hasReached(at("queued", "written", "uncertain"), "accepted")).toBe(false);
  expect(hasReached(at("queued", "written", "uncertain"), "uncertain")).toBe(true);
  expect(hasReached(at("queued", "refused"), "written")).toBe(false);
});

test.each(["[", "a(", "*", ""])("a prompt or a write that expects %j is refused before it is queued", (pattern) => {
  expect(ExpectedProgram.safeParse(pattern).success).toBe(false);
});

test.each(["shell", "claude", "^vim?$"])("%j is a program to expect", (pattern) => {
  expect(ExpectedProgram.parse(pattern)).toBe(pattern);
});
