import { join, resolve } from "node:path";
import envPaths from "env-paths";
import { RelayFile } from "../../core/protocol/relay-file.ts";
import { isAlive } from "../../main/system/processes/is-alive.ts";
import { readRegularFile } from "../../main/system/regular-files.ts";
import { CliError, exitCodes } from "../parse/exit-codes.ts";

const START_HINT = "start the Patchbay app, or run `patchbay serve`";

const MAX_RELAY_FILE_BYTES = 64 * 1024;

export interface RelayLocation {
  readonly url: string;
  /** The content of its `relay.json`; undefined when only its address is known. */
  readonly file?: RelayFile;
}

export interface RelayLookup {
  /** `--url`. */
  readonly url?: string | undefined;
  /** `--data`. */
  readonly data?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Finds the relay: `--url`, else the relay of `--data`, else `SERVICE_URL`, else the announced one (docs/decisions/0001).
 *
 * @throws CliError with the exit code for an unreachable relay; the message distinguishes a relay that does not run from
 * one that died
 */
export function findRelay({ url, data, env }: RelayLookup): RelayLocation {
  const path = relayFilePath(data, env);
  const address = url ?? (data === undefined ? nonEmpty(env.SERVICE_URL) : undefined);
  if (address !== undefined) {
    checkAddress(address);
    const file = parseRelayFile(readRelayFile(path));
    return file !== undefined && sameAddress(file.url, address) ? { url: address, file } : { url: address };
  }
  const content = readRelayFile(path);
  if (content === undefined) throw new CliError(exitCodes.unreachable, `No relay is running: ${START_HINT}.`);
  const file = parseRelayFile(content);
  if (file === undefined) {
    throw new CliError(exitCodes.unreachable, `relay.json cannot be read, so no relay was found: ${START_HINT} again.`);
  }
  if (isAlive(file.pid)) return { url: file.url, file };
  throw new CliError(
    exitCodes.unreachable,
    `The relay at ${file.url} (process ${file.pid}) has ended without notice: ${START_HINT} again.`,
  );
}

/** Where a relay announces itself: in its data folder, or in the user's configuration folder. */
function relayFilePath(data: string | undefined, env: RelayLookup["env"]): string {
  const folder = data ?? nonEmpty(env.PATCHBAY_DATA);
  return join(folder === undefined ? envPaths("patchbay", { suffix: "" }).config : resolve(folder), "relay.json");
}

/** The relay runs this too (fast command line), with the data folder of the caller's environment. */
function readRelayFile(path: string): string | undefined {
  try {
    return readRegularFile(path, MAX_RELAY_FILE_BYTES).toString("utf8");
  } catch {
    return undefined;
  }
}

function parseRelayFile(content: string | undefined): RelayFile | undefined {
  try {
    return content === undefined ? undefined : RelayFile.safeParse(JSON.parse(content)).data;
  } catch {
    return undefined;
  }
}

function checkAddress(address: string): void {
  if (URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)) return;
  throw new CliError(
    exitCodes.usage,
    `The address of the relay must be like http://127.0.0.1:7717, got ${JSON.stringify(address)}.`,
  );
}

function sameAddress(one: string, other: string): boolean {
  return new URL(one).origin === new URL(other).origin;
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === "" ? undefined : text;
}
