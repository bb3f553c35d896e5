import { randomBytes } from "node:crypto";
import { Agent, type AgentOptions, type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import { type Duplex, pipeline } from "node:stream";
import { limits } from "../../../core/protocol/limits.ts";
import type { FleetPeer } from "../net/fleet-peer.ts";
import { FrameEnd } from "./frame-end.ts";
import type { CheckedRequest } from "./request-check.ts";
import { ALIVE_EVERY_MS, FleetStream, SILENT_MS } from "./stream.ts";
import { NO_KEY, PIECE_BYTES, type RequestHead } from "./wire.ts";

/** Requests of other relays that are being executed. */
const MOST_OPEN = 2048;
/** A request that takes longer is reported as being worked on. */
const FIRST_ALIVE_MS = 1_000;
/** Connections to the relay's own HTTP that are kept for the next requests, for each member. */
const KEPT_CONNECTIONS = 64;

/** Answers are kept for a request that is sent again, because the first answer may have been lost with the broker. */
const ANSWERS = { keptMs: 30_000, mostBytes: 16 * 1024 * 1024 };

/** Stands for a body that was left out. */
const TOO_LARGE = Buffer.alloc(limits.bodyBytes + 1, " ");

/** Set by the relay that the caller called. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "transfer-encoding",
  "upgrade",
  "date",
  "x-service-relay",
]);

export interface FleetTransport {
  /** Sends bytes to one end of a request. */
  send(member: string, token: string, data: Uint8Array): void;
  /** Receives what is sent to a token of this relay. Returns a function that stops. */
  receive(token: string, listener: (data: Uint8Array) => void): () => void;
}

interface ServeOptions {
  readonly transport: FleetTransport;
  /** Opens a connection to the HTTP of this relay. */
  readonly open: (peer: FleetPeer) => Duplex;
  readonly nameOf: (member: string) => string;
}

/**
 * Executes the requests that other relays pass on, as requests of the relay's own HTTP: what checks, executes and records
 * a request does not know that it came over the fleet, except for the digests in place of the credentials.
 */
export class RequestServer {
  readonly #options: ServeOptions;
  readonly #agents = new Map<string, Agent>();
  readonly #open = new Set<ServedRequest>();
  readonly #answers = new Map<string, { readonly data: Uint8Array; readonly at: number }>();
  #answerBytes = 0;

  constructor(options: ServeOptions) {
    this.#options = options;
  }

  get open(): number {
    return this.#open.size;
  }

