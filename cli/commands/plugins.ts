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
  readonly usage: string;
  readonly summary: string;
  /** How many words it takes, at least and at most. */
  readonly words: readonly [least: number, most: number];
  readonly run: (client: RemoteClient, words: readonly string[]) => Promise<unknown>;
}

/** What can be done with the plugins of a session (docs/plugins.md). */
export const pluginActions: Readonly<Record<string, Action>> = {
  list: {
    usage: "list",
    summary: "installed plugins, with what they ask for and what is allowed",
    words: [0, 0],
    run: (client) => client.call("getPlugins"),
  },
  allow: {
    usage: "allow <id> <method...>",
    summary: "let a plugin call these methods and no others; `all` or `none` for that",
    words: [2, 101],
    run: allow,
  },
  remove: {
    usage: "remove <id>",
    summary: "remove a plugin, with what it has kept",
    words: [1, 1],
    run: (client, [plugin = ""]) => client.call("removePlugin", { plugin }),
  },
};

/** `service plugins [list|allow ID METHOD…|remove ID]`. Answers the exit code. */
export async function pluginsCommand(io: Io, words: readonly string[]): Promise<number> {
  const command = pluginsOptions(io.program);
  const help = parseWith(command, words);
  if (help !== undefined) {
    io.out.write(help);
    return exitCodes.ok;
  }
  const [name = "list", ...given] = command.args;
  const action = Object.hasOwn(pluginActions, name) ? pluginActions[name] : undefined;
  if (action === undefined) {
    throw usageError(`plugins: no action ${JSON.stringify(name)}.${didYouMean(name, Object.keys(pluginActions))}`);
  }
  const [least, most] = action.words;
  if (given.length < least || given.length > most) {
    throw usageError(`plugins: expected \`${io.program} plugins ${action.usage}\`.`);
  }
  const globals = command.opts<Globals>();
  const client = await connect(io, globals);
  io.out.write(await printed({}, await action.run(client, given), styleOf(io, globals.json === true)));
  return exitCodes.ok;
}

export function pluginsOptions(program: string): Command {
  const actions = Object.values(pluginActions);
  const width = Math.max(...actions.map(({ usage }) => usage.length));
  const lines = actions.map(({ usage, summary }) => `  ${usage.padEnd(width)}  ${summary}`);
  const command = new Command("plugins")
    .description("Plugins: list, allow, remove")
    .usage(`${program} plugins [action] [options]`)
    .helpOption("-h, --help", "show this help")
    .configureHelp({ commandUsage: (shown) => shown.usage(), visibleArguments: () => [] })
    .argument("[words...]")
    .addHelpText(
      "after",
      `\nActions:\n${lines.join("\n")}\n\nExamples:\n  ${program} plugins\n  ${program} plugins allow agent-cost getAgentCost\n  ${program} plugins remove agent-cost`,
    );
  return addGlobals(command);
}

async function allow(client: RemoteClient, [plugin = "", ...methods]: readonly string[]): Promise<unknown> {
  if (methods.length > 1 || (methods[0] !== "all" && methods[0] !== "none")) {
    return client.call("allowPlugin", { plugin, methods: [...methods] });
  }
  const known = methods[0] === "none" ? [] : await client.call("getPlugins");
  const asked = known.find(({ id }) => id === plugin)?.permissions ?? [];
  return client.call("allowPlugin", { plugin, methods: asked });
}
