import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { runInTurns, type Steps } from "../in-turns.ts";
import { readProcFile } from "../processes/read-proc-file.ts";
import type { Listener, ListenerSource } from "./listener-source.ts";

/** States of a socket in /proc/net/tcp. */
const LISTEN = "0A";
const ESTABLISHED = "01";

/**
 * Polls after which a socket that does not listen is checked again: it may have been created long before it listens.
 */
const FORGET_AFTER = 30;
/** Times that the table is read for a socket that does not listen. */
const TABLE_READS = 2;
const BUFFER_BYTES = 4096;
/** /proc/PID/schedstat of a kernel that does not count. */
const UNCOUNTED = "0 0 0\n";

/** Time that reading files of processes may take between two turns of everything else, in milliseconds. */
const SLICE_MS = 3;

/** The sockets of a process when it was looked at. */
interface Look {
  /** Its processor time until then; undefined where that does not tell whether it has run since. */
  readonly ran: string | undefined;
  readonly sockets: readonly string[];
}

/**
 * Joins the processes' open sockets with the kernel's table of listening ones (/proc/net/tcp and tcp6). The kernel walks
 * through all connections of the machine to print that table, so it is read only when a socket is there that is not known
 * yet. The files of a process are read only if it may have run since the last look, because most shells wait.
 */
export class LinuxListeners implements ListenerSource {
  readonly #root: string;
  readonly #buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);
  /** By inode, which identifies a socket while it exists. */
  #listening = new Map<string, Place>();
  /** Sockets that do not listen, with the number of table reads for them. */
  #others = new Map<string, number>();
  #seen = new Map<number, Look>();
  #looks = 0;

  constructor(root: string) {
    this.#root = root;
  }

