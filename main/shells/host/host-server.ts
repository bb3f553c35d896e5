import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { chmodSync, existsSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { processStart } from "../../system/processes/process-start.ts";
import { HistoryRecorder } from "../history/recorder.ts";
import type { Frame } from "./frame.ts";
import { type FrameSocket, frameSocket } from "./frame-socket.ts";
import { type HostFile, isOwnHostFile, writeHostFile } from "./host-file.ts";
import { ENDING, Hello, PROTOCOL_VERSION, type Refused } from "./protocol.ts";
import { RelayPeer } from "./relay-peer.ts";
import { SessionHosts } from "./session-hosts.ts";

interface HostServerOptions {
  /** Where relays look for the host. */
  readonly file: string;
  /** Path of the Unix socket or named pipe, in a folder that only the user can enter. */
  readonly socket: string;
  readonly integrationFolder: string;
  readonly log: (message: string) => void;
}

const CHECK_EVERY_MS = 1000;
/** Lifetime without a relay and without shells: long enough for a relay to restart. */
const EMPTY_MS = 3000;
/** Lifetime without a relay, with ended shells only: their output remains for the next start. */
const ENDED_MS = 60_000;
const HELLO_MS = 5000;

/**
 * Serves the shells to one relay at a time, the latest to connect. Ends when the relay asks for it, when there has been
 * neither a relay nor a running shell for a while, and when its file is gone, so that no relay could find it.
 */
export class HostServer {
  /** Resolves when every shell has ended and the socket is gone. */
  readonly ended: Promise<void>;
  readonly #options: HostServerOptions;
  readonly #recorder: HistoryRecorder;
  readonly #sessions: SessionHosts;
  readonly #server: Server;
  readonly #secret = randomBytes(32).toString("base64url");
  readonly #sockets = new Set<Socket>();
  #file: HostFile | undefined;
  #peer: RelayPeer | undefined;
  #idleSince = performance.now();
  #ending: Promise<void> | undefined;
  #resolveEnded: () => void = () => undefined;

  constructor(options: HostServerOptions) {
    this.#options = options;
    this.#recorder = new HistoryRecorder({
      log: options.log,
      onTrouble: (sentence) => this.#peer?.reportHistory(sentence),
    });
    this.#sessions = new SessionHosts({ ...options, recorder: this.#recorder });
    this.#server = createServer((socket) => this.#accept(socket));
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
  }

  /** Resolves when relays can connect. */
  async listen(): Promise<void> {
    const { file, socket } = this.#options;
    const pipe = process.platform === "win32";
    if (!pipe) rmSync(socket, { force: true });
    this.#server.listen(socket);
    await once(this.#server, "listening");
    if (!pipe) chmodSync(socket, 0o600);
    this.#file = { pid: process.pid, startedAt: processStart(process.pid) ?? null, socket, secret: this.#secret };
    const takeBack = writeHostFile(file, this.#file);
    const looking = setInterval(() => this.#checkIdle(), CHECK_EVERY_MS);
    void this.ended.finally(() => {
      clearInterval(looking);
      takeBack();
      if (!pipe) rmSync(socket, { force: true });
    });
  }

  /** Ends all shells, then the server. */
  end(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  async #end(): Promise<void> {
    await this.#sessions.endAll();
    await this.#recorder.dispose();
    for (const socket of this.#sockets) socket.end();
    this.#server.close();
    this.#resolveEnded();
  }

  #accept(socket: Socket): void {
    this.#sockets.add(socket);
    let peer: RelayPeer | undefined;
    const late = setTimeout(() => socket.destroy(), HELLO_MS);
    const wire = frameSocket(socket, {
      receive: (frame) => {
        clearTimeout(late);
        if (peer === undefined) peer = this.#admit(frame, wire);
        else peer.receive(frame);
      },
      room: () => peer?.resume(),
      closed: (reason) => {
        clearTimeout(late);
        this.#sockets.delete(socket);
        if (reason !== undefined) this.#options.log(`a connection was cut: ${reason}`);
        peer?.disconnected();
        if (this.#peer === peer) this.#peer = undefined;
      },
    });
  }

  #admit({ head }: Frame, wire: FrameSocket): RelayPeer | undefined {
    const hello = Hello.parse(head);
    if (!isSame(hello.secret, this.#secret)) throw new Error("a wrong secret");
    if (hello.end === true) {
      void this.end();
      return undefined;
    }
    const refusal = hello.protocol !== PROTOCOL_VERSION ? `protocol ${PROTOCOL_VERSION}` : this.#ending && ENDING;
    if (refusal !== undefined) {
      wire.send({ type: "refused", reason: refusal } satisfies Refused);
      wire.end();
      return undefined;
    }
    this.#peer?.dismiss("another relay has taken over");
    const { log } = this.#options;
    const peer: RelayPeer = new RelayPeer(wire, {
      hosts: this.#sessions,
      recorder: this.#recorder,
      log,
      // A relay that was replaced may no longer end the host.
      end: () => this.#peer === peer && void this.end(),
    });
    this.#peer = peer;
    return peer;
  }

  #checkIdle(): void {
    const now = performance.now();
    const shells = this.#sessions.list().flatMap((session) => session.shells);
    if (this.#peer !== undefined) this.#idleSince = now;
    else if (this.#file !== undefined && !this.#isFound(this.#file)) void this.end();
    else if (shells.some((shell) => shell.exit === null)) this.#idleSince = now;
    else if (now - this.#idleSince > (shells.length === 0 ? EMPTY_MS : ENDED_MS)) void this.end();
  }

  #isFound(own: HostFile): boolean {
    return isOwnHostFile(this.#options.file, own) && (process.platform === "win32" || existsSync(own.socket));
  }
}

function isSame(one: string, other: string): boolean {
  const [first, second] = [one, other].map((text) => createHash("sha256").update(text).digest());
  return first !== undefined && second !== undefined && timingSafeEqual(first, second);
}
