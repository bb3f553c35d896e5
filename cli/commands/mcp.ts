import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { findKey } from "../../client/find-key.ts";
import { findRelay } from "../../client/find-relay.ts";
import { findRemoteKey, peerOf } from "../../client/remote-machine.ts";
import { bridge } from "../connect/mcp-bridge.ts";
import { mcpClients, type ServerCommand } from "../connect/mcp-clients.ts";
import { readTokenOption } from "../connect/token-option.ts";
import { exitCodes, usageError } from "../parse/exit-codes.ts";
import { type Globals, TOKEN_INPUT } from "../parse/global-options.ts";
import { installAction, printsHelp, wordParser } from "../parse/word-parser.ts";
import type { Io } from "../render/io.ts";
import { confirmChange } from "./agent-hooks.ts";
import { DATA_DESCRIPTION, ON_DESCRIPTION } from "./keys.ts";

interface McpOptions extends Pick<Globals, "token" | "url" | "on" | "data"> {
  readonly tools?: string;
  readonly yes?: boolean;
}

/** The programs that can be given the server. */
export const mcpKinds = Object.keys(mcpClients);

/**
 * `service mcp [install|remove KIND]`: the relay's tools for a program that speaks the Model Context Protocol over standard
 * input and output, and the entry for it in that program's settings. Returns the exit code.
 */
export async function mcpCommand(io: Io, words: readonly string[]): Promise<number> {
  const command = mcpParser(io.program);
  if (printsHelp(io, command, words)) return exitCodes.ok;
  const options = command.opts<McpOptions>();
  if (command.args.length === 0) return serve(io, options);
  return change(io, installAction(command, mcpClients), options);
}

export function mcpParser(program: string) {
  return wordParser(program, "mcp", {
    description:
      "Gives a program that speaks the Model Context Protocol the commands and operations of the relay as tools: over standard input and output as `mcp` alone, and at /v1/mcp of the relay over HTTP. In a shell of Patchbay the program may do what the shell may; elsewhere what the command line's key may.",
    usage: "[action] [options]",
    actions: [
      ["install <program>", `add it to the settings of ${mcpKinds.join(", ")}`],
      ["remove <program>", "undo that"],
    ],
    examples: ["mcp install claude", "mcp install cursor --tools observe", "mcp --tools getShells,runCommand"],
  })
    .option("--tools <profile>", "observe, drive (default), all, or names of tools with commas between them")
    .option("--url <address>", "address of the relay")
    .option("--token <api_key>", `API key${TOKEN_INPUT}`)
    .option("--data <folder>", DATA_DESCRIPTION)
    .option("--on <remote>", ON_DESCRIPTION)
    .option("--yes", "install, remove: do not ask before the settings are changed");
}

async function serve(io: Io, { tools, token: given, ...target }: McpOptions): Promise<number> {
  const { env, stdin } = io;
  if (stdin === undefined) throw usageError("mcp: expected a program at the standard input.");
  const { url, file, remote } = findRelay({ ...target, env });
  const key = await readTokenOption(io, given);
  const { token } =
    remote === undefined
      ? await findKey({ token: key, env, account: file?.keyAccount })
      : await findRemoteKey(remote, { token: key, env });
  const endpoint = new URL("v1/mcp", url.endsWith("/") ? url : `${url}/`);
  if (tools !== undefined) endpoint.searchParams.set("tools", tools);
  const write = (line: string) => io.stdout.write(`${line}\n`);
  await bridge({ url: endpoint, token, remote: remote && peerOf(remote), input: stdin(), write });
  return exitCodes.ok;
}

async function change(
  io: Io,
  { action, kind, chosen: client }: ReturnType<typeof installAction<(typeof mcpClients)[string]>>,
  { tools, yes = false }: McpOptions,
): Promise<number> {
  const { name } = client;
  const server: ServerCommand = [launcher(io), "mcp", ...(tools === undefined ? [] : ["--tools", tools])];
  const planned = action === "install" ? client.install(server, io.env) : client.remove(io.env);
  if (planned.shown === undefined) {
    io.stdout.write(`${name} ${action === "install" ? "has it already" : "does not have it"}: nothing was changed.\n`);
    return exitCodes.ok;
  }
  io.stdout.write(`${planned.shown}\n`);
  await confirmChange(io, yes);
  await planned.apply();
  io.stdout.write(
    action === "install"
      ? `Installed. It takes effect at the next start of ${name}; \`${io.program} mcp remove ${kind}\` undoes it.\n`
      : `Removed from ${name}.\n`,
  );
  return exitCodes.ok;
}

/** Returns what starts this program from anywhere: its script by its path, because programs have a PATH of their own. */
function launcher({ program }: Io): string {
  const script = resolve(process.argv[1] ?? "", "..", "..", "..", "bin", program);
  return existsSync(script) ? script : program;
}
