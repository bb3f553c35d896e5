import { Command } from "commander";
import { didYouMean } from "../../core/protocol/nearest.ts";
import { connect } from "../connect/connect.ts";
import type { RemoteClient } from "../connect/remote-client.ts";
import { exitCodes, usageError } from "../parse/exit-codes.ts";
import { addGlobals, type Globals } from "../parse/global-options.ts";
import { parseWith } from "../parse/parse-command.ts";
import { type Io, styleOf } from "../render/io.ts";
import { printed } from "../render/print-result.ts";

interface Action {
  readonly args: readonly string[];
  readonly summary: string;
  readonly run: (client: RemoteClient, words: readonly string[], options: SessionOptions) => Promise<unknown>;
}

interface SessionOptions {
  /** Close a session in which shells run. */
  readonly force?: boolean;
}

/** The actions of `service sessions` (docs/decisions/0006). */
export const sessionActions: Readonly<Record<string, Action>> = {
  list: { args: [], summary: "sessions of the key's owner", run: ({ sessions }) => sessions.list() },
  create: { args: ["name"], summary: "open a session", run: ({ sessions }, [name = ""]) => sessions.create(name) },
  rename: {
    args: ["id", "name"],
    summary: "give a session another name",
    run: ({ sessions }, [id = "", name = ""]) => sessions.rename(id, name),
  },
  close: {
    args: ["id"],
    summary: "end a session; one in which shells run, with --force",
    run: ({ sessions }, [id = ""], { force = false }) => sessions.close(id, { force }),
  },
};

/** `service sessions [list|create NAME|rename ID NAME|close ID]`; an id may be a name. Answers the exit code. */
export async function sessionsCommand(io: Io, words: readonly string[]): Promise<number> {
  const command = sessionsOptions(io.program);
  const help = parseWith(command, words);
  if (help !== undefined) {
    io.out.write(help);
    return exitCodes.ok;
  }
  const [name = "list", ...given] = command.args;
  const action = Object.hasOwn(sessionActions, name) ? sessionActions[name] : undefined;
  if (action === undefined) {
    throw usageError(`sessions: no action ${JSON.stringify(name)}.${didYouMean(name, Object.keys(sessionActions))}`);
  }
  if (given.length !== action.args.length) {
    throw usageError(
      `sessions: expected \`${io.program} sessions ${usageOf(name, action)}\`; names with spaces in quotes.`,
    );
  }
  const globals = command.opts<Globals & SessionOptions>();
  if (globals.force === true && name !== "close") throw usageError("sessions: --force is for `close` only.");
  const client = await connect(io, globals);
  io.out.write(await printed({}, await action.run(client, given, globals), styleOf(io, globals.json === true)));
  return exitCodes.ok;
}

export function sessionsOptions(program: string): Command {
  const actions = Object.entries(sessionActions);
  const width = Math.max(...actions.map(([name, action]) => usageOf(name, action).length));
  const lines = actions.map(([name, action]) => `  ${usageOf(name, action).padEnd(width)}  ${action.summary}`);
  const command = new Command("sessions")
    .description("Sessions: list, create, rename, close")
    .usage(`${program} sessions [action] [options]`)
    .helpOption("-h, --help", "show this help")
    .configureHelp({ commandUsage: (shown) => shown.usage(), visibleArguments: () => [] })
    .argument("[words...]")
    .option("--force", "close: end the shells that run in the session too")
    .addHelpText(
      "after",
      `\nActions:\n${lines.join("\n")}\n\nExamples:\n  ${program} sessions\n  ${program} sessions create work`,
    );
  return addGlobals(command, { except: ["session", "client"] });
}

function usageOf(name: string, { args }: Action): string {
  return [name, ...args.map((word) => `<${word}>`)].join(" ");
}
