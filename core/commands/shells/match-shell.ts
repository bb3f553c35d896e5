import { RemoteError } from "../../protocol/errors.ts";
import type { Shell } from "../../protocol/records.ts";
import type { CommandContext } from "../context.ts";

const MAX_LISTED = 20;

/** The values of a shell that `match` can test. `labels` are the labels of the executing client's tiles. */
const fields = {
  title: (shell: Shell) => [shell.title],
  label: (_: Shell, labels: readonly string[]) => labels,
  cwd: (shell: Shell) => [shell.cwd],
  process: (shell: Shell) => [shell.process ?? ""],
  command: (shell: Shell) => [shell.command],
} as const satisfies Record<string, (shell: Shell, labels: readonly string[]) => readonly string[]>;

export const matchFields = Object.keys(fields) as (keyof typeof fields)[];

/**
 * Returns the one shell that `match` selects. Ended shells are considered only when no running shell matches. A shell
 * whose whole value equals the pattern takes precedence over shells that only contain it.
 * @throws RemoteError `invalid_params`, `unknown_shell`, or `ambiguous_shell` with the list of candidates
 */
export function matchShell(context: CommandContext, match: string): Shell {
  const { shells } = context.mirror;
  const { read, pattern } = parseMatch(match);
  const valuesOf = (shell: Shell) => read(shell, labelsOf(context, shell));
  const fits = shellsMatching(context, match);
  const running = fits.filter((shell) => shell.running);
  const candidates = running.length > 0 ? running : fits;
  const exact = candidates.filter((shell) => valuesOf(shell).some((value) => value === pattern));
  const [only, ...others] = exact.length > 0 ? exact : candidates;
  if (only !== undefined && others.length === 0) return context.shell(only.id);
  const shown = JSON.stringify(match.slice(0, 100));
  if (only === undefined) {
    throw new RemoteError(
      "unknown_shell",
      `No shell matches ${shown}. ${listShells(context, shells, "The session has")}`,
    );
  }
  const list = listShells(context, [only, ...others], "Candidates");
  throw new RemoteError("ambiguous_shell", `Several shells match ${shown}: be more exact, or give an id. ${list}`);
}

/**
 * Returns all shells that match, including ended ones.
 * @throws RemoteError `invalid_params` when `match` is malformed
 */
export function shellsMatching(context: CommandContext, match: string): Shell[] {
  const { read, pattern } = parseMatch(match);
  const fits = (shell: Shell) => read(shell, labelsOf(context, shell)).some((value) => contains(value, pattern));
  return context.mirror.shells.filter(fits);
}

function parseMatch(match: string): {
  read: (shell: Shell, labels: readonly string[]) => readonly string[];
  pattern: string;
} {
  const [, name = "", pattern = ""] = /^([a-z]+):(.+)$/s.exec(match) ?? [];
  if (Object.hasOwn(fields, name)) return { read: fields[name as keyof typeof fields], pattern };
  throw new RemoteError(
    "invalid_params",
    `params.match: expected FIELD:TEXT, with ${matchFields.join(", ")} for the field, got ${JSON.stringify(match.slice(0, 60))}.`,
  );
}

/** Reports whether a value contains the pattern. `*` matches any sequence of characters. */
function contains(value: string, pattern: string): boolean {
  let at = 0;
  for (const part of pattern.split("*")) {
    const found = value.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return true;
}

function labelsOf({ state }: CommandContext, { id }: Shell): string[] {
  return Object.values(state.now.tiles).flatMap((tile) =>
    tile.type === "shell" && tile.id === id && tile.label !== undefined ? [tile.label] : [],
  );
}

function listShells(context: CommandContext, shells: readonly Shell[], start: string): string {
  if (shells.length === 0) return `${start} none.`;
  const lines = shells.slice(0, MAX_LISTED).map((shell) => {
    const [label] = labelsOf(context, shell);
    const words = [shell.title, ...(label === undefined ? [] : [`label ${label}`]), shell.cwd];
    return `${shell.id} ${words.join(", ")}${shell.running ? "" : ", ended"}`;
  });
  const more = shells.length > lines.length ? `; and ${shells.length - lines.length} more` : "";
  return `${start}: ${lines.join("; ")}${more}.`;
}
