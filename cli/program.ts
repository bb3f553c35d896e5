import { exitCodeOf, exitCodes, usageError } from "./parse/exit-codes.ts";
import { globalsBefore } from "./parse/global-options.ts";
import { type BuiltInWord, isBuiltInWord, operationsOf } from "./parse/words.ts";
import { escapeControlsInLines } from "./render/cell.ts";
import type { Io } from "./render/io.ts";
import { nextStep } from "./render/next-step.ts";
import { withProgramName } from "./render/program-name.ts";

/** Runs the program and returns its exit code. Throws only for defects of the program. */
export async function runProgram(io: Io): Promise<number> {
  try {
    return await dispatch(io);
  } catch (error) {
    const code = exitCodeOf(error);
    if (code === undefined || !(error instanceof Error)) throw error;
    // The program's own messages start with its name; those of the service are printed as they came, but for their commands.
    const message = withProgramName(escapeControlsInLines(error.message) + nextStep(error), io.program);
    io.stderr.write(error.name === "RemoteError" ? `${message}\n` : `${io.program}: ${message}\n`);
    return code;
  }
}

async function dispatch(io: Io): Promise<number> {
  const [word, ...rest] = io.args;
  if (word === undefined || word === "--help" || word === "-h") return help(io);
  if (word === "--version" || word === "-V") {
    io.stdout.write(`${(await import("./parse/version.ts")).version}\n`);
    return exitCodes.ok;
  }
  if (isBuiltInWord(word) && !namesOperation(word, rest)) return runWord(io, word, rest);
  if (operationsOf(word).length > 0) return (await import("./commands/operation.ts")).operationCommand(io, word, rest);
  const reordered = withWordFirst(io.args);
  return reordered === undefined ? unknownWord(io, word) : dispatch({ ...io, args: reordered });
}

/** Moves the first word before options of every command that precede it (`--session work func …`). */
function withWordFirst(args: readonly string[]): readonly string[] | undefined {
  const index = globalsBefore(args);
  const word = args[index];
  if (index === 0 || word === undefined || !(isBuiltInWord(word) || operationsOf(word).length > 0)) return undefined;
  return [word, ...args.slice(0, index), ...args.slice(index + 1)];
}

/** Whether a built-in word is followed by an action that is an operation, such as `agents explain`. */
function namesOperation(word: string, rest: readonly string[]): boolean {
  return operationsOf(word).some(({ cli: { action } }) => action !== undefined && rest.includes(action));
}

type RunWord = (io: Io, words: readonly string[]) => Promise<number>;

/** Each word's module is loaded only when the word is used: the program starts sooner. */
const loaders: Readonly<Record<Exclude<BuiltInWord, "help">, () => Promise<RunWord>>> = {
  func: async () => (await import("./commands/func.ts")).funcCommand,
  acp: async () => (await import("./commands/acp.ts")).acpCommand,
  agents: async () => (await import("./commands/all-machines.ts")).agentsCommand,
  skill: async () => (await import("./commands/skill.ts")).skillCommand,
  mcp: async () => (await import("./commands/mcp.ts")).mcpCommand,
  events: async () => (await import("./commands/events.ts")).eventsCommand,
  remotes: async () => (await import("./commands/remotes.ts")).remotesCommand,
  fleet: async () => (await import("./commands/fleet.ts")).fleetCommand,
  plugins: async () => (await import("./commands/plugins.ts")).pluginsCommand,
  login: async () => (await import("./commands/login.ts")).loginCommand,
  logout: async () => (await import("./commands/logout.ts")).logoutCommand,
  status: async () => (await import("./commands/status.ts")).statusCommand,
  audit: async () => (await import("./commands/audit.ts")).auditCommand,
  doctor: async () => (await import("./commands/doctor.ts")).doctorCommand,
  completion: async () => (await import("./completion/completion-command.ts")).completionCommand,
  serve: async () => (await import("./commands/serve.ts")).serveCommand,
  approve: async () => (await import("./commands/approve.ts")).approveCommand,
  keys: async () => (await import("./commands/keys.ts")).keysCommand,
  token: async () => (await import("./commands/token.ts")).tokenCommand,
};

async function runWord(io: Io, word: BuiltInWord, rest: readonly string[]): Promise<number> {
  if (word !== "help") return (await loaders[word]())(io, rest);
  const [topic, ...more] = rest;
  if (topic === "recipes") {
    io.stdout.write((await import("./help/recipes.ts")).recipesHelp(io.program));
    return exitCodes.ok;
  }
  return topic === undefined ? help(io) : dispatch({ ...io, args: [topic, ...more, "--help"] });
}

async function help(io: Io): Promise<number> {
  io.stdout.write((await import("./help/help.ts")).programHelp(io.program));
  return exitCodes.ok;
}

/** Many operating systems have a program named `service`, which must keep working: unknown words are passed on to it. */
async function unknownWord(io: Io, word: string): Promise<number> {
  const { findSystemService, runSystemService } = await import("./system-service.ts");
  const system = io.program === "service" ? findSystemService(io.env, { self: process.argv[1] }) : undefined;
  const { didYouMeanLine, hintForService } = await import("./parse/suggest-lines.ts");
  if (system !== undefined) {
    const code = runSystemService(system, io.args, io.env);
    // Its own message says nothing of Patchbay.
    if (code !== exitCodes.ok) io.stderr.write(hintForService(io.program, word));
    return code;
  }
  const hint = didYouMeanLine(io.program, word);
  throw usageError(`no command ${JSON.stringify(word)}.${hint} See \`${io.program} --help\`.`);
}
