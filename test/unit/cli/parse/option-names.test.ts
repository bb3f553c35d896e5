import { expect, test } from "vitest";
import { commandNamed } from "../../../../cli/parse/command-table.ts";
import { withOptionNames } from "../../../../cli/parse/option-names.ts";
import { type ErrorCode, RemoteError } from "../../../../core/protocol/errors.ts";

test.each<[string, ErrorCode, string, string]>([
  ["split-h", "invalid_params", "params.tile: expected a whole number.", "--tile: expected a whole number."],
  ["set-ratio", "invalid_params", "params.ratio: expected a number.", "ratio: expected a number."],
  ["swap-tiles", "invalid_params", "params.keyA: expected a whole number.", "key_a: expected a whole number."],
  ["get-shell-output", "invalid_params", "params.maxBytes: expected one.", "--max-bytes: expected one."],
  ["get-agent-events", "invalid_params", 'params.types.0: expected one, got "x".', '--types: expected one, got "x".'],
  [
    "wait-for",
    "invalid_params",
    "params: expected exactly one of text, idle and exit, got 0.",
    "Expected exactly one of --text, --idle and --exit, got 0.",
  ],
  [
    "get-shell-output",
    "invalid_params",
    "params: expected at most one of plain and screen, got 2.",
    "Expected at most one of --plain and --screen, got 2.",
  ],
  [
    "split-h",
    "ambiguous_client",
    "Several clients are connected: choose one with target_client_id.\n1 ann desktop x",
    "Several clients are connected: choose one with --client.\n1 ann desktop x",
  ],
  ["split-h", "unknown_tile", "No tile 9.", "No tile 9."],
  ["split-h", "invalid_params", "params.nothing: no such parameter.", "nothing: no such parameter."],
])("%s: %s in the words of the command line", (name, code, message, expected) => {
  const row = commandNamed(name);
  if (row === undefined) throw new Error(`no command ${name}`);
  expect(withOptionNames(new RemoteError(code, message), row.params)).toMatchObject({ code, message: expected });
});

test("what is no refusal stays what it is", () => {
  const row = commandNamed("split-h");
  const error = new Error("params.tile");
  if (row !== undefined) expect(withOptionNames(error, row.params)).toBe(error);
});
