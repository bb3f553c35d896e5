import { Command } from "commander";
import { checkLocalDoor } from "../connect/check-local-door.ts";
import { findRelay } from "../connect/find-relay.ts";
import { openKeyEntry } from "../connect/keychain.ts";
import { exitCodes } from "../parse/exit-codes.ts";
import { addGlobals, type Globals } from "../parse/global-options.ts";
import { parseWith } from "../parse/parse-command.ts";
import type { Io } from "../render/io.ts";
import { revoke } from "./login.ts";

/** `service logout`: ends the keychain's key at the relay, then removes it from the keychain. */
export async function logoutCommand(io: Io, words: readonly string[]): Promise<number> {
  const command = logoutOptions(io.program);
  const help = parseWith(command, words);
  if (help !== undefined) {
    io.out.write(help);
    return exitCodes.ok;
  }
  const { url: given, data } = command.opts<Globals>();
  const { url, file } = findRelay({ url: given, data, env: io.env });
  await checkLocalDoor(io.env);
  const entry = file?.keyAccount === undefined ? undefined : await openKeyEntry(file.keyAccount);
  const key = await entry?.get();
  if (entry === undefined || key === undefined) {
    io.out.write("Not logged in: the keychain has no key for this relay.\n");
    return exitCodes.ok;
  }
  await revoke(url, key);
  await entry.remove();
  io.out.write("Logged out: the key is ended, and removed from the keychain.\n");
  if ((io.env.SERVICE_TOKEN ?? "") !== "") {
    io.err.write(`${io.program}: SERVICE_TOKEN is still set here.\n`);
  }
  return exitCodes.ok;
}

export function logoutOptions(program: string): Command {
  const command = new Command("logout")
    .description("End the key that `login` put into the keychain, and remove it")
    .usage(`${program} logout [options]`)
    .helpOption("-h, --help", "show this help")
    .configureHelp({ commandUsage: (shown) => shown.usage() })
    .addHelpText("after", `\nExamples:\n  ${program} logout`);
  return addGlobals(command, { except: ["session", "client", "token", "json", "timeout"] });
}
