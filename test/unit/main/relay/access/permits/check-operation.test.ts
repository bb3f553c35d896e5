import { describe, expect, test } from "vitest";
import { type RelayOp, relayOps } from "../../../../../../core/protocol/relay-ops.ts";
import { checkOperation } from "../../../../../../main/relay/access/permits/check-operation.ts";
import { OwnedResources } from "../../../../../../main/relay/access/permits/owned-resources.ts";
import { keyPermit } from "../../../../../../main/relay/access/permits/permit.ts";

const ownedResources = new OwnedResources({ shell: () => undefined, savedState: () => undefined });

/** What a client may do for a command of a key with these restrictions. */
function outcome(restrictions: object, op: RelayOp, params: object): string {
  const permit = keyPermit({ user: "ann", scheme: "api", scopes: [], key: "k1", restrictions });
  if (permit === undefined) throw new Error("the key is not restricted");
  try {
    checkOperation({ permit, ownedResources }, op, relayOps[op], { ...params });
    return "allowed";
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : String(error);
  }
}

describe("a client that executes the command of a read-only key", () => {
  test.each([
    ["createShell", {}],
    ["writeShell", { shell: 1, data: "x" }],
    ["closeShell", { shell: 1 }],
    ["sendChat", { text: "x" }],
  ] as const)("may not call %s for it", (op, params) => {
    expect(outcome({ readOnly: true }, op, params)).toBe("scope_forbids");
  });

  test.each([
    ["readOutput", { shell: 1 }],
    ["waitFor", { shell: 1 }],
  ] as const)("may call %s for it", (op, params) => {
    expect(outcome({ readOnly: true }, op, params)).toBe("allowed");
  });
});

test("a client that executes the command of a key for its own shells changes no other shell for it", () => {
  expect(outcome({ ownShells: true }, "writeShell", { shell: 1, data: "x" })).toBe("scope_forbids");
  expect(outcome({ ownShells: true }, "restrictShells", { on: false })).toBe("scope_forbids");
  expect(outcome({ ownShells: true }, "readOutput", { shell: 1 })).toBe("allowed");
});
