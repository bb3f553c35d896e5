import { expect, test } from "vitest";
import { commandsDoc } from "../../../../cli/help/docs.ts";
import { allCommands, commandNamed, commandNames } from "../../../../cli/parse/command-table.ts";
import { globalOptions } from "../../../../cli/parse/global-options.ts";
import { allOperations } from "../../../../cli/parse/operation-table.ts";
import { prebuiltTables } from "../../../../cli/parse/prebuilt-table.ts";
import { routeOf } from "../../../../client/operation-routes.ts";
import { methodNames, specs } from "../../../../core/commands/specs.ts";
import { operationNames } from "../../../../core/operations/index.ts";

test("derives arguments, options, choices and defaults from a declaration", () => {
  expect(
    commandNamed("swap-tiles")?.params.map(({ word, byPosition, required }) => [word, byPosition, required]),
  ).toEqual([
    ["key_a", true, true],
    ["key_b", true, true],
  ]);
  expect(commandNamed("move-tile")?.params.at(-1)).toMatchObject({
    word: "place",
    choices: ["left", "right", "up", "down", "tab"],
    default: "tab",
  });
  expect(commandNamed("get-shell-output")?.params.find(({ name }) => name === "maxBytes")).toMatchObject({
    word: "max-bytes",
    kind: "number",
  });
  expect(commandNamed("split-v")).toMatchObject({ method: "splitShell", preset: { direction: "vertical" } });
  expect(commandNamed("split-v")?.params.map(({ name }) => name)).not.toContain("direction");
});

test("every spelling is known by one name, and its places are parameters", () => {
  expect(new Set(commandNames()).size).toBe(commandNames().length);
  for (const row of allCommands()) {
    for (const param of row.params) expect(Object.keys(specs[row.method].params.shape)).toContain(param.name);
    const required = row.params.filter((param) => param.required).map((param) => param.name);
    expect(required.filter((name) => name in row.preset)).toEqual([]);
  }
});

test("these own options hide those of every command, which then go before the command's name", () => {
  const globals: string[] = globalOptions.map(({ name }) => name);
  const clashes = allCommands().flatMap(({ name, params }) =>
    params.filter((param) => !param.byPosition && globals.includes(param.name)).map((param) => `${name} ${param.name}`),
  );
  expect(clashes).toEqual(["open-tile url", "run timeout", "wait-for timeout", "broadcast-event data"]);
});

const built = (name: string) => `data:text/javascript,${encodeURIComponent(prebuiltTables()[name] ?? "")}`;

test("the table of operations that the build puts in its place says the same", async () => {
  const source = built("cli/parse/operation-table.ts");
  const prebuilt = (await import(
    /* @vite-ignore */ source
  )) as typeof import("../../../../cli/parse/operation-table.ts");
  expect(prebuilt.allOperations()).toEqual(allOperations());
});

test("the table of requests that the build puts in its place says the same", async () => {
  const source = built("client/operation-routes.ts");
  const prebuilt = (await import(/* @vite-ignore */ source)) as typeof import("../../../../client/operation-routes.ts");
  for (const name of operationNames) expect(prebuilt.routeOf(name)).toEqual(routeOf(name));
});

test("the table that the build puts in its place says the same", async () => {
  const source = built("cli/parse/command-table.ts");
  const prebuilt = (await import(/* @vite-ignore */ source)) as typeof import("../../../../cli/parse/command-table.ts");
  expect(prebuilt.allCommands()).toEqual(allCommands());
  expect(prebuilt.commandNames()).toEqual(commandNames());
  expect(prebuilt.commandNamed("run")).toEqual(commandNamed("run"));
  expect(prebuilt.commandNamed("constructor")).toBeUndefined();
});

test("the document names every method and every spelling", () => {
  const doc = commandsDoc();
  for (const method of methodNames) expect(doc).toContain(`### ${method}\n`);
  for (const name of commandNames()) expect(doc).toContain(`service func ${name}`);
});

test("each row is derived once, however often a relay runs its command", () => {
  const all = allCommands();
  expect(all).not.toEqual([]);
  for (const row of all) expect(commandNamed(row.name)).toBe(row);
  expect(commandNamed("no-such-command")).toBeUndefined();
});
