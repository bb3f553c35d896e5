import type { Command } from "commander";
import { checkLocalAccess } from "../../client/check-local-access.ts";
import { type AgentConnector, agentConnectors, type Place, perRunConnectors } from "../connect/agent-connectors.ts";
import type { SettingsScope } from "../connect/agent-settings.ts";
import { CliError, exitCodes, usageError } from "../parse/exit-codes.ts";
import { printsHelp, withUsage, wordParser } from "../parse/word-parser.ts";
import { jsonLine } from "../render/format-result.ts";
import type { Io } from "../render/io.ts";

interface AgentsOptions {
  readonly json?: boolean;
  readonly perRun?: boolean;
  readonly project?: boolean;
  readonly statusLine?: boolean;
  readonly yes?: boolean;
}

/** Actions of `service agents` that are about connections. */
export const hookActions: readonly string[] = ["connect", "disconnect", "hooks"];

/** The kinds of agents that can be connected. */
export const agentKinds = Object.keys(agentConnectors);

/** The actions with their arguments, and what they do. */
export const agentActionRows: readonly (readonly [usage: string, summary: string])[] = [
  [
    "connect <kind>",
    "let an agent's questions be answered through Patchbay: claude and gemini by hooks, codex by its app server, opencode by a plugin",
  ],
  ["disconnect <kind>", "undo that"],
  ["hooks", "show which agents are connected"],
  [
    "start <kind> --acp",
    "start an agent in a new shell and speak with it by the Agent Client Protocol: its questions can be answered anywhere",
  ],
];

/** `service agents connect|disconnect|hooks [kind]`: which agents are connected. Returns the exit code. */
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
  const options = command.opts<AgentsOptions>();
  withUsage(command, () => checkOptions(action, kind, options));
  const { json = false, perRun = false, project = false, statusLine = false, yes = false } = options;
  const place = { env: io.env, cwd: io.cwd ?? process.cwd() };
  const connector = (perRun ? perRunConnectors : agentConnectors)[kind];
  if (action === "hooks" || connector === undefined) return showHooks(io, place, json);
  await checkLocalAccess(io.env);
  const target = { connector, kind, scope: project ? "project" : "user", isPerRun: perRun, place } as const;
  return action === "disconnect" ? remove(io, target) : add(io, target, { statusLine, yes });
}

/** @throws CliError for options that the action or the kind does not take, or not together */
function checkOptions(
  action: string,
  kind: string,
  { json = false, perRun = false, project = false, statusLine = false }: AgentsOptions,
): void {
  if (json && action !== "hooks") throw usageError(`--json is not an option of \`agents ${action}\`.`);
  // There it would hide the status line of the user's own settings.
  if (statusLine && kind !== "claude") throw usageError("agents: --status-line is for claude.");
  if (statusLine && project) throw usageError("agents: --status-line is for the user's settings, not for a project's.");
  if (perRun && perRunConnectors[kind] === undefined) throw usageError("agents: --per-run is for claude.");
  if (perRun && project) throw usageError("agents: expected one of --per-run and --project, got both.");
  // There it would hide the status line, too.
  if (perRun && statusLine)
    throw usageError("agents: --status-line is for the user's settings, not for those of a run.");
}

interface Target {
  readonly connector: AgentConnector;
  readonly kind: string;
  readonly scope: SettingsScope;
  readonly isPerRun: boolean;
  readonly place: Place;
}

const effects: Readonly<Record<AgentConnector["takesEffect"], (name: string) => string>> = {
  "at once": (name) => `in every running and new ${name}`,
  "at the next start": (name) => `in each ${name} that starts from now on`,
  "in new shells": (name) => `in each ${name} that starts in a shell opened from now on`,
};

function agentHooksParser(program: string): Command {
  return withHookOptions(
    wordParser(program, "agents", {
      description:
        "Connects agents, so that their questions are listed (`questions`) and can be answered (`answer`) through Patchbay. For Claude Code and Gemini CLI: hooks in their settings, which do something in Patchbay's shells only; for Claude Code also, in place of that, hooks for each run in Patchbay's shells. For Codex: the app server that its terminals share. For opencode: a plugin. Their own dialogs stay.",
      usage: "<action> [kind] [options]",
      actions: agentActionRows,
      examples: [
        "agents connect claude",
        "agents connect claude --per-run",
        "agents connect codex --project",
        "agents disconnect claude",
        "agents hooks --json",
      ],
    }),
  ).option("--json", "hooks: print JSON; without it a pipe gets lines too");
}

