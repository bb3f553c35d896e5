import type { Command } from "commander";
import { findRelay } from "../../client/find-relay.ts";
import type { RemotePeer } from "../../client/http.ts";
import { checkReachable, peerOf } from "../../client/remote-machine.ts";
import { type Remote, remoteKeyAccount } from "../../client/remotes.ts";
import { errorText } from "../../core/protocol/error-text.ts";
import { remoteTokenVariable } from "../../core/protocol/machines.ts";
import { type KeyEntry, openKeyEntry } from "../connect/keychain.ts";
import { requestKey, revoke } from "../connect/request-key.ts";
import { CliError, exitCodes } from "../parse/exit-codes.ts";
import { addGlobals, type Globals } from "../parse/global-options.ts";
import { printsHelp, wordParser } from "../parse/word-parser.ts";
import type { Io } from "../render/io.ts";

interface LoginOptions extends Globals {
  readonly print?: boolean;
}

/** `service login`: asks the relay for a key by the device grant (RFC 8628) and keeps it in the keychain. */
export async function loginCommand(io: Io, words: readonly string[]): Promise<number> {
  const command = loginParser(io.program);
  if (printsHelp(io, command, words)) return exitCodes.ok;
  const { print = false, ...globals } = command.opts<LoginOptions>();
  const { url, file, remote } = findRelay({ ...globals, env: io.env });
  if (remote !== undefined) await checkReachable(remote, { data: globals.data, env: io.env });
  const peer = remote === undefined ? undefined : peerOf(remote);
  // Before the user is asked: a key that cannot be stored would be lost.
  const account = remote === undefined ? file?.keyAccount : remoteKeyAccount(remote);
  const entry = print ? undefined : await openEntryFor(io, account, remote);
  const before = await entry?.get();
  const { access_token: key, user } = await requestKey(io, url, peer);
  if (entry === undefined) {
    io.stdout.write(`${key}\n`);
    io.stderr.write(`Logged in as ${user}. The key was printed and is not stored.\n`);
    return exitCodes.ok;
  }
  await storeKey(entry, key, { url, peer });
  if (before !== undefined && before !== key) await revoke(url, before, peer);
  const on = remote === undefined ? "" : ` --on ${remote.name}`;
  io.stdout.write(
    `Logged in as ${user}. The key is in the keychain of this machine; \`${io.program} logout${on}\` ends it.\n`,
  );
  const variable = remote === undefined ? "SERVICE_TOKEN" : remoteTokenVariable(remote.name);
  if ((io.env[variable] ?? "") !== "") {
    io.stderr.write(`${io.program}: ${variable} is set here, and comes before the keychain's key.\n`);
  }
  return exitCodes.ok;
}

export function loginParser(program: string): Command {
  const command = wordParser(program, "login", {
    description: "Asks for an API key: its owner allows it in the app, or with `service approve CODE`.",
    examples: ["login", "login --print"],
  }).option("--print", "print the key and keep it nowhere, for `export SERVICE_TOKEN=$(service login --print)`");
  return addGlobals(command, { except: ["session", "client", "token", "json", "timeout"] });
}

async function openEntryFor(io: Io, account: string | undefined, remote: Remote | undefined): Promise<KeyEntry> {
  const [variable, on] =
    remote === undefined ? ["SERVICE_TOKEN", ""] : [remoteTokenVariable(remote.name), ` --on ${remote.name}`];
  const instead = `Nothing was written. Instead: export ${variable}=$(${io.program} login --print${on})`;
  if (account === undefined) {
    throw new CliError(
      exitCodes.refused,
      `Only a relay of this machine that is found by its relay.json has a place in the keychain. ${instead}`,
    );
  }
  try {
    return await openKeyEntry(account);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    throw new CliError(exitCodes.refused, `${error.message} So the key could not be kept. ${instead}`);
  }
}

/** Stores the key; revokes it where that fails. */
async function storeKey(
  entry: KeyEntry,
  key: string,
  { url, peer }: { readonly url: string; readonly peer: RemotePeer | undefined },
): Promise<void> {
  try {
    await entry.set(key);
  } catch (cause) {
    await revoke(url, key, peer);
    const reason = errorText(cause);
    throw new CliError(exitCodes.refused, `The keychain did not take the key (${reason}): it was ended again.`);
  }
}
