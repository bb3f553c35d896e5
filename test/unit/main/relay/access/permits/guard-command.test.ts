import { expect, test } from "vitest";
import { type MethodName, specs } from "../../../../../../core/commands/specs.ts";
import type { ClientId, ShellId } from "../../../../../../core/protocol/ids.ts";
import { guardCommand } from "../../../../../../main/relay/access/permits/guard-command.ts";
import { OwnedResources } from "../../../../../../main/relay/access/permits/owned-resources.ts";
import { restrictedShellPermit } from "../../../../../../main/relay/access/permits/permit.ts";

const CLIENT = 1 as ClientId;
/** The client shows shell 4 in tile 7 and, focused, shell 5 in tile 8. */
const savedState = {
  tiles: { 7: { key: 7, type: "shell", id: 4 }, 8: { key: 8, type: "shell", id: 5 } },
  workspaces: [{ recent: [8, 7] }],
  active: 0,
};
const ownedResources = new OwnedResources({ shell: () => undefined, savedState: () => savedState });
const permit = restrictedShellPermit(4 as ShellId, {
  advice: () => "",
  restrictsTypedShells: false,
  person: undefined,
});

/** Guards a command of a program in shell 4, which is restricted. */
function guard(method: MethodName, params: object = {}, source?: number) {
  return guardCommand({ ownedResources }, { permit, method, spec: specs[method], params: { ...params }, source });
}

test("a command without a tile is executed for the tile that was checked: the shell's own, not the focused one", () => {
  expect(guard("closeTile").forClient(CLIENT).params).toEqual({ tile: 7 });
  expect(guard("closeTile", { tile: 7 }).forClient(CLIENT).params).toEqual({ tile: 7 });
  expect(() => guard("closeTile", { tile: 8 }).forClient(CLIENT)).toThrow(
    expect.objectContaining({ code: "scope_forbids" }),
  );
});

test("a changing command comes from the shell itself, whatever source it names; a reading one may name another", () => {
  expect(guard("closeTile").source).toBe(4);
  expect(guard("closeTile", {}, 4).source).toBe(4);
  expect(() => guard("closeTile", {}, 5)).toThrow(expect.objectContaining({ code: "scope_forbids" }));
  expect(guard("getTiles", {}, 5).source).toBe(5);
});
