import type { Command } from "commander";
import { z } from "zod";
import { RemoteError } from "../../core/protocol/errors.ts";
import type { RemoteClient } from "../connect/remote-client.ts";
import { checkResult } from "../connect/service-error.ts";
import { askMachines, findMachines, type Question } from "../machines/ask-machines.ts";
import { printMachineRows, type Row, warnOfDamaged } from "../machines/print-machines.ts";
import { exitCodes } from "../parse/exit-codes.ts";
import { addGlobals, allMachinesOption, checkAllMachines, type Globals } from "../parse/global-options.ts";
import { printsHelp, wordParser } from "../parse/word-parser.ts";
import type { CliOperationRow } from "../parse/words.ts";
import { type Io, styleOf } from "../render/io.ts";
import type { ColumnOrder } from "../render/table.ts";
import { funcCommand } from "./func.ts";

/** A remote may be of another version: only what is read is checked. */
const Rows = z.array(z.record(z.string(), z.unknown()));
const OpenSessions = z.array(z.looseObject({ id: z.string(), name: z.string(), userCount: z.number().default(1) }));

/** The relay waits this long for the client that executes a command (seconds); less than a machine has in all. */
const CLIENT_TIMEOUT_S = 1.5;

/** A remote is not believed: it may list any number. */
const MAX_SESSIONS = 500;

const AGENT_COLUMNS: ColumnOrder = {
  columns: ["session", "shellId", "agentType", "model", "state", "cost", "since"],
  hidden: ["status"],
};

/** An operation that lists, such as `sessions --all`, asked of every machine. Returns the exit code. */
export function listEverywhere(io: Io, globals: Globals, { name, cli: { word } }: CliOperationRow): Promise<number> {
  return askEverywhere(io, globals, {
    name: word,
    question: async (client) => checkResult(Rows, await client.operation(name, {}), client.url),
  });
}

/** `service agents`: as `func list-agents`, or with `--all` of every machine. Returns the exit code. */
export async function agentsCommand(io: Io, words: readonly string[]): Promise<number> {
  const command = agentsParser(io.program);
  if (printsHelp(io, command, words)) return exitCodes.ok;
  const { all = false, ...globals } = command.opts<Globals & { all?: boolean }>();
  if (!all) return funcCommand(io, ["list-agents", ...words]);
  return askEverywhere(io, globals, { name: "agents", order: AGENT_COLUMNS, question: agentsOf });
}

export function agentsParser(program: string): Command {
  const command = wordParser(program, "agents", {
    description:
      "List the AI coding agents that run in a session's shells, as `func list-agents` does, or of every machine.",
    examples: ["agents", "agents --all", "agents --on build-box"],
  }).addOption(allMachinesOption());
  return addGlobals(command, { results: true });
}

async function askEverywhere(
  io: Io,
  globals: Globals,
  { name, order, question }: { name: string; order?: ColumnOrder; question: Question<readonly Row[]> },
): Promise<number> {
  checkAllMachines(globals);
  const { machines, damaged } = findMachines({ io, data: globals.data });
  const answers = await askMachines(machines, question);
  warnOfDamaged(io, damaged);
  const style = styleOf(io, globals.json === true);
  return printMachineRows(io, { answers, name, ...(order === undefined ? {} : { order }) }, style);
}

/** The agents of all sessions. A client of the session answers, so a session without one has no known agents. */
const agentsOf: Question<readonly Row[]> = async (client) => {
  const sessions = checkResult(OpenSessions, await client.sessions.list(), client.url);
  const asked = sessions.filter(({ userCount }) => userCount > 0).slice(0, MAX_SESSIONS);
  return (await Promise.all(asked.map((session) => agentsIn(client, session)))).flat();
};

async function agentsIn(client: RemoteClient, { id, name }: { id: string; name: string }): Promise<readonly Row[]> {
  try {
    const agents = await client.with({ session: id, timeout: CLIENT_TIMEOUT_S }).get("agents");
    return checkResult(Rows, agents, client.url).map((agent) => ({ session: name, ...agent }));
  } catch (error) {
    // The client left, or the session was closed, since the list was made.
    if (error instanceof RemoteError && ["no_client", "unknown_session"].includes(error.code)) return [];
    throw error;
  }
}
