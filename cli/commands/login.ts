import { hostname } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import type { Command } from "commander";
import { z } from "zod";
import { findRelay } from "../connect/find-relay.ts";
import { type KeyEntry, openKeyEntry } from "../connect/keychain.ts";
import { sendOAuthRequest } from "../connect/oauth-request.ts";
import { CliError, exitCodes } from "../parse/exit-codes.ts";
import { addGlobals, type Globals } from "../parse/global-options.ts";
import { printsHelp, wordParser } from "../parse/word-parser.ts";
import type { Io } from "../render/io.ts";

const CLIENT_ID = "patchbay-command-line";
const GRANT_TYPE = "urn:ietf:params:oauth:grant-type:device_code";
/** Added to the interval at every `slow_down` (RFC 8628 §3.5). */
const SLOWER_SECONDS = 5;

const DeviceAuthorization = z.object({
  device_code: z.string(),
  user_code: z.string().max(40),
  expires_in: z.number(),
  interval: z.number().default(5),
});
const TokenResponse = z.object({ access_token: z.string(), user: z.string() });

interface LoginOptions extends Globals {
  readonly print?: boolean;
}

/** `service login`: asks the relay for a key by the device grant (RFC 8628) and keeps it in the keychain. */
export async function loginCommand(io: Io, words: readonly string[]): Promise<number> {
  const command = loginParser(io.program);
  if (printsHelp(io, command, words)) return exitCodes.ok;
  const { print = false, url: given, data } = command.opts<LoginOptions>();
  const { url, file } = findRelay({ url: given, data, env: io.env });
  // Before the user is asked: a key that cannot be stored would be lost.
  const entry = print ? undefined : await openEntryFor(io, file?.keyAccount);
  const before = await entry?.get();
  const { access_token: key, user } = await requestKey(io, url);
  if (entry === undefined) {
    io.stdout.write(`${key}\n`);
    io.stderr.write(`Logged in as ${user}. The key was printed and is not stored.\n`);
    return exitCodes.ok;
  }
  await storeKey(entry, key, url);
  if (before !== undefined && before !== key) await revoke(url, before);
  io.stdout.write(
    `Logged in as ${user}. The key is in the keychain of this machine; \`${io.program} logout\` ends it.\n`,
  );
  if ((io.env.SERVICE_TOKEN ?? "") !== "") {
    io.stderr.write(`${io.program}: SERVICE_TOKEN is set here, and comes before the keychain's key.\n`);
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

/** Revokes a key or token, which needs no other credential. */
export async function revoke(url: string, token: string): Promise<void> {
  await sendOAuthRequest(url, "revoke", { form: { token }, schema: z.object({}) });
}

async function openEntryFor(io: Io, account: string | undefined): Promise<KeyEntry> {
  const instead = `Nothing was written. Instead: export SERVICE_TOKEN=$(${io.program} login --print)`;
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
async function storeKey(entry: KeyEntry, key: string, url: string): Promise<void> {
  try {
    await entry.set(key);
  } catch (cause) {
    await revoke(url, key);
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CliError(exitCodes.refused, `The keychain did not take the key (${reason}): it was ended again.`);
  }
}

/** Shows the code and waits until the user has answered. */
async function requestKey(io: Io, url: string): Promise<z.output<typeof TokenResponse>> {
  const form = { client_id: CLIENT_ID, device_name: `${io.program} on ${hostname()}` };
  const begun = await sendOAuthRequest(url, "device_authorization", { form, schema: DeviceAuthorization });
  if (!begun.ok) throw refused(begun.message);
  const { device_code: device, user_code: code, expires_in: seconds } = begun.value;
  io.stderr.write(
    `\n  Code: ${code}\n\nCompare it with the one that the Patchbay app shows, and click Allow there.\nWithout the app, on the computer of the relay: ${io.program} approve ${code}\n\n`,
  );
  const end = Date.now() + seconds * 1000;
  let interval = begun.value.interval;
  while (Date.now() < end) {
    showProgress(io, Math.ceil((end - Date.now()) / 1000));
    await delay(interval * 1000);
    const form = { grant_type: GRANT_TYPE, device_code: device, client_id: CLIENT_ID };
    const response = await sendOAuthRequest(url, "token", { form, schema: TokenResponse });
    if (response.ok) {
      showProgress(io, undefined);
      return response.value;
    }
    if (response.error === "slow_down") interval += SLOWER_SECONDS;
    else if (response.error !== "authorization_pending") {
      showProgress(io, undefined);
      throw refused(response.message);
    }
  }
  showProgress(io, undefined);
  throw refused(`No answer within ${Math.round(seconds / 60)} minutes: try again.`);
}

/** Overwrites one line of the terminal; writes nothing to a pipe. */
function showProgress({ stdout: out, stderr: err }: Io, left: number | undefined): void {
  if (!out.isTTY) return;
  err.write(left === undefined ? "\r\u001b[K" : `\r\u001b[KWaiting for the answer, ${left} s left …`);
}

function refused(message: string): CliError {
  return new CliError(exitCodes.authentication, message);
}
