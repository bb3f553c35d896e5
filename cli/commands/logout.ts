import type { Command } from "commander";
import { checkLocalAccess } from "../connect/check-local-access.ts";
import { findRelay } from "../connect/find-relay.ts";
import { openKeyEntry } from "../connect/keychain.ts";
import { exitCodes } from "../parse/exit-codes.ts";
import { addGlobals, type Globals } from "../parse/global-options.ts";
import { printsHelp, wordParser } from "../parse/word-parser.ts";
import type { Io } from "../render/io.ts";
import { revoke } from "./login.ts";

/** `service logout`: ends the keychain's key at the relay, then removes it from the keychain. */
export async function logoutCommand(io: Io, words: readonly string[]): Promise<number> {
  const command = logoutParser(io.program);
  if (printsHelp(io, command, words)) return exitCodes.ok;
  const { url: given, data } = command.opts<Globals>();
  const { url, file } = findRelay({ url: given, data, env: io.env });
  await checkLocalAccess(io.env);
  const entry = file?.keyAccount === undefined ? undefined : await openKeyEntry(file.keyAccount);
  const key = await entry?.get();
  if (entry === undefined || key === undefined) {
    io.stdout.write("Not logged in: the keychain has no key for this relay.\n");
    return exitCodes.ok;
  }
  await revoke(url, key);
  await entry.remove();
  io.stdout.write("Logged out: the key is ended, and removed from the keychain.\n");
  if ((io.env.SERVICE_TOKEN ?? "") !== "") {
    io.stderr.write(`${io.program}: SERVICE_TOKEN is still set here.\n`);
  }
  return exitCodes.ok;
}

export function logoutParser(program: string): Command {
  const command = wordParser(program, "logout", {
    description: "Revokes the key that `login` put into the keychain, and removes it.",
    examples: ["logout"],
  });
  return addGlobals(command, { except: ["session", "client", "token", "json", "timeout"] });
}
