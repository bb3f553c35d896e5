import { expect, test } from "vitest";
import { ShellId } from "../../../../core/protocol/ids.ts";
import { agentAnswers } from "../../../../core/protocol/shell-restrictions.ts";

const shells = [{ id: 1, ownerClientId: 7 }];

test.each([
  ["an admin", { id: 2, role: "admin" }, "/w", ["once", "no", "always"]],
  ["an admin, where the folder is not known", { id: 2, role: "admin" }, "", ["once", "no"]],
  ["the owner of the shell", { id: 7, role: "writer" }, "/w", ["once", "no"]],
  ["another writer", { id: 2, role: "writer" }, "/w", []],
  ["an owner of the shell who may only watch now", { id: 7, role: "reader" }, "/w", []],
] as const)("%s may give an agent these answers", (_, self, folder, expected) => {
  expect(agentAnswers({ shellId: ShellId.parse(1), folder }, shells, self)).toEqual(expected);
});
