import type { Command } from "commander";
import { askMachines, findMachines, type Question } from "../../client/ask-machines.ts";
import type { RemoteClient } from "../../client/remote-client.ts";
import { checkResult } from "../../client/service-error.ts";
import {
  listAgents,
  listInSessions,
  listSessions,
  type Row,
  Rows,
  type SessionRows,
  withSessionNames,
} from "../../client/session-rows.ts";
import { printMachineRows, warnOfDamaged } from "../machines/print-machines.ts";
import { exitCodes, usageError } from "../parse/exit-codes.ts";
import { addGlobals, allMachinesOption, checkAllMachines, type Globals } from "../parse/global-options.ts";
import { printsHelp, withUsage, wordParser } from "../parse/word-parser.ts";
import { type CliOperationRow, operationsOf } from "../parse/words.ts";
import { type Io, styleOf } from "../render/io.ts";
import { listIn } from "../render/listed.ts";
import { withProgramName } from "../render/program-name.ts";
import type { ColumnOrder } from "../render/table.ts";
import { agentActionRows, agentHooksCommand, hookActions, withHookOptions } from "./agent-hooks.ts";
import { agentPricesCommand, priceActionRows } from "./agent-prices.ts";
import { funcCommand } from "./func.ts";
import { startAgentCommand, withStartOptions } from "./start-agent.ts";

const AGENT_COLUMNS: ColumnOrder = {
  columns: ["session", "shellId", "agentType", "model", "state", "cost", "since"],
  hidden: ["status"],
};

const START = "start";
const PRICES = "prices";

/** Actions of `service agents`. */
export const agentActions: readonly string[] = [
  ...hookActions,
  START,
  PRICES,
  ...operationsOf("agents").flatMap(({ cli }) => cli.action ?? []),
];

/**
 * An operation that lists, such as `sessions --all`, asked of every machine; one that lists something of a session is
 * asked of each session. Returns the exit code.
 */
export async function listEverywhere(
  io: Io,
  globals: Globals,
  { name, inSession, cli: { word, columns, rows } }: CliOperationRow,
  params: Readonly<Record<string, unknown>>,
): Promise<number> {
  // The number of a shell means one session only.
  if (params.shell !== undefined) throw usageError("--all asks every session: leave --shell out.");
  let notice: string | undefined;
  const list = async (client: RemoteClient) => {
    const listed = listIn(await client.askOperation(name, params), rows);
    notice ??= listed.notice;
    return checkResult(Rows, listed.list, client.url);
  };
  const code = await askEverywhere(io, globals, {
    name: word,
    ...(inSession && columns !== undefined ? { order: { columns: ["session", ...columns] } } : {}),
    question: async (client) =>
      inSession
        ? withSessionNames(conversationsOnce(await listInSessions(client, await listSessions(client), list)))
        : list(client),
  });
  if (notice !== undefined) io.stderr.write(`${io.program}: ${withProgramName(notice, io.program)}\n`);
  return code;
}

/** A conversation is of no session, so every session of a relay finds it: leaves what is found there with the first one. */
function conversationsOnce(lists: readonly SessionRows[]): SessionRows[] {
  const found = new Set<string>();
  return lists.map(({ session, rows }) => ({
    session,
    rows: rows.filter(({ in: place, id, conversation }) => {
      if (place !== "conversations") return true;
      const key = JSON.stringify([session.relay, id, conversation]);
      const isNew = !found.has(key);
      found.add(key);
      return isNew;
    }),
  }));
}

/** `service agents`: as `func list-agents`, or with `--all` of every machine. Returns the exit code. */
export async function agentsCommand(io: Io, words: readonly string[]): Promise<number> {
  const command = agentsParser(io.program);
  const action = withUsage(command, () => actionIn(agentsParser(io.program), words));
  if (hookActions.includes(action)) return agentHooksCommand(io, words);
  if (action === START) return startAgentCommand(io, words);
  if (action === PRICES) return agentPricesCommand(io, words);
  if (printsHelp(io, command, words)) return exitCodes.ok;
  const { all = false, ...globals } = command.opts<Globals & { all?: boolean }>();
  if (!all) return funcCommand(io, ["list-agents", ...words]);
  return askEverywhere(io, globals, { name: "agents", order: AGENT_COLUMNS, question: listAgents });
}

/** Returns the first word that is no option, nor the value of one: options stand before the action, too. */
function actionIn(parser: Command, words: readonly string[]): string {
  return parser.parseOptions([...words]).operands[0] ?? "";
}

/** The actions that are operations of the relay. */
function operationRows(): readonly (readonly [usage: string, summary: string])[] {
  return operationsOf("agents").map(({ summary, cli: { action = "", params } }) => [
    [action, ...params.filter(({ byPosition }) => byPosition).map(({ word }) => `<${word}>`)].join(" "),
    summary.charAt(0).toLowerCase() + summary.slice(1),
  ]);
}

export function agentsParser(program: string): Command {
  const command = wordParser(program, "agents", {
    description:
      "List the AI coding agents that run in a session's shells, as `func list-agents` does, or of every machine. With an action: connect agents by their hooks, or start one by the Agent Client Protocol, so that their questions can be answered through Patchbay; or see to the prices of their calls.",
    usage: "[action] [options]",
    actions: [...agentActionRows, ...priceActionRows, ...operationRows()],
    examples: ["agents", "agents --all", "agents --on build-box", "agents connect claude", "agents start gemini --acp"],
  }).addOption(allMachinesOption());
  return withStartOptions(withHookOptions(addGlobals(command, { results: true })));
}

async function askEverywhere(
  io: Io,
  globals: Globals,
  { name, order, question }: { name: string; order?: ColumnOrder; question: Question<readonly Row[]> },
): Promise<number> {
  checkAllMachines(globals);
  const { machines, damaged } = findMachines({ env: io.env, data: globals.data });
  const answers = await askMachines(machines, question);
  warnOfDamaged(io, damaged);
  const style = styleOf(io, globals.json === true);
  return printMachineRows(io, { answers, name, ...(order === undefined ? {} : { order }) }, style);
}
