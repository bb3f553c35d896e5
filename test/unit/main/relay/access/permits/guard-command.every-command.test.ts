import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readsOnly } from "../../../../../../core/commands/command.ts";
import { type MethodName, methodNames, specs } from "../../../../../../core/commands/specs.ts";
import { RemoteError } from "../../../../../../core/protocol/errors.ts";
import type { ShellId } from "../../../../../../core/protocol/ids.ts";
import type { Touches } from "../../../../../../core/protocol/touches.ts";
import { userCaller } from "../../../../../../main/relay/access/permits/caller.ts";
import { type Permit, restrictedShellPermit } from "../../../../../../main/relay/access/permits/permit.ts";
import { routeCommand } from "../../../../../../main/relay/calls/route-command.ts";
import { exampleParams } from "../../../../../contract/example-params.ts";
import { type SmallSession, smallSession } from "../../small-session.ts";

/**
 * The shell whose token calls is shell 1, in tile 1; tile 5 is one that its programs have made. Shell 2, its tile 2 and
 * the tab 3 behind it are the user's. Workspace 1 holds nothing but tile 4, which shows shell 1 as well.
 */
const own = { shell: 1, tiles: [1, 5], workspace: 1 };
const others = { shell: 2, tiles: [2, 3], workspace: 0 };

const token = permitOfShell(own.shell);

let lab: SmallSession;
beforeAll(async () => {
  lab = await prepared();
});
afterAll(() => lab[Symbol.asyncDispose]());

const changing = methodNames.filter((method) => specs[method].touches !== undefined);
const named = changing.filter((method) => typeof specs[method].touches === "object");

test("every changing command says what it changes, and no reading one does", () => {
  const silent = methodNames.filter((method) => specs[method].touches === undefined && !readsOnly(specs[method]));
  expect(silent).toEqual([]);
  expect(changing.length).toBeGreaterThan(25);
  expect(named.length).toBeGreaterThan(15);
});

describe("a restricted shell reads all of its session", () => {
  test.each(methodNames.filter((method) => specs[method].touches === undefined))("%s", async (method) => {
    expect(await refusalOf(method, exampleParams[method])).not.toBe("scope_forbids");
  });
});

describe("a restricted shell may speak, and make shells", () => {
  test.each(changing.filter((method) => ["messages", "new"].includes(String(specs[method].touches))))(
    "%s",
    async (method) => {
      await using fresh = await prepared();
      expect(await refusalOf(method, exampleParams[method], fresh)).toBeUndefined();
    },
  );
});

describe("a restricted shell changes nothing of others", () => {
  test.each(changing.filter((method) => specs[method].touches === "screen"))("%s", async (method) => {
    expect(await refusalOf(method, exampleParams[method])).toBe("scope_forbids");
  });

  test.each(named.flatMap((method) => aimedAtOthers(method).map((params): [MethodName, object] => [method, params])))(
    "%s %j",
    async (method, params) => {
      const before = state(lab);
      expect(await refusalOf(method, params)).toBe("scope_forbids");
      expect(state(lab)).toBe(before);
    },
  );

  test.each(changing.filter((method) => specs[method].touches === "workspace"))(
    "%s, while there are others' tiles",
    async (method) => {
      expect(await refusalOf(method, exampleParams[method])).toBe("scope_forbids");
    },
  );
});

describe("a restricted shell changes what is its own", () => {
  test.each(named)("%s", async (method) => {
    await using fresh = await prepared();
    const params = { ...exampleParams[method], ...parametersFor(specs[method].touches, own) };
    // What is its own may still be refused for what it is: a tile without a split, a tab that is not there.
    expect(await refusalOf(method, params, fresh)).not.toBe("scope_forbids");
  });

  test.each(changing.filter((method) => specs[method].touches === "workspace"))(
    "%s, while all tiles are its own",
    async (method) => {
      await using fresh = await prepared();
      await call(fresh, "switchWorkspace", { index: own.workspace });
      expect(await refusalOf(method, exampleParams[method], fresh)).toBeUndefined();
    },
  );
});

test("what is meant by default is its own shell and tile, whoever has the focus", async () => {
  await using fresh = await prepared();
  await call(fresh, "focusTile", { key: 2 });
  expect(await call(fresh, "renameTile", { name: "mine" }, token)).toMatchObject({ key: 1 });
  expect(await call(fresh, "runCommand", { command: "true" }, token)).toMatchObject({ id: 1 });
  expect(await call(fresh, "writeToShell", { data: "x" }, token)).toMatchObject({ id: 1 });
  await call(fresh, "closeTile", { tile: 1 });
  await call(fresh, "closeTile", { tile: 4 });
  // Now only the focused tile is left to be meant, and that is another's.
  for (const method of ["renameTile", "closeTile", "maximize", "splitShell"] as const) {
    const refusal = call(fresh, method, method === "renameTile" ? { name: "x" } : {}, token);
    await expect(refusal, method).rejects.toMatchObject({ code: "scope_forbids" });
  }
});