/** Adds the options of these actions to a parser. */
export function withHookOptions(command: Command): Command {
  return command
    .option("--project", "connect: only in the project of this folder")
    .option(
      "--per-run",
      "connect claude: pass the hooks to each run in Patchbay's shells; its settings stay as they are",
    )
    .option("--status-line", "connect claude: report quota windows too, by the status line; one that you have stays")
    .option("--yes", "connect: do not ask before the settings are changed");
}

function showHooks(io: Io, place: Place, json: boolean): number {
  const agents = Object.entries(agentConnectors);
  if (json) io.stdout.write(jsonLine(agents.map(([kind, connector]) => hooksOf(kind, connector, place))));
  else for (const [kind, connector] of agents) showAgent(io, hooksOf(kind, connector, place));
  return exitCodes.ok;
}

interface AgentConnection {
  readonly agentType: string;
  readonly connections: readonly { readonly scope: string; readonly state: string; readonly file: string }[];
  /** When a hook last reported (ISO 8601); null for never. Absent where nothing is connected, and for a kind without hooks. */
  readonly lastFired?: string | null;
  readonly warnings: readonly string[];
}

function hooksOf(kind: string, connector: AgentConnector, place: Place): AgentConnection {
  const states = (["user", "project"] as const).map((scope) => ({ scope, ...connector.state(scope, place) }));
  const perRun = perRunConnectors[kind]?.state("user", place);
  const connections = [...states, ...(perRun === undefined ? [] : [{ scope: "per run", ...perRun }])];
  const agent = { agentType: kind, connections, warnings: [] };
  if (connections.every(({ state }) => state === "not connected")) return agent;
  // That hooks are in the settings does not mean that they fire.
  const { firedAt, obstacles } = connector;
  const lastFired = firedAt === undefined ? {} : { lastFired: firedAt(place)?.toISOString() ?? null };
  return { ...agent, ...lastFired, warnings: obstacles?.(place) ?? [] };
}

function showAgent(io: Io, { agentType, connections, lastFired, warnings }: AgentConnection): void {
  for (const { scope, state, file } of connections) showState(io, [agentType, scope, state, file]);
  if (lastFired !== undefined) showState(io, [agentType, "hooks", `last fired: ${lastFired ?? "never"}`]);
  for (const warning of warnings) showState(io, [agentType, "hooks", `warning: ${warning}`]);
}

function showState(
  io: Io,
  [kind, scope, ...others]: readonly [kind: string, scope: string, ...others: string[]],
): void {
  io.stdout.write(`${[kind.padEnd(8), scope.padEnd(7), ...others].join("  ")}\n`);
}

async function add(
  io: Io,
  { connector, kind, scope, isPerRun, place }: Target,
  { statusLine, yes }: { readonly statusLine: boolean; readonly yes: boolean },
): Promise<number> {
  const { name } = connector;
  const change = connector.connect(scope, place, { statusLine });
  if (change.shown === undefined) {
    io.stdout.write(`${name} is connected already, by ${change.file}.\n`);
    return exitCodes.ok;
  }
  io.stdout.write(`${change.shown}\n`);
  await confirmChange(io, yes);
  change.apply();
  const option = isPerRun ? " --per-run" : scope === "project" ? " --project" : "";
  const undo = `${io.program} agents disconnect ${kind}${option}`;
  io.stdout.write(`Connected. It takes effect ${effects[connector.takesEffect](name)}; \`${undo}\` undoes it.\n`);
  return exitCodes.ok;
}

function remove(io: Io, { connector, scope, place }: Target): number {
  const change = connector.disconnect(scope, place);
  if (change.removes) change.apply();
  io.stdout.write(
    change.removes
      ? `Disconnected ${connector.name}: removed what Patchbay had added to ${change.file}.\n`
      : `${connector.name} is not connected by ${change.file}.\n`,
  );
  return exitCodes.ok;
}

/** Asks on a terminal, unless the user has agreed; elsewhere nobody can agree. @throws CliError if the user does not */
export async function confirmChange({ stdout, stdin }: Io, agreed: boolean): Promise<void> {
  if (agreed) return;
  if (stdout.isTTY && stdin !== undefined) {
    stdout.write("Change the settings? [y/N] ");
    for await (const chunk of stdin()) {
      if (/^y(es)?\s*$/i.test(Buffer.from(chunk).toString("utf8").trim())) return;
      break;
    }
  }
  throw new CliError(exitCodes.refused, "nothing was changed. Agree with --yes.");
}
