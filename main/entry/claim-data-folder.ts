import { statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { RelayFile } from "../../core/protocol/relay-file.ts";
import { makePrivateFolder, StoreError } from "../relay/store/open-store.ts";
import { answersAt, isClaimedByAnother, readAnnouncement } from "../system/discovery.ts";
import { FolderLock, lockHolder } from "../system/folder-lock.ts";
import type { Options } from "./options/options.ts";

/** How long to wait for a starting or stopping relay, or a command that uses the folder itself. */
const WAIT_MS = 10_000;
const TRY_EVERY_MS = 50;
const WATCH_EVERY_MS = 1000;

/** Where Patchbay keeps files, below the data folder. */
const FILES = [
  "relay.json",
  "shell-host.json",
  "patchbay.db",
  "store.json",
  "commands.sock",
  "shells.sock",
  "logs/current.log",
  "logs/shell-host.log",
];

/**
 * Claims the data folder for this process before anything in it is touched: creates it, private to the user, and locks
 * it.
 * @returns the lock, which the system releases when this process ends
 * @throws StoreError when another relay has the folder, or when it cannot be used
 */
export async function claimDataFolder(
  options: Pick<Options, "data" | "port">,
  announcement: string,
): Promise<FolderLock> {
  const { data } = options;
  makePrivateFolder(data);
  const lock = await takeLock(options, announcement);
  try {
    checkPlaces(data);
    return lock;
  } catch (error) {
    lock.release();
    throw error;
  }
}

/**
 * Checks every second whether the folder still belongs to this relay. `lost` is called once, with a sentence.
 * @returns a function that stops the checks
 */
export function watchDataFolder(
  { data, lock, announcement, relay }: DataFolder,
  lost: (sentence: string) => void,
): () => void {
  let stopped = false;
  const look = async () => {
    const why =
      (await lock.lossReason()) ??
      (isClaimedByAnother(announcement, relay) ? "another relay announces itself in it" : undefined);
    if (why === undefined || stopped) return;
    stop();
    lost(`The data folder ${data} is no longer this relay's: ${why}. The relay stops.`);
  };
  const timer = setInterval(() => void look(), WATCH_EVERY_MS);
  const stop = () => {
    stopped = true;
    clearInterval(timer);
  };
  return stop;
}

interface DataFolder {
  readonly data: string;
  readonly lock: FolderLock;
  /** The file in the folder in which its relay announces itself, and this relay's announcement. */
  readonly announcement: string;
  readonly relay: RelayFile;
}

async function takeLock(options: Pick<Options, "data" | "port">, announcement: string): Promise<FolderLock> {
  const { data } = options;
  const deadline = performance.now() + WAIT_MS;
  for (;;) {
    const lock = tryLock(data);
    if (lock !== undefined) return lock;
    const holder = lockHolder(data);
    const relay = readAnnouncement(announcement);
    if (relay !== undefined && relay.pid === holder?.pid) throw new StoreError(await inUse(options, relay));
    if (performance.now() > deadline) throw new StoreError(startingOrStopping(data, holder?.pid));
    await delay(TRY_EVERY_MS);
  }
}

function tryLock(data: string): FolderLock | undefined {
  try {
    return FolderLock.take(data, "relay");
  } catch (error) {
    throw new StoreError(`${(error as Error).message}: make the data folder writable, or choose another with --data.`);
  }
}

async function inUse({ data, port }: Pick<Options, "data" | "port">, { url, pid }: RelayFile): Promise<string> {
  if (!(await answersAt(url))) {
    return `The data folder ${data} is in use, by the relay at ${url} (process ${pid}), which does not answer. Wait for it; or, if it hangs for good, end it with \`${killLine(pid)}\`, which leaves its shells running, and start again.`;
  }
  const taken = new URL(url).port === String(port) ? `Port ${port} is taken, and the` : "The";
  const also = taken === "The" ? "" : ", and another port with --port";
  return `${taken} data folder ${data} is in use, by the relay at ${url} (process ${pid}): stop that, or choose another folder with --data${also}.`;
}

function startingOrStopping(data: string, pid: number | undefined): string {
  const by = pid === undefined ? "another process" : `process ${pid}`;
  const end = pid === undefined ? "" : `, or end it with \`${killLine(pid)}\``;
  return `The data folder ${data} is in use, by ${by}, which has been starting or stopping for ${WAIT_MS / 1000} s: try again${end}.`;
}

function killLine(pid: number): string {
  return process.platform === "win32" ? `taskkill /F /PID ${pid}` : `kill -9 ${pid}`;
}

/** Throws a StoreError for a folder in place of a file, the reverse, and a link that leads in a circle. */
function checkPlaces(data: string): void {
  const isFolder = (name: string) => {
    try {
      return statSync(join(data, name), { throwIfNoEntry: false })?.isDirectory();
    } catch (error) {
      throw new StoreError(`${join(data, name)} cannot be read (${(error as Error).message}): move it away.`);
    }
  };
  if (isFolder("logs") === false) {
    throw new StoreError(`${join(data, "logs")} is a file, but Patchbay keeps a folder of that name: move it away.`);
  }
  const folder = FILES.find((name) => isFolder(name));
  if (folder === undefined) return;
  throw new StoreError(`${join(data, folder)} is a folder, but Patchbay keeps a file of that name: move it away.`);
}
