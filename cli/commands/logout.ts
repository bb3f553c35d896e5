import type { Command } from "commander";
import { checkLocalAccess } from "../../client/check-local-access.ts";
import { findRelay } from "../../client/find-relay.ts";
import { peerOf } from "../../client/remote-machine.ts";
import { remoteKeyAccount } from "../../client/remotes.ts";
import { remoteTokenVariable } from "../../core/protocol/machines.ts";
import { openKeyEntry } from "../connect/keychain.ts";
import { revoke } from "../connect/request-key.ts";
import { exitCodes } from "../parse/exit-codes.ts";
import { addGlobals, type Globals } from "../parse/global-options.ts";
import { printsHelp, wordParser } from "../parse/word-parser.ts";
import type { Io } from "../render/io.ts";

/** `service logout`: ends the keychain's key at the relay, then removes it from the keychain. */
export async function logoutCommand(io: Io, words: readonly string[]): Promise<number> {
  const command = logoutParser(io.program);
  if (printsHelp(io, command, words)) return exitCodes.ok;
  const options = command.opts<Globals>();
  const { url, file, remote } = findRelay({ ...options, env: io.env });
  await checkLocalAccess(io.env, { data: options.data });
  const account = remote === undefined ? file?.keyAccount : remoteKeyAccount(remote);
  const entry = account === undefined ? undefined : await openKeyEntry(account);
  const key = await entry?.get();
  if (entry === undefined || key === undefined) {
    io.stdout.write("Not logged in: the keychain has no key for this relay.\n");
    return exitCodes.ok;
  }
  await revoke(url, key, remote === undefined ? undefined : peerOf(remote));
  await entry.remove();
  io.stdout.write("Logged out: the key is ended, and removed from the keychain.\n");
  const variable = remote === undefined ? "SERVICE_TOKEN" : remoteTokenVariable(remote.name);
  if ((io.env[variable] ?? "") !== "") io.stderr.write(`${io.program}: ${variable} is still set here.\n`);
  return exitCodes.ok;
}

export function logoutParser(program: string): Command {
  const command = wordParser(program, "logout", {
    description: "Revokes the key that `login` put into the keychain, and removes it.",
    examples: ["logout"],
  });
  return addGlobals(command, { except: ["session", "client", "token", "json", "timeout"] });
}
