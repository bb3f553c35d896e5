import { expect, test } from "vitest";
import type { WindowSession } from "../../../../../main/desktop/sessions/desktop-client.ts";
import { titleOf } from "../../../../../main/desktop/windows/window-title.ts";

const titled = (name: string) => titleOf({ name: () => name } as WindowSession, undefined);

test("a title has the session's name as it is written, on one line, and cut", () => {
  expect(titled("work")).toBe("work - Patchbay");
  expect(titled("\u202egnp.exe\u200b\u2028")).toBe("gnp.exe - Patchbay");
  expect(titled("W".repeat(190))).toBe(`${"W".repeat(79)}… - Patchbay`);
});
