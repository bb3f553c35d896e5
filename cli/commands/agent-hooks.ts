import type { Command } from "commander";
import {
  claudeHooks,
  claudeSettingsFile,
  connectionState,
  planConnect,
  planDisconnect,
  type SettingsChange,
} from "../connect/agent-settings.ts";
import { checkLocalAccess } from "../connect/check-local-access.ts";
import { CliError, exitCodes, usageError } from "../parse/exit-codes.ts";
import { printsHelp, withUsage, wordParser } from "../parse/word-parser.ts";
import type { Io } from "../render/io.ts";

interface AgentsOptions {
  readonly project?: boolean;
  readonly statusLine?: boolean;
  readonly yes?: boolean;
}

/** Actions of `service agents` that are about hooks. */
export const agentActions: readonly string[] = ["connect", "disconnect", "hooks"];

/** The kinds of agents that have hooks. */
export const agentKinds = ["claude"];

/** The actions with their arguments, and what they do. */
export const agentActionRows: readonly (readonly [usage: string, summary: string])[] = [
  ["connect <kind>", "let an agent's questions be answered through Patchbay, by hooks in its settings"],
  ["disconnect <kind>", "remove those hooks"],
  ["hooks", "show which settings have them"],
];

/** `service agents connect|disconnect|hooks [kind]`: the hooks in agents' settings. Returns the exit code. */
export async function agentHooksCommand(io: Io, words: readonly string[]): Promise<number> {
  const command = agentHooksParser(io.program);
  if (printsHelp(io, command, words)) return exitCodes.ok;
  const [action = "hooks", kind = "claude", ...more] = command.args;
  withUsage(command, () => {
    if (action !== "hooks" && command.args.length < 2) {
      throw usageError(`agents ${action}: expected the kind of an agent.`);
    }
    if (!agentKinds.includes(kind)) {
      throw usageError(`agents: expected one of ${agentKinds.join(", ")}, got ${JSON.stringify(kind)}.`);
    }
    if (more.length > 0) throw usageError(`agents: unexpected argument ${JSON.stringify(more[0])}.`);
  });
  const { project = false, statusLine = false, yes = false } = command.opts<AgentsOptions>();
  withUsage(command, () => {
    // There it would hide the status line of the user's own settings.
    if (statusLine && project)
      throw usageError("agents: --status-line is for the user's settings, not for a project's.");
  });
  const place = { env: io.env, cwd: io.cwd ?? process.cwd() };
  if (action === "hooks") return showHooks(io, place);
  await checkLocalAccess(io.env);
  const file = claudeSettingsFile(project ? "project" : "user", place);
  if (action === "disconnect") return remove(io, planDisconnect(file));
  return add(io, planConnect(file, { statusLine }), yes);
}

function agentHooksParser(program: string): Command {
  return withHookOptions(
    wordParser(program, "agents", {
      description:
        "Connects agents, so that their questions are listed (`questions`) and can be answered (`answer`) through Patchbay. For Claude Code: hooks in its settings, which do something in Patchbay's shells only. Its own dialogs stay.",
      usage: "<action> [kind] [options]",
      actions: agentActionRows,
      examples: ["agents connect claude", "agents connect claude --project", "agents disconnect claude"],
    }),
  );
}

/** Adds the options of these actions to a parser. */
export function withHookOptions(command: Command): Command {
  return command
    .option("--project", "hooks: only those of the project in this folder (.claude/settings.local.json)")
    .option("--status-line", "hooks: report quota windows too, by the status line; one that you have stays")
    .option("--yes", "hooks: do not ask before the settings are changed");
}

function showHooks(io: Io, place: Parameters<typeof claudeSettingsFile>[1]): number {
  for (const scope of ["user", "project"] as const) {
    const file = claudeSettingsFile(scope, place);
    io.stdout.write(`claude  ${scope.padEnd(7)}  ${connectionState(file)}  ${file}\n`);
  }
  return exitCodes.ok;
}

async function add(io: Io, change: SettingsChange, yes: boolean): Promise<number> {
  if (!hasChanges(change)) {
    io.stdout.write(`Claude Code is connected already, by ${change.file}.\n`);
    return exitCodes.ok;
  }
  const added = Object.fromEntries(change.events.map((event) => [event, claudeHooks[event]]));
  if (change.events.length > 0)
    io.stdout.write(`Adds these hooks to ${change.file}:\n${JSON.stringify(added, undefined, 2)}\n`);
  if (change.statusLine !== undefined)
    io.stdout.write(`Sets this status line in ${change.file}:\n${change.statusLine}\n`);
  if (!yes && !(await agrees(io))) {
    throw new CliError(exitCodes.refused, "nothing was changed. Add the hooks with --yes.");
  }
  change.apply();
  io.stdout.write(
    `Connected. It takes effect in every running and new Claude Code; \`${io.program} agents disconnect claude\` undoes it.\n`,
  );
  return exitCodes.ok;
}

function remove(io: Io, change: SettingsChange): number {
  if (hasChanges(change)) change.apply();
  const done = hasChanges(change) ? "Removed the hooks from" : "There are no hooks of Patchbay in";
  io.stdout.write(`${done} ${change.file}.\n`);
  return exitCodes.ok;
}

function hasChanges({ events, statusLine }: SettingsChange): boolean {
  return events.length > 0 || statusLine !== undefined;
}

/** Asks on a terminal; elsewhere nobody can agree. */
async function agrees({ stdout, stdin }: Io): Promise<boolean> {
  if (!stdout.isTTY || stdin === undefined) return false;
  stdout.write("Change the settings? [y/N] ");
  for await (const chunk of stdin()) return /^y(es)?\s*$/i.test(Buffer.from(chunk).toString("utf8").trim());
  return false;
}
