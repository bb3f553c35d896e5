import { once } from "node:events";
import { Agent, type AgentOptions, type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import { type Duplex, pipeline } from "node:stream";
import { limits } from "../../../core/protocol/limits.ts";
import type { Answer } from "../net/send.ts";
import { FrameEnd } from "./frame-end.ts";
import type { MemberRelay } from "./member-relay.ts";
import type { CheckedRequest } from "./request-check.ts";
import { ALIVE_EVERY_MS, FIRST_ALIVE_MS, FleetStream, SILENT_MS } from "./stream.ts";
import { isPassed, NO_KEY, newToken, PIECE_BYTES, type RequestHead } from "./wire.ts";

/** Requests of other relays that are being executed. */
const MOST_OPEN = 2048;

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
  readonly relay: Pick<MemberRelay, "callPassed" | "open">;
  readonly nameOf: (member: string) => string;
}

/**
 * Executes the requests that other relays pass on, as requests of the relay's own HTTP: what checks, executes and records
 * a request does not know that it came over the fleet, except for the digests in place of the credentials.
 */
export class RequestServer {
  readonly #options: ServeOptions;
  readonly #open = new Set<ServedRequest>();
  /** As strings of bytes: a small Buffer would keep the block of memory that it shares with others. */
  readonly #answers = new Map<string, { readonly to: string; readonly data: string; readonly at: number }>();
  #answerBytes = 0;
  #isClosed = false;

  constructor(options: ServeOptions) {
    this.#options = options;
  }

  get open(): number {
    return this.#open.size;
  }

  /** Executes a request. Returns false if too many are open, and after `close`. */
  serve(checked: CheckedRequest): boolean {
    if (this.#isClosed || this.#open.size >= MOST_OPEN) return false;
    const { head, digests } = checked;
    const digest = digests.find((one) => one !== undefined);
    const token = newToken();
    const { transport } = this.#options;
    const frames = new FrameEnd({
      id: head.id,
      direction: "down",
      digest: digest ?? NO_KEY,
      send: (data) => transport.send(head.from, head.id, data),
    });
    const name = digest === undefined ? unprovedName(head.id) : head.id;
    const answered = (data: Uint8Array) => this.#keepAnswer(name, head.from, data);
    const stop = transport.receive(token, (data) => frames.receive(data));
    const served = new ServedRequest({ frames, token, answered }, () => {
      stop();
      this.#open.delete(served);
    });
    this.#open.add(served);
    try {
      this.#start(served, checked);
    } catch {
      // It would end the reader of all messages.
      served.abandon();
    }
    return true;
  }

  /**
   * Sends the answer of a request again, if it is still kept, to the relay that made the request: a repeated one is not
   * proved, and any member that has seen it can put its own name into it.
   */
  repeat({ id, from }: RequestHead): void {
    const answer = this.#answers.get(id) ?? this.#answers.get(unprovedName(id));
    if (answer?.to === from) this.#options.transport.send(from, id, Buffer.from(answer.data, "latin1"));
  }

  /** Ends every request, and tells the relays that wait for them. */
  close(): void {
    this.#isClosed = true;
    for (const served of this.#open) served.abandon();
  }

  #keepAnswer(name: string, to: string, data: Uint8Array): void {
    const now = performance.now();
    const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
    this.#answerBytes -= this.#answers.get(name)?.data.length ?? 0;
    // Deleted first, so that the oldest ones come first.
    this.#answers.delete(name);
    this.#answers.set(name, { to, data: bytes.toString("latin1"), at: now });
    this.#answerBytes += data.length;
    for (const [old, answer] of this.#answers) {
      if (now - answer.at < ANSWERS.keptMs && this.#answerBytes <= ANSWERS.mostBytes) break;
      this.#answers.delete(old);
      this.#answerBytes -= answer.data.length;
    }
  }

  #start(served: ServedRequest, { head, body: sent, digests }: CheckedRequest): void {
    const { relay, nameOf } = this.#options;
    const { method, path, isCut, upgrade } = head;
    const peer = { name: nameOf(head.from) };
    const headers = headersFrom(head, digests);
    const body = isCut ? TOO_LARGE : sent;
    const isCall =
      !upgrade && served.startCall((gone) => relay.callPassed({ peer, method, path, headers, body }, gone));
    if (isCall) return;
    if (body.length > 0) headers["content-length"] = String(body.length);
    const agent = new MemoryAgent(() => relay.open(peer), { keepAlive: false });
    served.startRequest(httpRequest({ agent, host: "127.0.0.1", method, path, headers }).end(body));
  }
}

/** Names the answer to a request that no key proves, which must not replace that of a proved one with the same id. */
function unprovedName(id: string): string {
  return `unproved ${id}`;
}

/** Carries requests in memory, where connections have no options of sockets. */
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

/**
 * Returns the headers of a request: only those that a relay passes on, as a member that lies sends others; and the digests
 * in place of the credentials. A digest that was not proved is none that any key has.
 */
function headersFrom(head: RequestHead, digests: CheckedRequest["digests"]): Record<string, string> {
  const headers: Record<string, string> = { host: "127.0.0.1" };
  for (const [name, value] of Object.entries(head.headers)) if (isPassed(name, head)) headers[name] = value;
  for (const [index, scheme] of head.credentials.entries()) {
    const digest = digests[index] ?? "unproved";
    if (scheme === "api") headers["x-service-token"] = digest;
    else headers.authorization = `Bearer ${digest}`;
  }
  return headers;
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
  #stream: FleetStream | undefined;
  #alive: NodeJS.Timeout | undefined;
  #heardAt = performance.now();
  #isDone = false;
  /** Ends the execution. */
  #giveUp: () => void = () => undefined;
  #answer: { readonly status: number; readonly headers: Record<string, string> } | undefined;
  /** The body as far as it has come, while it may still fit into one message. */
  #pieces: Buffer[] = [];
  #bytes = 0;

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

  /** Executes a call. Returns false if the request is none. */
  startCall(call: (gone: AbortSignal) => Promise<Answer> | undefined): boolean {
    const gone = new AbortController();
    const answer = call(gone.signal);
    if (answer === undefined) return false;
    this.#tellAlive(FIRST_ALIVE_MS);
    this.#giveUp = () => gone.abort();
    answer.then(
      ({ body, ...head }) => this.#send(head.status, headersOf(head), Buffer.isBuffer(body) ? [body] : body),
      () => this.abandon(),
    );
    return true;
  }

  /** Sends a request to the relay's HTTP: passes its answer on, or connects its WebSocket. */
  startRequest(request: ClientRequest): void {
    this.#tellAlive(FIRST_ALIVE_MS);
    this.#giveUp = () => request.destroy();
    request.on("error", () => this.abandon());
    request.once("response", (response: IncomingMessage) => {
      void this.#send(response.statusCode ?? 500, headersOf(response), response);
    });
    request.once("upgrade", (response: IncomingMessage, socket: Duplex, head: Buffer) => {
      socket.unshift(head);
      this.#head(response.statusCode ?? 500, headersOf(response));
      const stream = this.#openStream();
      pipeline(socket, stream, () => socket.destroy());
      pipeline(stream, socket, () => stream.destroy());
    });
  }

  /** Ends the request, and tells the other relay if it still waits. */
  abandon(): void {
    if (this.#isDone) return;
    this.#frames.send({ kind: "reset" });
    this.#stream?.destroy();
    this.#finish();
    this.#giveUp();
  }

  /** Sends an answer, at the pace of the other relay. What is cut short is given up there too. */
  async #send(status: number, headers: Record<string, string>, pieces: Iterable<Buffer> | AsyncIterable<Buffer>) {
    if (this.#isDone) return;
    try {
      this.#head(status, headers);
      for await (const piece of pieces) {
        if (this.#isDone) return;
        await this.#data(piece);
      }
      this.#end();
    } catch {
      this.abandon();
    }
  }

  #head(status: number, headers: Readonly<Record<string, string>>): void {
    const passed = Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name));
    this.#answer = { status, headers: Object.fromEntries(passed) };
    if (isStream(headers)) this.#openStream().resume();
  }

