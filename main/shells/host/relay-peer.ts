import { RemoteError, unreachable } from "../../../core/protocol/errors.ts";
import { FlushOptions, RecordingOptions } from "../../../core/protocol/history.ts";
import { Lifetime } from "../../../core/protocol/lifetime.ts";
import {
  type OutputSubscription,
  type ShellCall,
  type ShellCallResult,
  type ShellCalls,
  shellCallSchemas,
} from "../../../core/protocol/shell-host.ts";
import { monotonicMs } from "../../system/monotonic-clock.ts";
import type { HistoryRecorder } from "../history/recorder.ts";
import { EventFold } from "./event-fold.ts";
import type { Frame } from "./frame.ts";
import type { FrameSocket } from "./frame-socket.ts";
import { type BatchedFrame, OutputBatch } from "./output-batch.ts";
import { type HostMessage, parseRelayMessage, type RelayMessage } from "./protocol.ts";
import type { SessionHosts } from "./session-hosts.ts";

/** How long the result of a write may wait for the echo, which is more urgent. */
const ECHO_FIRST_MS = 1;
/** Output of one turn of the event loop, of all subscriptions. */
const TURN_BYTES = 1024 * 1024;
/** Output that is shorter is sent as JSON with the rest of the result. */
const LONG_OUTPUT = 16 * 1024;
/** How long what waits may take to be written: a disk that is slower than a shell never has all. Relays wait for 2 s. */
const FLUSH_MS = 1000;
/** Errors of the system for a disk that takes no more. */
const DISK_CODES: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT", "EFBIG", "EROFS"]);

interface RelayPeerOptions {
  readonly hosts: SessionHosts;
  readonly recorder: HistoryRecorder;
  readonly log: (message: string) => void;
  /** Called when the relay asks the host to end. */
  readonly end: () => void;
}

/** The authenticated relay: executes its calls and streams the output that it subscribes to. */
export class RelayPeer {
  readonly #options: RelayPeerOptions;
  readonly #wire: FrameSocket;
  readonly #batch = new OutputBatch((batched) => this.#sendBatched(batched));
  readonly #events: EventFold;
  /** Long results that wait until the relay has read what it was sent before. */
  #waitingResults: (() => void)[] = [];
  #nextTurn: NodeJS.Immediate | undefined;
  #written: (HostMessage & { type: "done" })[] = [];
  #echoTimer: NodeJS.Timeout | undefined;
  readonly #subscriptions = new Map<number, OutputSubscription>();
  /** The calls in progress, by their id. */
  readonly #calls = new Map<number, Lifetime>();
  readonly #stop: () => void;
  /** Whether the relay knows of the history: one of an earlier version does not know its messages. */
  #records = false;

