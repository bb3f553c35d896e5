import { RemoteError } from "../core/protocol/errors.ts";
import { approveCommand } from "./local/approve-command.ts";
import { keysCommand } from "./local/keys-command.ts";
import { tokenCommand } from "./local/token-command.ts";
import { UsageError } from "./options.ts";
import { StoreError } from "./relay/store/open-store.ts";

const commands: Readonly<Record<string, LocalCommand>> = {
  keys: keysCommand,
  token: tokenCommand,
  approve: approveCommand,
};

/** A command that works on the data folder itself. `run` answers what to print, and throws a UsageError. */
export interface LocalCommand {
  readonly help: string;
  run(args: readonly string[]): string;
}

/**
 * Commands that work on the data folder itself, for the user who owns it, whether the relay runs or not. Answers the
 * exit code.
 */
export async function main(name: string, args: readonly string[]): Promise<number> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) return fail(`no such command: ${name}`, 2);
  try {
    process.stdout.write(args.some((arg) => arg === "--help" || arg === "-h") ? command.help : command.run(args));
    return 0;
  } catch (error) {
    if (error instanceof StoreError || error instanceof RemoteError) return fail(error.message, 1);
    // parseArgs throws TypeErrors, whose messages are for the user.
    if (error instanceof UsageError || error instanceof TypeError)
      return fail(`${error.message}\n\n${command.help}`, 2);
    throw error;
  }
}

function fail(message: string, code: number): number {
  process.stderr.write(`patchbay: ${message.trimEnd()}\n`);
  return code;
}
