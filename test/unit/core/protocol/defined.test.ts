import { expect, test } from "vitest";
import { defined } from "../../../../core/protocol/defined.ts";

test("undefined entries are left out, and no others", () => {
  const given = (a: number | undefined) => ({ a, b: "" as string | undefined, c: null, d: false });
  const left: { a?: number; b?: string; c: null; d: boolean } = defined(given(undefined));
  expect(left).toStrictEqual({ b: "", c: null, d: false });
  expect(defined(given(0))).toStrictEqual({ a: 0, b: "", c: null, d: false });
});
