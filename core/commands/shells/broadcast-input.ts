import { z } from "zod";
import { tilesOf } from "../../layout/workspace.ts";
import { RemoteError } from "../../protocol/errors.ts";
import { ShellId } from "../../protocol/ids.ts";
import type { Shell } from "../../protocol/records.ts";
import { activeWorkspace } from "../../state/client-state.ts";
import { command } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { shellsMatching } from "./match-shell.ts";
import { shellTarget } from "./resolve-shell.ts";

/** A list of shell ids, or a string with comma-separated ids. */
const ids = z
  .preprocess(
    (value) => (typeof value === "string" ? value.split(",").map((text) => Number(text.trim() || Number.NaN)) : value),
    z.array(ShellId).min(1).max(256),
  )
  .meta({ type: ["array", "string"] });

export const broadcastInput = command({
  area: "shells",
  summary: "Write the same text to several shells, as if typed in each",
  details:
    "Writes to the shells of `ids`, to every running shell that `match` selects, or else to those in the tiles of the visible workspace. Ended shells are skipped and listed in `failed`. The data is as for `writeToShell`.",
  params: z.object({
    data: z.string().describe("what to write; `\\n` is Enter"),
    ids: ids.optional().describe("the shells, separated by commas"),
    match: shellTarget.match.describe("all running shells that fit FIELD:TEXT, for example cwd:/srv"),
    literal: z.boolean().default(false).describe("a backslash and an n are these two characters"),
    raw: z.boolean().default(false).describe("send the bytes as they are"),
  }),
  result: z.object({ ids: z.array(ShellId), failed: z.array(z.object({ id: ShellId, error: z.string() })) }),
  role: "writer",
  scope: "client",
  onScreen: false,
  touches: "screen",
  palette: [
    {
      title: "Write a text to all shells of the workspace…",
      submit: "Write",
      fields: { data: { label: "Text", help: "\\n is Enter", needed: true } },
    },
  ],
  sensitive: ["data"],
  cli: [
    {
      name: "broadcast-input",
      args: ["data"],
      examples: ["broadcast-input 'git pull\\n'", "broadcast-input 'uptime\\n' --ids 1,2,5"],
    },
  ],
  async run(context, { data, ids: named, match, ...how }) {
    const shells = targetShells(context, named, match);
    if (shells.length === 0) throw new RemoteError("unknown_shell", "No running shell is meant by this: name others.");
    const outcomes = await Promise.allSettled(
      shells.map(({ id }) => context.ask("writeShell", { shell: id, data, ...how })),
    );
    const results = shells.map(({ id }, index) => ({ id, outcome: outcomes[index] }));
    const failures = results.flatMap(({ id, outcome }) =>
      outcome?.status === "rejected" ? [{ id, error: String(outcome.reason?.message ?? outcome.reason) }] : [],
    );
    const failed = new Set(failures.map(({ id }) => id));
    return { ids: shells.map(({ id }) => id).filter((id) => !failed.has(id)), failed: failures };
  },
});

function targetShells(
  context: CommandContext,
  ids: readonly ShellId[] | undefined,
  match: string | undefined,
): readonly Shell[] {
  if (ids !== undefined && match !== undefined) {
    throw new RemoteError("invalid_params", "params.match: expected one of `ids` and `match`, got both.");
  }
  if (ids !== undefined) return [...new Set(ids)].map((id) => context.shell(id));
  if (match !== undefined) return shellsMatching(context, match).filter((shell) => shell.running);
  const { now } = context.state;
  const shown = new Set<number>(
    tilesOf(activeWorkspace(now)).flatMap((key) => (now.tiles[key]?.type === "shell" ? [now.tiles[key].id] : [])),
  );
  return context.mirror.shells.filter((shell) => shell.running && shown.has(shell.id));
}