  async #data(piece: Buffer): Promise<void> {
    if (this.#stream !== undefined) {
      if (!this.#stream.write(piece)) await once(this.#stream, "drain");
      return;
    }
    this.#pieces.push(piece);
    this.#bytes += piece.length;
    if (this.#bytes > PIECE_BYTES) this.#openStream().resume();
  }

  #end(): void {
    if (this.#isDone || this.#answer === undefined) return;
    if (this.#stream === undefined) {
      this.#answered(this.#frames.send({ kind: "answer", ...this.#answer }, Buffer.concat(this.#pieces)));
      this.#finish();
    } else this.#stream.end();
  }

  #openStream(): FleetStream {
    clearTimeout(this.#alive);
    const stream = new FleetStream((frame, body) => this.#frames.send(frame, body));
    if (this.#answer !== undefined) this.#frames.send({ kind: "open", ...this.#answer, up: this.#token });
    this.#stream = stream;
    stream.on("error", () => undefined);
    stream.once("close", () => {
      this.#finish();
      this.#giveUp();
    });
    for (const piece of this.#pieces) stream.write(piece);
    this.#pieces = [];
    return stream;
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
function isStream(headers: Readonly<Record<string, string>>): boolean {
  return headers["content-type"]?.startsWith("text/event-stream") === true;
}

function headersOf({
  headers,
}: {
  readonly headers: Readonly<Record<string, string | number | string[] | undefined>>;
}) {
  const pairs = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name.toLowerCase(), Array.isArray(value) ? value.join(", ") : String(value)]],
  );
  return Object.fromEntries(pairs);
}
