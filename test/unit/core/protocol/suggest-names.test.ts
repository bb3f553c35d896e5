import { expect, test } from "vitest";
import { suggestNames } from "../../../../core/protocol/suggest-names.ts";

const known = [
  ["splitShell", "splitShell"],
  ["split-h", "splitShell"],
  ["getTiles", "getTiles"],
  ["list-tiles", "getTiles"],
  ["getLayout", "getLayout"],
  ["getLayoutGeometry", "getLayoutGeometry"],
  ["get-layout", "getLayoutGeometry"],
  ["getClients", "getClients"],
  ["list-users", "getClients"],
  ["getUsers", "getUsers"],
  ["runCommand", "runCommand"],
  ["run", "runCommand"],
  ["renameTile", "renameTile"],
  ["renameWorkspace", "renameWorkspace"],
] as const;

test.each([
  ["list-tiles", ["getTiles"]],
  ["listTiles", ["getTiles"]],
  ["splitH", ["splitShell"]],
  ["Split_Shell", ["splitShell"]],
  ["run", ["runCommand"]],
  ["rename", ["renameTile", "renameWorkspace"]],
  ["listUsers", ["getClients"]],
  ["showUsers", ["getClients", "getUsers"]],
  ["getlayout", ["getLayout"]],
  ["getLayuot", ["getLayout"]],
  ["", []],
  ["__proto__", []],
  ["x".repeat(10_000), []],
])("%j means %j", (name, meant) => {
  expect([...suggestNames(name, known)].sort()).toEqual(meant);
});