  async listenersOf(pids: readonly number[], shells: readonly number[]): Promise<readonly Listener[]> {
    const open = await runInTurns(this.#look(pids), SLICE_MS);
    const all = new Set([...open.values()].flatMap(({ sockets }) => sockets));
    this.#looks += 1;
    if (this.#looks % FORGET_AFTER === 0) this.#others.clear();
    this.#listening = new Map([...this.#listening].filter(([inode]) => all.has(inode)));
    this.#others = new Map([...this.#others].filter(([inode]) => all.has(inode)));
    // Twice, because a starting program may have created its socket without listening yet.
    const unknown = [...all].filter(
      (inode) => !this.#listening.has(inode) && (this.#others.get(inode) ?? 0) < TABLE_READS,
    );
    if (unknown.length > 0) this.#ask(unknown, shells);
    return [...open].flatMap(([pid, { sockets }]) =>
      sockets.flatMap((inode) => {
        const place = this.#listening.get(inode);
        return place === undefined ? [] : { pid, ...place };
      }),
    );
  }

  *#look(pids: readonly number[]): Steps<ReadonlyMap<number, Look>> {
    const looks = new Map<number, Look>();
    for (const pid of pids) {
      looks.set(pid, this.#lookAt(pid));
      yield;
    }
    this.#seen = looks;
    return looks;
  }

  #lookAt(pid: number): Look {
    const before = this.#seen.get(pid);
    // Before its files: what it opens meanwhile is seen at the next look.
    const ran = this.#processorTimeOf(pid);
    if (before?.ran !== undefined && before.ran === ran) return before;
    return { ran: this.#hasOneThread(pid) ? ran : undefined, sockets: this.#socketsOf(pid) };
  }

  /** Of its first thread, in nanoseconds, with the number of times that it has run; undefined where it is not counted. */
  #processorTimeOf(pid: number): string | undefined {
    const text = readProcFile(`${this.#root}/${pid}/schedstat`, this.#buffer);
    return text === "" || text === UNCOUNTED ? undefined : text;
  }

  #hasOneThread(pid: number): boolean {
    return namesIn(`${this.#root}/${pid}/task`).length === 1;
  }

  /** A shell and what it starts may have a listening socket of the process that started the shell; it is not theirs. */
  #ask(inodes: readonly string[], shells: readonly number[]): void {
    const table = new Map([...this.#table("tcp"), ...this.#table("tcp6")]);
    const parents = inodes.some((inode) => table.has(inode)) ? shells.map((shell) => this.#parentOf(shell)) : [];
    const inherited = new Set([...new Set(parents)].flatMap((pid) => this.#socketsOf(pid)));
    for (const inode of inodes) {
      const place = table.get(inode);
      if (place === undefined) this.#others.set(inode, (this.#others.get(inode) ?? 0) + 1);
      else if (inherited.has(inode)) this.#others.set(inode, TABLE_READS);
      else this.#listening.set(inode, place);
    }
  }

  #table(name: "tcp" | "tcp6"): readonly Socket[] {
    return parseListeningSockets(tableText(`${this.#root}/net/${name}`));
  }

  /** 0 for a process that has ended. Its name stands in brackets, and may hold any character. */
  #parentOf(pid: number): number {
    const stat = readProcFile(`${this.#root}/${pid}/stat`, this.#buffer);
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ", 2)[1] ?? 0);
  }

  /** Inodes of a process's sockets; none for a process that has ended or belongs to another user. */
  #socketsOf(pid: number): string[] {
    const folder = `${this.#root}/${pid}/fd`;
    return namesIn(folder).flatMap((fd) => /^socket:\[(\d+)\]$/.exec(linkAt(`${folder}/${fd}`))?.[1] ?? []);
  }
}

type Place = Omit<Listener, "pid">;
type Socket = readonly [inode: string, place: Place];

/** The listening sockets in the text of /proc/net/tcp or tcp6 (proc_net_tcp in the kernel's documentation). */
export function parseListeningSockets(table: string): readonly Socket[] {
  return listening(table).map(({ inode, port, address }) => [inode, { port, address }]);
}

/**
 * Returns the user ids of those who listen at a loopback address, as the kernel knows them; none where that cannot be
 * read, or where nothing of this machine's own network listens.
 *
 * @param host address without brackets
 */
export function listenerOwners(host: string, port: number, root = "/proc"): readonly number[] {
  const table = ["tcp", "tcp6"].flatMap((name) => listening(tableText(`${root}/net/${name}`)));
  const there = table.filter((socket) => socket.port === port);
  const names = host === "localhost" ? ["127.0.0.1", "::1"] : [host, `::ffff:${host}`];
  const exact = there.filter(({ address }) => names.includes(address));
  const everywhere = there.filter(({ address }) => address === "0.0.0.0" || address === "::");
  return (exact.length > 0 ? exact : everywhere).map(({ uid }) => uid);
}

/** An end of a TCP connection, its address without brackets. */
type End = Place;

/**
 * Returns the user id of the other end of a connection, as the kernel knows it; undefined where that cannot be read, and
 * for an end on another machine or one that no process holds any more.
 */
export function peerOwner(peer: End, own: End, root = "/proc"): number | undefined {
  for (const name of ["tcp", "tcp6"]) {
    const found = parseTable(tableText(`${root}/net/${name}`)).find(
      ({ state, local, remote }) => state === ESTABLISHED && isSameEnd(local, peer) && isSameEnd(remote, own),
    );
    // The kernel reports root for a socket that no process holds.
    if (found !== undefined) return found.inode === "0" ? undefined : found.uid;
  }
  return undefined;
}

/** An IPv6 socket reports IPv4 addresses in their mapped form. */
function isSameEnd(one: End, other: End): boolean {
  const plain = ({ address }: End) => address.replace(/^::ffff:(?=\d+\.)/, "");
  return one.port === other.port && plain(one) === plain(other);
}

function tableText(file: string): string {
  try {
    return readFileSync(file, "latin1");
  } catch {
    return "";
  }
}

interface SocketRow {
  readonly inode: string;
  readonly uid: number;
  readonly state: string;
  readonly local: Place;
  readonly remote: Place;
}

function listening(table: string): readonly (Place & Pick<SocketRow, "inode" | "uid">)[] {
  return parseTable(table).flatMap(({ inode, uid, state, local }) =>
    state === LISTEN ? [{ inode, uid, ...local }] : [],
  );
}

function parseTable(table: string): readonly SocketRow[] {
  return table.split("\n").flatMap((line): SocketRow[] => {
    const [, localHex = "", remoteHex = "", state = "", , , , uid = "", , inode = ""] = line.trim().split(/\s+/);
    const [local, remote] = [parsePlace(localHex), parsePlace(remoteHex)];
    if (local === undefined || remote === undefined || !/^\d+$/.test(inode)) return [];
    return [{ inode, uid: Number(uid), state, local, remote }];
  });
}

function parsePlace(text: string): Place | undefined {
  const [, address, port = ""] = /^([0-9A-F]{8}|[0-9A-F]{32}):([0-9A-F]{4})$/.exec(text) ?? [];
  return address === undefined ? undefined : { address: readableAddress(address), port: Number.parseInt(port, 16) };
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

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function linkAt(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}
