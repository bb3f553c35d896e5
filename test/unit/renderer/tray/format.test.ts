import { expect, test } from "vitest";
import { formatDollars } from "../../../../renderer/tray/format.ts";

test("a sum above zero is never shown as zero", () => {
  const cent = new Intl.NumberFormat(undefined, { style: "currency", currency: "USD" }).format(0.01);
  expect(formatDollars(0)).not.toContain("<");
  expect(formatDollars(0.0004)).toBe(`< ${cent}`);
});
