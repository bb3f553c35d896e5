import { expect, test } from "vitest";
import { ClientId } from "../../../../../core/protocol/ids.ts";
import { endableBy } from "../../../../../main/relay/session/shell-user.ts";
import { shellRecord } from "../small-session.ts";

test("a shell of another is refused with the action that was tried", () => {
  const bob = { id: ClientId.parse(2), name: "bob", role: "writer" } as const;
  const anns = shellRecord(3, { ownerClientId: ClientId.parse(1), owner: "ann" });
  const nobodys = shellRecord(4, { ownerClientId: null, owner: null });
  expect(() => endableBy(bob, anns, "end it")).toThrow("Shell 3 is client 1's: only an admin may end it.");
  expect(() => endableBy(bob, nobodys, "run it again")).toThrow("Shell 4 is nobody's: only an admin may run it again.");
  expect(endableBy({ ...bob, role: "admin" }, anns, "end it")).toBe(anns);
  expect(endableBy({ ...bob, id: ClientId.parse(1) }, anns, "run it again")).toBe(anns);
});