test("a request that says it comes from another shell may read, and change nothing", async () => {
  const from = { source: others.shell, caller: { ...userCaller("ann", "test"), permit: token } };
  await expect(routeCommand(lab.session, { method: "getShells", params: {}, ...from })).resolves.toBeDefined();
  for (const method of ["writeToShell", "runCommand", "closeTile"] as const) {
    const params = { data: "x", command: "x" };
    const { shape } = specs[method].params;
    const wanted = Object.fromEntries(Object.entries(params).filter(([name]) => name in shape));
    await expect(routeCommand(lab.session, { method, params: wanted, ...from })).rejects.toMatchObject({
      code: "scope_forbids",
      message: expect.stringContaining("shell 1"),
    });
  }
});

test("shells made from its shells, and their tiles, are its own, to any depth; its maker's are not", async () => {
  await using fresh = await prepared();
  const child = (await call(fresh, "splitShell", {}, token)) as { shellId: ShellId; key: number };
  const childToken = permitOfShell(child.shellId);
  const grandchild = (await call(fresh, "createShell", {}, childToken)) as { shellId: ShellId; key: number };
  await call(fresh, "closeShell", { id: child.shellId }, token);
  await call(fresh, "renameTile", { name: "x", key: grandchild.key }, token);
  await call(fresh, "writeToShell", { id: grandchild.shellId, data: "x" }, token);
  const up = call(fresh, "writeToShell", { id: own.shell, data: "x" }, childToken);
  await expect(up).rejects.toMatchObject({ code: "scope_forbids" });
  expect(fresh.session.shells.get(grandchild.shellId).makers).toEqual(["shell:1", `shell:${child.shellId}`]);
  await fresh.reopen();
  expect(fresh.session.shells.get(grandchild.shellId).makers).toHaveLength(2);
});

test("a refusal says what is allowed and how to get more", async () => {
  const refusal = call(lab, "writeToShell", { id: others.shell, data: "x" }, token);
  await expect(refusal).rejects.toThrow(
    "Shell 1 is restricted: it may change only its own shells, and shell 2 is not one of them. Ask for more.",
  );
});

function permitOfShell(shell: number): Permit {
  return restrictedShellPermit(shell as ShellId, {
    advice: () => "Ask for more.",
    restrictsTypedShells: true,
    person: undefined,
  });
}

async function prepared(): Promise<SmallSession> {
  const fresh = smallSession();
  await fresh.join();
  await call(fresh, "createShell", {});
  await call(fresh, "splitShell", { direction: "horizontal" });
  await call(fresh, "openTile", { type: "browser", tile: 2, place: "tab", focus: false });
  await call(fresh, "createWorkspace", {});
  await call(fresh, "openTile", { type: "shell", shell: own.shell });
  await call(fresh, "switchWorkspace", { index: 0 });
  expect(await call(fresh, "openTile", { type: "browser", tile: 1, place: "tab", focus: false }, token)).toEqual({
    key: own.tiles[1],
  });
  return fresh;
}

async function call(session: SmallSession, method: MethodName, params: object, permit?: Permit): Promise<unknown> {
  const { value } = await routeCommand(session.session, {
    method,
    params,
    caller: { ...userCaller("ann", "test"), permit },
    timeoutMs: 2000,
  });
  return value;
}

async function refusalOf(method: MethodName, params: object, session = lab): Promise<string | undefined> {
  try {
    await call(session, method, params, token);
    return undefined;
  } catch (error) {
    if (error instanceof RemoteError) return error.code;
    throw error;
  }
}

/** The example's parameters, once for each thing that the command may change, with that one aimed at another's. */
function aimedAtOthers(method: MethodName): object[] {
  const mine = { ...exampleParams[method], ...parametersFor(specs[method].touches, own) };
  const theirs = parametersFor(specs[method].touches, others);
  return Object.entries(theirs).map(([name, value]) => ({ ...mine, [name]: value }));
}

function parametersFor(touches: Touches | undefined, mine: typeof own): Record<string, number> {
  if (typeof touches !== "object") return {};
  const { shell, shellIn, tile, tiles = [], workspace } = touches;
  const [first = 0] = mine.tiles;
  return Object.fromEntries([
    ...(shell === undefined ? [] : [[shell, mine.shell]]),
    ...(shellIn === undefined ? [] : [[shellIn, first]]),
    ...(tile === undefined ? [] : [[tile, first]]),
    ...tiles.map((name, index) => [name, mine.tiles[index % mine.tiles.length]]),
    ...(workspace === undefined ? [] : [[workspace, mine.workspace]]),
  ]);
}

function state({ session }: SmallSession): string {
  const { shells, chat, adoptRequests } = session.state.now;
  const [client] = session.clients.connected;
  return JSON.stringify([
    shells,
    chat,
    adoptRequests,
    client === undefined ? null : session.clients.savedStateOf(client.id),
  ]);
}
