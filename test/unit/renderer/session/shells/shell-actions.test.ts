import { expect, test } from "vitest";
import { ClientId, ShellId } from "../../../../../core/protocol/ids.ts";
import type { Role } from "../../../../../core/protocol/records.ts";
import { freshState } from "../../../../../core/state/client-state.ts";
import { shellActions } from "../../../../../renderer/session/shells/shell-actions.ts";

const ME = ClientId.parse(1);
const ANN = ClientId.parse(2);

test("shells of one's own are ended and removed, and those of others and of nobody by admins only", () => {
  const kinds = (role: Role, ownerClientId: ClientId | null, running = true) =>
    shellActions(
      { id: ShellId.parse(3), running, ownerClientId },
      { state: freshState, self: { id: ME, name: "me", role } },
    ).map(({ kind }) => kind);
  expect(kinds("writer", ME)).toEqual(["show", "end"]);
  expect(kinds("writer", ME, false)).toEqual(["show", "remove"]);
  expect(kinds("writer", ANN)).toEqual(["watch", "ask-to-take-over"]);
  expect(kinds("writer", null)).toEqual(["watch", "take-over"]);
  expect(kinds("writer", null, false)).toEqual(["show"]);
  expect(kinds("admin", null)).toEqual(["watch", "take-over", "end"]);
  expect(kinds("admin", ANN, false)).toEqual(["show", "remove"]);
});