  constructor(wire: FrameSocket, parts: RelayPeerOptions) {
    this.#options = parts;
    this.#wire = wire;
    this.#events = new EventFold({
      send: (session, event) => this.#send({ type: "event", session, event }),
      hasRoom: () => wire.hasRoom,
    });
    this.#stop = parts.hosts.onEvent((session, event) => this.#events.push(session, event));
    this.#send({ type: "welcome", pid: process.pid, cancels: true, records: true, sessions: parts.hosts.list() });
  }

  /** Tells the relay whether the history can be written: a sentence if not. */
  reportHistory(trouble: string | undefined): void {
    if (this.#records) this.#send({ type: "history", trouble: trouble ?? null });
  }

  /** Another relay has taken over. */
  dismiss(reason: string): void {
    this.#send({ type: "refused", reason });
    this.#wire.end();
  }

  /** Throws for an invalid message. */
  receive({ head, tail }: Frame): void {
    const message = parseRelayMessage(head);
    switch (message.type) {
      case "call":
        this.#answer(message, {
          run: (lifetime) => this.#execute(message, lifetime),
          done: (answer) => this.#sendResult(answer, message.tail === true),
        });
        break;
      case "write":
        this.#answer(message, {
          run: () => this.#options.hosts.get(message.session).write(message.shell, tail),
          done: (answer) => this.#afterEcho(answer),
        });
        break;
      case "cancel":
        this.#calls.get(message.id)?.end(cancelled());
        break;
      case "ping":
        this.#send({ type: "pong" });
        break;
      case "listen":
        this.#listen(message);
        break;
      case "unlisten":
        this.#subscriptions.get(message.listener)?.stop();
        this.#subscriptions.delete(message.listener);
        break;
      case "ack":
        for (const [listener, bytes] of message.acks) this.#subscriptions.get(listener)?.acknowledge(bytes);
        break;
      case "end":
        this.#options.end();
        break;
      default:
        unreachable(message);
    }
  }

  /** Goes on with what has waited for the relay to read. */
  resume(): void {
    while (this.#wire.hasRoom && this.#waitingResults.length > 0) this.#waitingResults.shift()?.();
    for (const [listener, subscription] of [...this.#subscriptions]) {
      if (!this.#mayDeliver()) return;
      // Those that are served come last the next time.
      this.#subscriptions.delete(listener);
      this.#subscriptions.set(listener, subscription);
      subscription.acknowledge(0);
    }
  }

  /** Releases everything after the connection has closed. */
  disconnected(): void {
    this.#stop();
    this.#events[Symbol.dispose]();
    this.#waitingResults = [];
    clearImmediate(this.#nextTurn);
    for (const lifetime of this.#calls.values()) lifetime.end(cancelled());
    clearTimeout(this.#echoTimer);
    for (const subscription of this.#subscriptions.values()) subscription.stop();
    this.#subscriptions.clear();
  }

  #answer(
    { id, expires }: { id: number; expires?: number },
    {
      run,
      done,
    }: { run: (lifetime: Lifetime) => Promise<unknown>; done: (answer: HostMessage & { type: "done" }) => void },
  ): void {
    const lifetime = new Lifetime();
    this.#calls.set(id, lifetime);
    // An async function, so that a synchronous throw becomes a rejection too.
    const answer = async () => {
      if (expires !== undefined && monotonicMs() > expires) throw expiredError();
      return run(lifetime);
    };
    answer().then(
      (result) => {
        this.#calls.delete(id);
        done({ type: "done", id, result });
      },
      (error: unknown) => {
        this.#calls.delete(id);
        const known = error instanceof RemoteError ? error : diskError(error);
        if (known === undefined) this.#options.log(`a call failed: ${String(error)}`);
        const message = known?.message ?? "The shell host failed to execute this; its log says why.";
        this.#send({ type: "failed", id, code: known?.code ?? "internal", message });
      },
    );
  }

  /**
   * Calls begin in the order in which they came. A start may have to wait for the end of the session's earlier shells; then
   * `forget` waits too, because a shell that is forgotten before it is started would stay for good.
   */
  #execute({ method, params, session }: RelayMessage & { type: "call" }, lifetime: Lifetime): Promise<unknown> {
    const { hosts, recorder } = this.#options;
    if (method === "dispose") return hosts.end(session);
    if (method === "flush") {
      const options = FlushOptions.parse(params);
      // What is removed afterwards must not grow any more, however long that takes.
      return recorder.flush(options, options.rotate === true ? undefined : FLUSH_MS);
    }
    if (method === "record") {
      this.#records = true;
      return Promise.resolve(recorder.configure(RecordingOptions.parse(params)));
    }
    const begin = () => call(hosts.get(session), { method, params, lifetime });
    const ending = method === "spawn" || method === "forget" ? hosts.ending(session) : undefined;
    return ending === undefined ? begin() : ending.then(begin);
  }

  #sendResult(answer: HostMessage & { type: "done" }, mayHaveTail: boolean): void {
    const long = longOutputOf(answer.result);
    if (long === undefined) {
      this.#send(answer);
      return;
    }
    const send = () => {
      if (!mayHaveTail) this.#send(answer);
      else
        this.#wire.send({ ...answer, result: long.rest, tail: true } satisfies HostMessage, Buffer.from(long.output));
    };
    if (this.#wire.hasRoom) send();
    else this.#waitingResults.push(send);
  }

  /** Sends the result of a write after its echo, or shortly after when there is no echo. */
  #afterEcho(answer: HostMessage & { type: "done" }): void {
    this.#written.push(answer);
    this.#echoTimer ??= setTimeout(() => this.#sendWritten(), ECHO_FIRST_MS);
  }

  #sendWritten(): void {
    clearTimeout(this.#echoTimer);
    this.#echoTimer = undefined;
    for (const answer of this.#written.splice(0)) this.#wire.send(answer);
  }

  #listen({ listener, session, shell, from, window }: RelayMessage & { type: "listen" }): void {
    const host = this.#options.hosts.get(session);
    // The shell was closed meanwhile; the event reports its end.
    if (!host.has(shell)) return;
    const key = `${session} ${shell}`;
    const deliver = (frame: BatchedFrame["frame"]) => this.#batch.add(listener, key, frame);
    this.#subscriptions.get(listener)?.stop();
    const mayDeliver = () => this.#mayDeliver();
    this.#subscriptions.set(listener, host.subscribe(shell, { from, window, deliver, mayDeliver }));
  }

  /** Whether a subscription may deliver more; if not, it goes on when the relay has read what was sent. */
  #mayDeliver(): boolean {
    if (this.#wire.hasRoom && this.#batch.bytes < TURN_BYTES) return true;
    this.#nextTurn ??= setImmediate(() => {
      this.#nextTurn = undefined;
      if (this.#wire.hasRoom) this.resume();
    });
    return false;
  }

  #sendBatched({ to, frame }: BatchedFrame): void {
    switch (frame.kind) {
      case "output":
        this.#sendOutput({ type: "output", to, offset: frame.offset }, frame.bytes);
        break;
      case "snapshot": {
        const { snapshot, kind: _, ...rest } = frame;
        this.#wire.send({ type: "snapshot", to, ...rest } satisfies HostMessage, Buffer.from(snapshot));
        break;
      }
      case "end": {
        const { kind: _, ...rest } = frame;
        this.#wire.send({ type: "end", to, ...rest } satisfies HostMessage);
        break;
      }
      default:
        unreachable(frame);
    }
  }

  /** Sends output; with it, in one write, the results of the writes that it may be the echo of. */
  #sendOutput(message: HostMessage & { type: "output" }, bytes: Uint8Array): void {
    if (this.#written.length === 0) this.#wire.send(message, bytes);
    else {
      this.#wire.together(() => {
        this.#wire.send(message, bytes);
        this.#sendWritten();
      });
    }
  }

  #send(message: HostMessage): void {
    this.#batch.flush();
    this.#wire.send(message);
  }
}

