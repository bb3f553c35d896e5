import { elsewhere } from "./commands/run-main-module.ts";
import { exitCodeOf, exitCodes, usageError } from "./parse/exit-codes.ts";
import { globalsBefore } from "./parse/global-options.ts";
import { firstWords, isOwnWord, type OwnWord, operationsOf, ownWords } from "./parse/words.ts";
import type { Io } from "./render/io.ts";
import { handOver, systemService } from "./system-service.ts";

/** Runs the program. Answers its exit code, or undefined where that is set already; throws only its own faults. */
export async function runProgram(io: Io): Promise<number | undefined> {
  try {
    return await dispatch(io);
  } catch (error) {
    const code = exitCodeOf(error);
    if (code === undefined || !(error instanceof Error)) throw error;
    // What the service says is printed as it came; the program's own sentences say who speaks.
    io.err.write(error.name === "RemoteError" ? `${error.message}\n` : `${io.program}: ${error.message}\n`);
    return code;
  }
}

async function dispatch(io: Io): Promise<number | undefined> {
  const [word, ...rest] = io.args;
  if (word === undefined || word === "--help" || word === "-h") return help(io);
  if (word === "--version" || word === "-V") {
    io.out.write(`${(await import("./parse/version.ts")).version}\n`);
    return exitCodes.ok;
  }
  if (isOwnWord(word)) return own(io, word, rest);
  if (operationsOf(word).length > 0) return (await import("./commands/operation.ts")).operationCommand(io, word, rest);
  const later = withWordFirst(io.args);
  return later === undefined ? unknownWord(io, word) : dispatch({ ...io, args: later });
}

/** Options of every command may stand before the first word (`--session work func …`): the words with that one first. */
function withWordFirst(args: readonly string[]): readonly string[] | undefined {
  const index = globalsBefore(args);
  const word = args[index];
  if (index === 0 || word === undefined || !(isOwnWord(word) || operationsOf(word).length > 0)) return undefined;
  return [word, ...args.slice(0, index), ...args.slice(index + 1)];
}

async function own(io: Io, word: OwnWord, rest: readonly string[]): Promise<number | undefined> {
  switch (word) {
    case "func":
      return (await import("./commands/func.ts")).func(io, rest);
    case "plugins":
      return (await import("./commands/plugins.ts")).pluginsCommand(io, rest);
    case "login":
      return (await import("./commands/login.ts")).loginCommand(io, rest);
    case "logout":
      return (await import("./commands/logout.ts")).logoutCommand(io, rest);
    case "token":
      return (await import("./commands/token.ts")).tokenCommand(io, rest);
    case "status":
      return (await import("./commands/status.ts")).statusCommand(io, rest);
    case "audit":
      return (await import("./commands/audit.ts")).auditCommand(io, rest);
    case "doctor":
      return (await import("./commands/doctor.ts")).doctorCommand(io, rest);
    case "completion":
      return (await import("./completion/completion-command.ts")).completionCommand(io, rest);
    case "help": {
      const [asked, ...more] = rest;
      if (asked === undefined) return help(io);
      return dispatch({ ...io, args: [asked, ...more, "--help"] });
    }
    default: {
      const { where } = ownWords[word];
      return elsewhere(word, where, rest);
    }
  }
}

async function help(io: Io): Promise<number> {
  io.out.write((await import("./help/help.ts")).programHelp(io.program));
  return exitCodes.ok;
}

/** `service` is also the name of a program of many operating systems, which must go on working. */
async function unknownWord(io: Io, word: string): Promise<number> {
  const system = io.program === "service" ? systemService(io.env, { self: process.argv[1] }) : undefined;
  if (system !== undefined) return handOver(system, io.args, io.env);
  const { commandNames } = await import("./parse/command-table.ts");
  if (commandNames().includes(word)) throw usageError(`${word} is a command of func: ${io.program} func ${word}.`);
  const { didYouMean } = await import("../core/protocol/nearest.ts");
  const known = Object.keys(firstWords());
  throw usageError(`no command ${JSON.stringify(word)}.${didYouMean(word, known)} See \`${io.program} --help\`.`);
}
