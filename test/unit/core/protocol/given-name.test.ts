import { expect, test } from "vitest";
import type { z } from "zod";
import { renameTile } from "../../../../core/commands/layout/rename-tile.ts";
import { createShell } from "../../../../core/commands/shells/create-shell.ts";
import { createWorkspace } from "../../../../core/commands/workspaces/create-workspace.ts";
import { renameWorkspace } from "../../../../core/commands/workspaces/rename-workspace.ts";
import { keyOperations } from "../../../../core/operations/keys.ts";
import { sessionOperations } from "../../../../core/operations/sessions.ts";
import { parseParams } from "../../../../core/protocol/parse-params.ts";

const operations: [string, z.ZodObject, object][] = [
  ["createSession", sessionOperations.createSession.params, {}],
  ["renameSession", sessionOperations.renameSession.params, { session: "session-1" }],
  ["createKey", keyOperations.createKey.params, {}],
  ["createWorkspace", createWorkspace.params, {}],
  ["renameWorkspace", renameWorkspace.params, {}],
  ["renameTile", renameTile.params, {}],
];

test.each(operations)("%s takes only names that a database gives back", (_operation, params, others) => {
  const named = (name: string) => parseParams(params, { ...others, name }).name;
  for (const name of ["a\0b", "\0", "x\ud800y", "\udc00", "two\nlines", "\u001b]0;title\u0007", "\u009b2J"]) {
    expect(() => named(name), JSON.stringify(name)).toThrow(
      /^params\.name: expected a name without control characters/,
    );
  }
  for (const name of ["büro", "工作", "👩‍💻 work", "a b"]) expect(named(` ${name} `)).toBe(name);
});

test("so does the title of a new shell; a tile's label may be empty, a workspace's name not", () => {
  expect(() => parseParams(createShell.params, { title: "a\0b" })).toThrow(/^params\.title: .*control characters/);
  expect(parseParams(renameTile.params, { name: " " }).name).toBe("");
  expect(() => parseParams(renameWorkspace.params, { name: " " })).toThrow(/^params\.name: expected text of/);
});