  /** Executes a request. Returns false if too many are open. */
  serve(checked: CheckedRequest): boolean {
    if (this.#open.size >= MOST_OPEN) return false;
    const { head, digests } = checked;
    const token = randomBytes(16).toString("base64url");
    const { transport } = this.#options;
    const frames = new FrameEnd({
      id: head.id,
      direction: "down",
      digest: digests.find((digest) => digest !== undefined) ?? NO_KEY,
      send: (data) => transport.send(head.from, head.id, data),
    });
    const answered = (data: Uint8Array) => this.#keepAnswer(head.id, data);
    const stop = transport.receive(token, (data) => frames.receive(data));
    const served = new ServedRequest({ frames, token, answered }, () => {
      stop();
      this.#open.delete(served);
    });
    this.#open.add(served);
    served.start(this.#request(checked));
    return true;
  }

  /** Sends the answer of a request again, if it is still kept. */
  repeat({ id, from }: RequestHead): void {
    const answer = this.#answers.get(id);
    if (answer !== undefined) this.#options.transport.send(from, id, answer.data);
  }

  close(): void {
    for (const served of this.#open) served.abandon();
    for (const agent of this.#agents.values()) agent.destroy();
  }

  #keepAnswer(id: string, data: Uint8Array): void {
    const now = performance.now();
    this.#answers.set(id, { data, at: now });
    this.#answerBytes += data.length;
    for (const [old, answer] of this.#answers) {
      if (now - answer.at < ANSWERS.keptMs && this.#answerBytes <= ANSWERS.mostBytes) break;
      this.#answers.delete(old);
      this.#answerBytes -= answer.data.length;
    }
  }

  #request({ head, body, digests }: CheckedRequest): ClientRequest {
    const connect = () => this.#options.open({ name: this.#options.nameOf(head.from) });
    const request = httpRequest({
      agent: head.upgrade ? new MemoryAgent(connect, { keepAlive: false }) : this.#agentOf(head.from),
      host: "127.0.0.1",
      method: head.method,
      path: head.path,
      headers: { ...head.headers, ...credentialHeaders(head, digests), host: "127.0.0.1" },
    });
    request.end(head.isCut ? TOO_LARGE : body);
    return request;
  }

  #agentOf(member: string): Agent {
    const known = this.#agents.get(member);
    if (known !== undefined) return known;
    const connect = () => this.#options.open({ name: this.#options.nameOf(member) });
    const agent = new MemoryAgent(connect, { keepAlive: true, maxFreeSockets: KEPT_CONNECTIONS });
    this.#agents.set(member, agent);
    return agent;
  }
}

/** Keeps connections in memory, which have no options of sockets. */
class MemoryAgent extends Agent {
  readonly #connect: () => Duplex;

  constructor(connect: () => Duplex, options: AgentOptions) {
    super(options);
    this.#connect = connect;
  }

  override createConnection(): Duplex {
    const ignore = () => undefined;
    return Object.assign(this.#connect(), { setKeepAlive: ignore, setTimeout: ignore, ref: ignore, unref: ignore });
  }
}

/** The digests in place of the credentials. One that was not proved is none that any key has. */
function credentialHeaders({ credentials }: RequestHead, digests: CheckedRequest["digests"]): Record<string, string> {
  return Object.fromEntries(
    credentials.map((scheme, index) => {
      const digest = digests[index] ?? "unproved";
      return scheme === "api" ? ["x-service-token", digest] : ["authorization", `Bearer ${digest}`];
    }),
  );
}

interface ServedOptions {
  readonly frames: FrameEnd;
  /** Where the other relay sends what belongs to the request. */
  readonly token: string;
  /** Called with the whole answer as it was sent. */
  readonly answered: (data: Uint8Array) => void;
}

/** A request of another relay while it is executed. */
class ServedRequest {
  readonly #frames: FrameEnd;
  readonly #token: string;
  readonly #answered: (data: Uint8Array) => void;
  readonly #done: () => void;
  #request: ClientRequest | undefined;
  #stream: FleetStream | undefined;
  #alive: NodeJS.Timeout | undefined;
  #heardAt = performance.now();
  #isDone = false;

  constructor({ frames, token, answered }: ServedOptions, done: () => void) {
    this.#frames = frames;
    this.#token = token;
    this.#answered = answered;
    this.#done = done;
    frames.onFrame((frame) => {
      this.#heardAt = performance.now();
      if (this.#stream !== undefined) this.#stream.receive(frame);
      else if (frame.frame.kind === "reset") this.abandon();
    });
    frames.onLost(() => this.abandon());
  }

  start(request: ClientRequest): void {
    this.#request = request;
    this.#tellAlive(FIRST_ALIVE_MS);
    request.once("response", (response) => void this.#respond(response));
    request.once("upgrade", (response: IncomingMessage, socket: Duplex, head: Buffer) => {
      socket.unshift(head);
      this.#openStream(response, (stream) => {
        pipeline(socket, stream, () => socket.destroy());
        pipeline(stream, socket, () => stream.destroy());
      });
    });
    // Once there is a response, its own end counts: a request that is refused by its length is never sent whole.
    let isAnswered = false;
    request.once("response", () => {
      isAnswered = true;
    });
    request.on("error", () => {
      if (!isAnswered) this.abandon();
    });
  }

  /** Ends the request, and tells the other relay if it still waits. */
  abandon(): void {
    if (this.#isDone) return;
    this.#frames.send({ kind: "reset" });
    this.#request?.destroy();
    this.#stream?.destroy();
    this.#finish();
  }

  async #respond(response: IncomingMessage): Promise<void> {
    const pieces: Buffer[] = [];
    let bytes = 0;
    response.on("error", () => this.abandon());
    if (!isStream(response)) {
      response.on("data", (piece: Buffer) => {
        pieces.push(piece);
        bytes += piece.length;
        if (bytes > PIECE_BYTES) response.pause();
      });
      await new Promise<void>((resolve) => {
        response.once("end", resolve);
        response.once("pause", resolve);
        response.once("close", resolve);
      });
      if (this.#isDone) return;
      if (response.destroyed && !response.complete) return this.abandon();
      if (response.complete && bytes <= PIECE_BYTES) {
        const { status, headers } = headOf(response);
        this.#answered(this.#frames.send({ kind: "answer", status, headers }, Buffer.concat(pieces)));
        this.#finish();
        return;
      }
      response.removeAllListeners("data");
    }
    this.#openStream(response, (stream) => {
      for (const piece of pieces) stream.write(piece);
      stream.resume();
      pipeline(response, stream, () => response.destroy());
    });
  }

  #openStream(response: IncomingMessage, connect: (stream: FleetStream) => void): void {
    if (this.#isDone) return;
    clearTimeout(this.#alive);
    this.#frames.send({ kind: "open", ...headOf(response), up: this.#token });
    const stream = new FleetStream((frame, body) => this.#frames.send(frame, body));
    this.#stream = stream;
    stream.on("error", () => undefined);
    stream.once("close", () => {
      this.#request?.destroy();
      this.#finish();
    });
    connect(stream);
  }

  #tellAlive(afterMs: number): void {
    this.#alive = setTimeout(() => {
      if (performance.now() - this.#heardAt > SILENT_MS) return this.abandon();
      this.#frames.send({ kind: "alive", up: this.#token });
      this.#tellAlive(ALIVE_EVERY_MS);
    }, afterMs);
    this.#alive.unref();
  }

  #finish(): void {
    if (this.#isDone) return;
    this.#isDone = true;
    clearTimeout(this.#alive);
    this.#done();
  }
}

/** Server-sent events have no end that is worth waiting for. */
function isStream({ headers }: IncomingMessage): boolean {
  return headers["content-type"]?.startsWith("text/event-stream") === true;
}

function headOf({ statusCode = 500, headers }: IncomingMessage): { status: number; headers: Record<string, string> } {
  const passed = Object.entries(headers).flatMap(([name, value]): [string, string][] => {
    if (value === undefined || HOP_BY_HOP.has(name)) return [];
    return [[name, Array.isArray(value) ? value.join(", ") : value]];
  });
  return { status: statusCode, headers: Object.fromEntries(passed) };
}
