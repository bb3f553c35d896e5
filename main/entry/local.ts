import { exitCodeOf, exitCodes } from "../../cli/parse/exit-codes.ts";
import { StoreError } from "../relay/store/open-store.ts";
import { approveCommand } from "./local/approve-command.ts";
import type { LocalCommand } from "./local/key-desk.ts";
import { keysCommand } from "./local/keys-command.ts";
import { tokenCommand } from "./local/token-command.ts";
import { UsageError } from "./options/options.ts";

const commands: Readonly<Record<string, LocalCommand>> = {
  keys: keysCommand,
  token: tokenCommand,
  approve: approveCommand,
};

/**
 * Commands about keys for the owner of the data folder, whether or not the relay runs; with SERVICE_URL, as in a
 * relay's own shells, they use that relay with the key's permissions. Returns the exit code.
 */
export async function main(name: string, args: readonly string[]): Promise<number> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) return fail(`no such command: ${name}`, 2);
  try {
    process.stdout.write(args.some((arg) => arg === "--help" || arg === "-h") ? command.help : await command.run(args));
    return 0;
  } catch (error) {
    if (error instanceof StoreError) return fail(error.message, exitCodes.refused);
    const code = exitCodeOf(error);
    if (code !== undefined && error instanceof Error) return fail(error.message, code);
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
