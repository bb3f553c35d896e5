import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import type { AskSpec } from "../../core/commands/asked.ts";
import { type MethodName, methodNames, specs } from "../../core/commands/specs.ts";
import { type OperationName, operationNames, operations } from "../../core/operations/index.ts";
import type { OperationSpec } from "../../core/operations/operation.ts";
import { procedureOf } from "../../core/procedures/index.ts";
import type { Touches } from "../../core/protocol/touches.ts";
import { exampleOf } from "../../main/relay/docs/example-of.ts";
import { asked } from "../support/asked-names.ts";
import { exampleFor, exampleRequest } from "./example-operations.ts";
import { exampleParams } from "./example-params.ts";
import {
  type Ask,
  askers,
  type CallerName,
  callers,
  clientNames,
  openRightsLab,
  own,
  type RightsLab,
} from "./rights-lab.ts";

/**
 * Who may call what, tried at a real relay: every procedure by every kind of caller. A change of any right is a visible
 * difference in `__snapshots__/rights.txt`; `npx vitest run test/contract/rights.test.ts -u` writes it anew.
 */

/** What stands in a cell. Every other answer, an error of the parameters among them, means that the caller may call it. */
const refusals: Readonly<Record<string, string>> = {
  unauthenticated: "u",
  too_many_failures: "u",
  scope_forbids: "s",
  role_forbids: "r",
  not_owner: "o",
};

let lab: RightsLab;
beforeAll(async () => {
  lab = await openRightsLab();
});
afterAll(() => lab[Symbol.asyncDispose]());

/** Runs the calls of a row one after the other, and opens another lab if they have changed what the next row rests on. */
async function row(name: string, calls: readonly (() => Promise<string>)[]): Promise<string> {
  const before = lab.state();
  const cells: string[] = [];
  for (const call of calls) cells.push(refusals[await call()] ?? "+");
  lab.resetLayout();
  if (lab.state() !== before) {
    await lab[Symbol.asyncDispose]();
    lab = await openRightsLab();
  }
  return [name.padEnd(22), ...cells.map((cell) => cell.padEnd(WIDTH))].join(" ").trimEnd();
}

const WIDTH = 8;
const heading = (names: readonly string[]) =>
  ["".padEnd(22), ...names.map((name) => name.padEnd(WIDTH))].join(" ").trimEnd();
const callerNames = callers.map(([name]) => name);

test("rights of every caller to every procedure", { timeout: 300_000 }, async () => {
  const commands: string[] = [];
  for (const method of methodNames.toSorted()) {
    commands.push(
      await row(method, [
        ...callerNames.map((caller) => () => lab.call(caller, command(method, caller))),
        ...clientNames.map((client) => () => lab.call("owner", command(method, "owner", lab.clients[client]))),
      ]),
    );
  }
  const called: string[] = [];
  for (const name of operationNames.toSorted()) {
    const { panel, bearer }: OperationSpec = operations[name];
    const onPanel = () => (panel === true ? lab.panel(name, operationParams(name)) : Promise.resolve("not_owner"));
    const tried = (caller: CallerName) => async () => {
      const byPath = await lab.call(caller, operation(name));
      // What takes a bearer token takes a key besides when it is called by its name. A command goes before an operation of its name.
      if (bearer !== undefined || procedureOf(name)?.kind !== "operation") return byPath;
      const byName = await lab.call(caller, operationByName(name));
      // The session of the path must be the caller's own.
      const expected = caller === "stranger" ? "o" : refusals[byPath];
      expect([name, caller, refusals[byName]]).toEqual([name, caller, expected]);
      return byPath;
    };
    called.push(await row(name, [...callerNames.map(tried), onPanel]));
  }
  const rows: string[] = [];
  for (const { name, spec } of asked.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    const params = askParams(spec);
    rows.push(
      await row(
        name,
        askers.map((asker) => () => lab.ask(asker, name, params)),
      ),
    );
  }
  const legend = callers.map(([name, meaning]) => `${name.padEnd(10)} ${meaning}`);
  const text = [
    "+ may call it; refused with: u unauthenticated, s scope_forbids, r role_forbids, o not_owner (for the panel: not declared for it)",
    "",
    ...legend,
    "",
    "Commands: by callers, for the owner's client; then by the owner's key, for a client of each role.",
    heading([...callerNames, ...clientNames]),
    ...commands,
    "",
    "Operations: by callers, and from the panel.",
    heading([...callerNames, "panel"]),
    ...called,
    "",
    "What clients ask on their own account.",
    heading(askers),
    ...rows,
    "",
  ].join("\n");
  await expect(text).toMatchFileSnapshot("__snapshots__/rights.txt");
});

function command(method: MethodName, caller: CallerName, client: number = lab.clients.admin): Ask {
  const params = { ...exampleParams[method], ...(caller === "r.sh.own" ? ownParams(specs[method].touches) : {}) };
  return {
    method: "POST",
    path: `/v1/sessions/${lab.relay.session}/remote/command`,
    body: { method, params, ...(specs[method].untargeted === true ? {} : { target_client_id: client }) },
  };
}

/** The parameters that name what a command changes, aimed at what the restricted shell owns. */
function ownParams(touches: Touches | undefined): Readonly<Record<string, number>> {
  if (typeof touches !== "object") return {};
  const { shell, shellIn, tile, tiles = [], workspace } = touches;
  const [first] = own.tiles;
  return Object.fromEntries([
    ...(shell === undefined ? [] : [[shell, own.shell]]),
    ...[shellIn, tile].flatMap((name) => (name === undefined ? [] : [[name, first]])),
    ...tiles.map((name, index) => [name, own.tiles[index % own.tiles.length]]),
    ...(workspace === undefined ? [] : [[workspace, own.workspace]]),
  ]);
}

function operation(name: OperationName): Ask {
  const { bearer }: OperationSpec = operations[name];
  return { ...exampleRequest(name, operationParams(name)), bearer };
}

/** The same call by `POST remote/command`, with the session in its path. */
function operationByName(name: OperationName): Ask {
  const { session: _, ...params } = { session: undefined, ...operationParams(name) };
  return {
    method: "POST",
    path: `/v1/sessions/${lab.relay.session}/remote/command`,
    body: { method: name, params },
  };
}

function operationParams(name: OperationName): Readonly<Record<string, unknown>> {
  const { params }: OperationSpec = operations[name];
  const given: Readonly<Record<string, unknown>> = {
    ...exampleFor(name),
    ...("session" in params.shape ? { session: lab.relay.session } : {}),
  };
  // Nobody who is needed for the next cell.
  return "client" in given ? { ...given, client: 999 } : given;
}

function askParams({ params }: AskSpec): Readonly<Record<string, unknown>> {
  const schema = z.toJSONSchema(params, { io: "input", unrepresentable: "any" });
  return { ...(exampleOf(schema) as object) };
}
