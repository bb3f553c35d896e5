import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import type { Listener, ListenerSource } from "./listener-source.ts";

/** State of a listening socket in /proc/net/tcp. */
const LISTEN = "0A";

/**
 * Joins the kernel's table of listening sockets (/proc/net/tcp and tcp6) with the processes' open files. The files are
 * looked through only when the sockets or the processes have changed since the last look.
 */
export class LinuxListeners implements ListenerSource {
  readonly #root: string;
  #signature = "";
  #found: readonly Listener[] = [];

  constructor(root: string) {
    this.#root = root;
  }

  async listenersOf(pids: readonly number[]): Promise<readonly Listener[]> {
    if (pids.length === 0) return [];
    const sockets = new Map([...this.#sockets("tcp"), ...this.#sockets("tcp6")]);
    const signature = `${pids.join()} ${[...sockets.keys()].join()}`;
    if (signature !== this.#signature) {
      this.#found = sockets.size === 0 ? [] : pids.flatMap((pid) => this.#listening(pid, sockets));
      this.#signature = signature;
    }
    return this.#found;
  }

  #sockets(table: "tcp" | "tcp6"): readonly Socket[] {
    try {
      return parseListeningSockets(readFileSync(`${this.#root}/net/${table}`, "latin1"));
    } catch {
      return [];
    }
  }

  /** Nothing for a process that has gone or is another user's. */
  #listening(pid: number, sockets: ReadonlyMap<string, Place>): Listener[] {
    const folder = `${this.#root}/${pid}/fd`;
    try {
      return readdirSync(folder).flatMap((fd) => {
        const [, inode = ""] = /^socket:\[(\d+)\]$/.exec(linkAt(`${folder}/${fd}`)) ?? [];
        const place = sockets.get(inode);
        return place === undefined ? [] : { pid, ...place };
      });
    } catch {
      return [];
    }
  }
}

type Place = Omit<Listener, "pid">;
type Socket = readonly [inode: string, place: Place];

/** The listening sockets in the text of /proc/net/tcp or tcp6 (proc_net_tcp in the kernel's documentation). */
export function parseListeningSockets(table: string): readonly Socket[] {
  return table.split("\n").flatMap((line): Socket[] => {
    const [, local = "", , state, , , , , , inode = ""] = line.trim().split(/\s+/);
    const [, address = "", port = ""] = /^([0-9A-F]{8}|[0-9A-F]{32}):([0-9A-F]{4})$/.exec(local) ?? [];
    if (state !== LISTEN || address === "" || !/^\d+$/.test(inode)) return [];
    return [[inode, { port: Number.parseInt(port, 16), address: readableAddress(address) }]];
  });
}

/** The kernel prints addresses as 32-bit words in the byte order of the machine, which Node runs on little-endian. */
function readableAddress(hex: string): string {
  const bytes = Buffer.from(hex, "hex").swap32();
  if (bytes.length === 4) return bytes.join(".");
  if (bytes.every((byte) => byte === 0)) return "::";
  if (bytes.subarray(0, 15).every((byte) => byte === 0) && bytes[15] === 1) return "::1";
  if (bytes.subarray(0, 10).every((byte) => byte === 0) && bytes.readUInt16BE(10) === 0xffff) {
    return `::ffff:${bytes.subarray(12).join(".")}`;
  }
  return Array.from({ length: 8 }, (_, word) => bytes.readUInt16BE(word * 2).toString(16)).join(":");
}

function linkAt(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}
