import { lstatSync, realpathSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { WebSocket } from "ws";
import { z } from "zod";
import { jsonOrUndefined } from "../../../core/protocol/json-value.ts";

interface CodexServerOptions {
  /** Called once, when the connection is ready or has failed. */
  readonly onReady: () => void;
  readonly onRequest: (id: RequestId, method: string, params: unknown) => void;
  readonly onNotification: (method: string, params: unknown) => void;
  /** Called once, when the connection has ended or could not be made. */
  readonly onEnd: () => void;
}

const RequestId = z.union([z.string().max(200), z.number()]);
export type RequestId = z.infer<typeof RequestId>;

const Message = z.object({
  id: RequestId.optional(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
});

const SOCKET = join("app-server-control", "app-server-control.sock");
/** A thread's state without its turns has some kilobytes; items carry a diff or the output of a command. */
const MOST_BYTES = 16 * 1024 * 1024;
const HANDSHAKE_MS = 10_000;
const MOST_CALLS = 100;
/** Text that streams while the model writes: nothing of it concerns questions. */
const UNUSED = [
  "item/agentMessage/delta",
  "item/plan/delta",
  "item/reasoning/summaryTextDelta",
  "item/reasoning/summaryPartAdded",
  "item/reasoning/textDelta",
  "item/commandExecution/outputDelta",
  "item/fileChange/outputDelta",
  "command/exec/outputDelta",
  "process/outputDelta",
];

/**
 * Returns the socket of the app server that the Codex terminals of a home folder share; undefined where there is none that
 * this user made.
 */
export function codexSocket(home: string): string | undefined {
  try {
    const path = realpathSync(join(home, SOCKET));
    const { uid } = lstatSync(path);
    return uid === (process.getuid?.() ?? uid) ? path : undefined;
  } catch {
    return undefined;
  }
}

/** A connection to Codex's app server: JSON-RPC in the text frames of a WebSocket over a Unix socket. */
export class CodexServer implements Disposable {
  readonly #socket: WebSocket;
  readonly #options: CodexServerOptions;
  readonly #calls = new Map<RequestId, (result: unknown) => void>();
  #lastId = 0;
  #ended = false;

  constructor(path: string, options: CodexServerOptions) {
    this.#options = options;
    this.#socket = new WebSocket("ws://localhost/", {
      createConnection: () => connect(path),
      maxPayload: MOST_BYTES,
      handshakeTimeout: HANDSHAKE_MS,
      perMessageDeflate: false,
    });
    this.#socket.on("open", () => void this.#initialize());
    this.#socket.on("message", (data, isBinary) => {
      if (!isBinary && !this.#ended) this.#receive(String(data));
    });
    this.#socket.on("error", () => this.#end());
    this.#socket.on("close", () => this.#end());
  }

  /** Resolves to the result; undefined where the server refuses, or the connection ends first. */
  call(method: string, params: object): Promise<unknown> {
    if (this.#ended || this.#calls.size >= MOST_CALLS) return Promise.resolve(undefined);
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve) => {
      this.#calls.set(id, resolve);
      this.#send({ id, method, params });
    });
  }

  /** Answers a request of the server. Of several clients' answers it takes the first. */
  reply(id: RequestId, result: object): void {
    this.#send({ id, result });
  }

  [Symbol.dispose](): void {
    this.#end();
    this.#socket.terminate();
  }

  async #initialize(): Promise<void> {
    const result = await this.call("initialize", {
      clientInfo: { name: "patchbay", title: "Patchbay", version: "1" },
      capabilities: { experimentalApi: true, requestAttestation: false, optOutNotificationMethods: UNUSED },
    });
    if (this.#ended) return;
    if (result === undefined) return this[Symbol.dispose]();
    this.#send({ method: "initialized" });
    this.#options.onReady();
  }

  #receive(text: string): void {
    const message = Message.safeParse(jsonOrUndefined(text)).data;
    if (message === undefined) return;
    const { id, method, params, result } = message;
    if (method === undefined) {
      const resolve = id === undefined ? undefined : this.#calls.get(id);
      if (id !== undefined) this.#calls.delete(id);
      resolve?.(result);
    } else if (id === undefined) this.#options.onNotification(method, params);
    else this.#options.onRequest(id, method, params);
  }

  #send(message: object): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    for (const resolve of this.#calls.values()) resolve(undefined);
    this.#calls.clear();
    this.#options.onEnd();
  }
}
