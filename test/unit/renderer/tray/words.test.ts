import { expect, test } from "vitest";
import { lasting } from "../../../../renderer/tray/lasting.ts";
import { counted, dollars } from "../../../../renderer/tray/words.ts";

test("a sum that is not nothing never reads as nothing", () => {
  const cent = new Intl.NumberFormat(undefined, { style: "currency", currency: "USD" }).format(0.01);
  expect(dollars(0)).not.toContain("<");
  expect(dollars(0.0004)).toBe(`< ${cent}`);
});

test("counts and durations are in people's words", () => {
  expect([counted(1, "shell"), counted(2, "shell")]).toEqual(["1 shell", "2 shells"]);
  expect([lasting(400), lasting(40_000), lasting(150_000), lasting(7_300_000), lasting(180_000_000)]).toEqual([
    "",
    "40 s",
    "2 min",
    "2 h",
    "2 d",
  ]);
});
