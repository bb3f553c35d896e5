import { expect, test } from "vitest";
import { bodyWithSource } from "../../../../../main/desktop/sessions/notices.ts";

test("a notification names its session under its text", () => {
  const source = { id: "s", name: "api" };
  expect(bodyWithSource({ title: "Done", body: "12 tests passed" }, source)).toBe("12 tests passed\nSession api");
  expect(bodyWithSource({ title: "Done" }, source)).toBe("Session api");
});
