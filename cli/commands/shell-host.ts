import { Command } from "commander";
import { didYouMean } from "../../core/protocol/nearest.ts";
import { connect } from "../connect/connect.ts";
import { exitCodes, usageError } from "../parse/exit-codes.ts";
import { addGlobals, type Globals } from "../parse/global-options.ts";
import { parseWith } from "../parse/parse-command.ts";
import { type Io, styleOf } from "../render/io.ts";
import { printed } from "../render/print-result.ts";

export const shellHostActions = {
  status: "whether it runs and answers",
  restart: "end it with all its shells, even while it hangs, and start another",
} as const;

type ShellHostOptions = Globals & { readonly force?: true };

/** `service shell-host [status|restart]`: the process that holds the shells. Answers the exit code. */
export async function shellHostCommand(io: Io, words: readonly string[]): Promise<number> {
  const command = shellHostOptions(io.program);
  const help = parseWith(command, words);
  if (help !== undefined) {
    io.out.write(help);
    return exitCodes.ok;
  }
  const [action = "status", ...more] = command.args;
  const { force = false, ...globals } = command.opts<ShellHostOptions>();
  const known = Object.keys(shellHostActions);
  if (!known.includes(action)) {
    throw usageError(`shell-host: no action ${JSON.stringify(action)}.${didYouMean(action, known)}`);
  }
  if (more.length > 0)
    throw usageError(`shell-host: expected one action, got ${JSON.stringify(more.join(" "))} besides.`);
  if (force && action !== "restart") throw usageError("shell-host: --force belongs to `restart`.");
  const client = await connect(io, globals);
  const result = action === "restart" ? await client.restartShellHost({ force }) : await client.shellHost();
  io.out.write(await printed({}, result, styleOf(io, globals.json === true)));
  return exitCodes.ok;
}

export function shellHostOptions(program: string): Command {
  const lines = Object.entries(shellHostActions).map(([name, summary]) => `  ${name.padEnd(8)} ${summary}`);
  const command = new Command("shell-host")
    .description("The process that holds the shells of all sessions, apart from the relay")
    .usage(`${program} shell-host [action] [options]`)
    .helpOption("-h, --help", "show this help")
    .configureHelp({ commandUsage: (shown) => shown.usage(), visibleArguments: () => [] })
    .argument("[words...]")
    .option("--force", "restart it also while shells run, which end with it")
    .addHelpText(
      "after",
      `\nActions:\n${lines.join("\n")}\n\nA process that was stopped goes on with its shells when it is continued (kill -CONT).\n\nExamples:\n  ${program} shell-host\n  ${program} shell-host restart --force`,
    );
  return addGlobals(command, { except: ["session", "client"] });
}
