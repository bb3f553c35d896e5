import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import envPaths from "env-paths";
import { LOCAL_MACHINE } from "../core/protocol/machines.ts";
import { didYouMean } from "../core/protocol/nearest.ts";
import type { RelayFile } from "../core/protocol/relay-file.ts";
import { readAnnouncement } from "../main/system/discovery.ts";
import { dataFolder } from "../main/system/folders.ts";
import { isAlive } from "../main/system/processes/is-alive.ts";
import { ClientError } from "./errors.ts";
import { type Remote, Remotes } from "./remotes.ts";

const START_HINT = "start the Patchbay app, or run `patchbay serve`";

export interface RelayLocation {
  readonly url: string;
  /** The content of its `relay.json`; undefined when only its address is known. */
  readonly file?: RelayFile;
  /** The remote that it is; undefined for the relay of this machine, and for one that only an address names. */
  readonly remote?: Remote;
}

interface RelayLookup {
  /** `--on`. */
  readonly on?: string | undefined;
  /** `--url`. */
  readonly url?: string | undefined;
  /** `--data`. */
  readonly data?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Finds the relay: `--on` or `--url`, else the relay of `--data`, else `SERVICE_ON`, else `SERVICE_URL`, else the
 * announced one (docs/decisions/0001, docs/decisions/0023). A remote that is named is never replaced by another relay.
 *
 * @throws ClientError `unreachable`; the message distinguishes a relay that does not run from
 * one that died. `usage` for a remote that does not exist
 */
export function findRelay(lookup: RelayLookup): RelayLocation {
  const { url, data, env } = lookup;
  const named = findRemoteName(lookup);
  if (named !== undefined) {
    const remote = findRemote(named, dataFolder(data, env));
    return { url: remote.url, remote };
  }
  const path = relayFilePath(data, env);
  const address = url ?? (data === undefined ? nonEmpty(env.SERVICE_URL) : undefined);
  if (address !== undefined) {
    checkAddress(address);
    const file = readAnnouncement(path);
    return file !== undefined && sameAddress(file.url, address) ? { url: address, file } : { url: address };
  }
  const file = readAnnouncement(path);
  if (file === undefined) {
    if (!existsSync(path)) throw new ClientError("unreachable", `No relay is running: ${START_HINT}.`);
    throw new ClientError("unreachable", `relay.json cannot be read, so no relay was found: ${START_HINT} again.`);
  }
  if (isAlive(file.pid)) return { url: file.url, file };
  throw new ClientError(
    "unreachable",
    `The relay at ${file.url} (process ${file.pid}) has ended without notice: ${START_HINT} again.`,
  );
}

/** Returns the address of the relay that runs on a data folder; undefined while none does. */
export function announcedUrl({ data, env }: Pick<RelayLookup, "data" | "env">): string | undefined {
  const file = readAnnouncement(relayFilePath(data, env));
  return file !== undefined && isAlive(file.pid) ? file.url : undefined;
}

interface NamedRemote {
  readonly name: string;
  /** What named it. */
  readonly by: "--on" | "SERVICE_ON";
}

/**
 * Returns the remote that the command line or the environment names; undefined for the relay of this machine, or of an
 * address.
 */
export function findRemoteName({ on, url, data, env }: RelayLookup): NamedRemote | undefined {
  if (on !== undefined && url !== undefined)
    throw new ClientError("usage", "--on and --url both name a relay: give one of them.");
  const given = url === undefined && data === undefined ? nonEmpty(env.SERVICE_ON) : undefined;
  const name = on ?? given;
  if (name === undefined || name === LOCAL_MACHINE) return undefined;
  return { name, by: on === undefined ? "SERVICE_ON" : "--on" };
}

/** Returns a remote of the user. @throws ClientError `usage` */
export function findRemote({ name, by }: { readonly name: string; readonly by: string }, data: string): Remote {
  const remotes = new Remotes(data);
  const found = remotes.find(name);
  if (found === undefined) {
    const names = remotes.names();
    const known =
      names.length === 0
        ? " There is none yet: `service remotes add NAME --url URL` adds one."
        : ` There are: ${names.join(", ")}.`;
    throw new ClientError(
      "usage",
      `${by}: no remote is called ${JSON.stringify(name)}.${didYouMean(name, [...names, LOCAL_MACHINE])}${known}`,
    );
  }
  if (!("damaged" in found)) return found;
  throw new ClientError(
    "refused",
    `The record of the remote ${name} cannot be read: \`service remotes remove ${name}\`, then add it again.`,
  );
}

/** Where a relay announces itself: in its data folder, or in the user's configuration folder. */
function relayFilePath(data: string | undefined, env: RelayLookup["env"]): string {
  const folder = data ?? nonEmpty(env.PATCHBAY_DATA);
  return join(folder === undefined ? envPaths("patchbay", { suffix: "" }).config : resolve(folder), "relay.json");
}

function checkAddress(address: string): void {
  if (URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)) return;
  throw new ClientError(
    "usage",
    `The address of the relay must be like http://127.0.0.1:7717, got ${JSON.stringify(address)}.`,
  );
}

function sameAddress(one: string, other: string): boolean {
  return new URL(one).origin === new URL(other).origin;
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === "" ? undefined : text;
}