/** Validates the parameters and runs the call. Throws for invalid parameters. */
function call<M extends ShellCall>(
  host: ShellCalls,
  { method, params, lifetime }: { method: M; params: unknown; lifetime: Lifetime },
): Promise<ShellCallResult<M>> {
  return host[method](shellCallSchemas[method].params.parse(params), { lifetime });
}

function cancelled(): RemoteError {
  return new RemoteError("client_gone", "The relay no longer waits for this.");
}

/** The refusal for what needs a file, such as the start of a shell, while the disk takes none. */
function diskError(error: unknown): RemoteError | undefined {
  if (!(error instanceof Error && "code" in error && DISK_CODES.has(String(error.code)))) return undefined;
  const sentence = `The shell host cannot write its files (${error.message}): free some space, then try again.`;
  return new RemoteError("storage_failed", sentence, { cause: error });
}

function expiredError(): RemoteError {
  return new RemoteError("shell_host_timeout", "The call arrived after its deadline and was not executed.");
}

/** Returns a result with a long output, divided. */
function longOutputOf(result: unknown): { readonly output: string; readonly rest: object } | undefined {
  if (typeof result !== "object" || result === null || !("output" in result)) return undefined;
  const { output, ...rest } = result;
  return typeof output === "string" && output.length >= LONG_OUTPUT ? { output, rest } : undefined;
}
