import type { Command } from "commander";
import type { RemoteClient } from "../../client/remote-client.ts";
import { didYouMean } from "../../core/protocol/nearest.ts";
import { connect } from "../connect/connect.ts";
import { exitCodes, usageError } from "../parse/exit-codes.ts";
import { addGlobals, type Globals } from "../parse/global-options.ts";
import { printsHelp, wordParser } from "../parse/word-parser.ts";
import { formatResult } from "../render/format-result.ts";
import { type Io, styleOf } from "../render/io.ts";

interface Action {
  readonly usage: string;
  readonly summary: string;
  /** How many arguments it takes. */
  readonly words: readonly [min: number, max: number];
  readonly run: (client: RemoteClient, words: readonly string[]) => Promise<unknown>;
}

/** What can be done with the plugins of a session (docs/plugins.md). */
export const pluginActions: Readonly<Record<string, Action>> = {
  list: {
    usage: "list",
    summary: "list the installed plugins, with the methods that they ask for and that are allowed (default)",
    words: [0, 0],
    run: async (client) => (await client.ask("getPlugins", {})).result,
  },
  allow: {
    usage: "allow <id> <method...>",
    summary: "allow a plugin to call these methods and no others; or `all`, or `none`",
    words: [2, 101],
    run: allow,
  },
  remove: {
    usage: "remove <id>",
    summary: "remove a plugin with its state",
    words: [1, 1],
    run: (client, [plugin = ""]) => client.call("removePlugin", { plugin }),
  },
};

/** `service plugins [list|allow ID METHOD…|remove ID]`. Returns the exit code. */
export async function pluginsCommand(io: Io, words: readonly string[]): Promise<number> {
  const command = pluginsParser(io.program);
  if (printsHelp(io, command, words)) return exitCodes.ok;
  const [name = "list", ...given] = command.args;
  const action = Object.hasOwn(pluginActions, name) ? pluginActions[name] : undefined;
  if (action === undefined) {
    throw usageError(`plugins: no action ${JSON.stringify(name)}.${didYouMean(name, Object.keys(pluginActions))}`);
  }
  const [min, max] = action.words;
  if (given.length < min || given.length > max) {
    throw usageError(`plugins: expected \`${io.program} plugins ${action.usage}\`.`);
  }
  const globals = command.opts<Globals>();
  const client = await connect(io, globals);
  io.stdout.write(await formatResult({}, await action.run(client, given), styleOf(io, globals.json === true)));
  return exitCodes.ok;
}

export function pluginsParser(program: string): Command {
  const command = wordParser(program, "plugins", {
    description: "List, allow and remove plugins.",
    usage: "[action] [options]",
    actions: Object.values(pluginActions).map(({ usage, summary }) => [usage, summary]),
    examples: ["plugins", "plugins allow agent-cost getAgentCost", "plugins remove agent-cost"],
  });
  return addGlobals(command);
}

async function allow(client: RemoteClient, [plugin = "", ...methods]: readonly string[]): Promise<unknown> {
  if (methods.length > 1 || (methods[0] !== "all" && methods[0] !== "none")) {
    return client.call("allowPlugin", { plugin, methods: [...methods] });
  }
  const known = methods[0] === "none" ? [] : await client.call("getPlugins");
  const { permissions = [], events } = known.find(({ id }) => id === plugin) ?? {};
  return client.call("allowPlugin", { plugin, methods: permissions, ...(events === undefined ? {} : { events }) });
}
