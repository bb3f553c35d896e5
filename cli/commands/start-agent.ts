import { resolve } from "node:path";
import type { Command } from "commander";
import { z } from "zod";
import { findRemoteName } from "../../client/find-relay.ts";
import type { RemoteClient } from "../../client/remote-client.ts";
import { checkResult } from "../../client/service-error.ts";
import { acpAgentType } from "../../core/protocol/acp-agents.ts";
import { connect } from "../connect/connect.ts";
import { CliError, exitCodes, usageError } from "../parse/exit-codes.ts";
import { addGlobals, type Globals } from "../parse/global-options.ts";
import { printsHelp, withUsage, wordParser } from "../parse/word-parser.ts";
import { formatResult } from "../render/format-result.ts";
import { type Io, styleOf } from "../render/io.ts";
import { acpKinds, agentWords } from "./acp.ts";

/** The agent's program, or a model that it looks for, may take this long. */
const START_MS = 60_000;
const LOOK_MS = 200;
const MOST_OUTPUT = 4000;

interface StartOptions extends Globals {
  readonly acp?: boolean;
  readonly cwd?: string;
  readonly wait: boolean;
}

const Shells = z.array(z.object({ id: z.number(), exitCode: z.number().nullish() }));
const Agents = z.array(
  z.object({ shellId: z.number(), sessionId: z.string(), reason: z.object({ source: z.string() }).optional() }),
);
const Output = z.object({ output: z.string() });

/** `service agents start <kind> --acp`: opens a shell with an agent. Returns the exit code. */
export async function startAgentCommand(io: Io, words: readonly string[]): Promise<number> {
  const command = startAgentParser(io.program);
  if (printsHelp(io, command, words)) return exitCodes.ok;
  const { acp = false, cwd, wait, ...globals } = command.opts<StartOptions>();
  const { kind, program } = withUsage(command, () => {
    if (!acp) {
      const agent = command.args[1] ?? "claude";
      throw usageError(
        `agents start: expected --acp, by which Patchbay speaks with the agent. \`service func create-shell -- ${agent}\` starts it with its own screen.`,
      );
    }
    return agentWords(command.args.slice(1), words, "agents start");
  });
  const folder = folderOf(io, globals, cwd);
  const client = await connect(io, globals);
  const exec = ["patchbay", "acp", ...(kind === undefined ? ["--", ...program] : [kind])];
  const made = await client.call("createShell", { exec, ...(folder === undefined ? {} : { cwd: folder }) });
  const agentSessionId = wait ? await started(client, made.shellId) : "";
  const result = { ...made, agentType: acpAgentType(kind), agentSessionId };
  io.stdout.write(await formatResult({}, result, styleOf(io, globals.json === true)));
  return exitCodes.ok;
}

function startAgentParser(program: string): Command {
  const command = wordParser(program, "agents", {
    description: `Starts an agent in a new shell, and speaks with it by the Agent Client Protocol: \`acp\` runs there. What the agent asks is listed by \`questions\`, and can be answered there, in the shell's tile, or anywhere else. Kinds: ${acpKinds.join(", ")}; any other program after \`--\`. Waits until the agent is ready, and says why it is not.`,
    usage: "start <kind> --acp [options] | start --acp [options] -- <command> [arguments]",
    examples: ["agents start gemini --acp", "agents start --acp --cwd ~/project -- my-agent --acp"],
  }).argument("[words...]");
  return withStartOptions(addGlobals(command, { results: true }));
}

/** Adds the options of this action to a parser. */
export function withStartOptions(command: Command): Command {
  return command
    .option("--acp", "start: speak the Agent Client Protocol with the agent")
    .option("--cwd <folder>", "start: the agent's folder; default: the one that you are in")
    .option("--no-wait", "start: do not wait until the agent is ready");
}

/** The folders of this machine mean nothing on another one. */
function folderOf(io: Io, globals: Globals, given: string | undefined): string | undefined {
  const remote = findRemoteName({ ...globals, env: io.env });
  if (remote === undefined) return given?.startsWith("~") ? given : resolve(io.cwd ?? process.cwd(), given ?? ".");
  if (given === undefined || /^[/~]/.test(given)) return given;
  throw usageError(`--cwd: ${given} is relative to a folder of this machine: give a full path of ${remote.name}.`);
}

/**
 * Waits until the agent has begun its session; resolves to its id. The wait ends without one if that takes too long.
 *
 * @throws CliError for an agent that has ended
 */
async function started(client: RemoteClient, shell: number): Promise<string> {
  const until = performance.now() + START_MS;
  while (performance.now() < until) {
    const agents = checkResult(Agents, (await client.ask("getAgents", {})).result, client.url);
    const agent = agents.find(({ shellId, sessionId }) => shellId === shell && sessionId !== "");
    // It reports its state when it takes prompts.
    if (agent?.reason?.source === "program-status") return agent.sessionId;
    const shells = checkResult(Shells, (await client.ask("getShells", {})).result, client.url);
    const { exitCode } = shells.find(({ id }) => id === shell) ?? { exitCode: 0 };
    if (exitCode != null) throw await endedError(client, shell);
    await new Promise((done) => setTimeout(done, LOOK_MS));
  }
  return "";
}

async function endedError(client: RemoteClient, id: number): Promise<CliError> {
  const shown = await client.ask("getShellOutput", { id, plain: true }).catch(() => undefined);
  const { output = "" } = Output.safeParse(shown?.result).data ?? {};
  const text = output.slice(-MOST_OUTPUT).trim();
  return new CliError(exitCodes.refused, `agents start: the agent has ended.${text === "" ? "" : `\n${text}`}`);
}
