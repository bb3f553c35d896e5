import { isErrorCode, RemoteError, unreachable } from "../../../core/protocol/errors.ts";
import type { ClientFrame, RelayFrame } from "../../../core/protocol/frames.ts";
import type { ClientId, ShellId, TileKey } from "../../../core/protocol/ids.ts";
import type { RelayLink } from "../../../core/protocol/link.ts";
import type { ClientRecord } from "../../../core/protocol/records.ts";
import type { RelayOp } from "../../../core/protocol/relay-ops.ts";
import type { CallLimit, OutputSubscription } from "../../../core/protocol/shell-host.ts";
import type { Permit } from "../access/permits/permit.ts";
import type { OwnOperation, RunOperation } from "./operations.ts";
import { type CommandResponse, PendingRequests } from "./pending-requests.ts";
import type { Subscriber } from "./session-state.ts";
import type { SessionShells } from "./shells.ts";

interface ClientConnectionOptions {
  readonly link: RelayLink;
  readonly record: ClientRecord;
  readonly shells: SessionShells;
  readonly operate: RunOperation;
  /** Executes what the client asks for on its own account. */
  readonly operateOwn: OwnOperation;
  /** It acted of its own accord; told at most every few seconds. */
  readonly onActive: () => void;
  readonly onState: (state: { focus: TileKey | null; workspace: number; saved: unknown }) => void;
}

/** How often the others are told at most that a client is in use. */
const TELL_ACTIVE_EVERY_MS = 5_000;

/** Commands of restricted callers that a client may have open; of more, the oldest count as ended, for the client too. */
const MOST_PERMITS = 1_000;

/** Of the time that a command has left, what a question of its client may take. */
const ASK_SHARE = 0.95;

/** One welcomed client: sends it commands, does what it asks, and streams it the output it listens to. */
export class ClientConnection implements Subscriber {
  record: ClientRecord;
  /** When it last acted of its own accord, for the choice among several. */
  lastActive = Date.now();
  #toldActive = this.lastActive;
  readonly #options: ClientConnectionOptions;
  readonly #pending: PendingRequests;
  readonly #listening = new Map<ShellId, OutputSubscription>();
  /** Why its latest state could not be saved: what changed it is not acknowledged then. */
  #unsaved: RemoteError | undefined;
  /** Of the commands that the client is executing for restricted callers: what it has the relay do for them is theirs. */
  readonly #permits = new Map<number, Permit>();
  /** The last command whose permit was given up: nothing more is done for commands up to it. */
  #endedUpTo = -1;

  constructor(options: ClientConnectionOptions) {
    this.#options = options;
    this.record = options.record;
    this.#pending = new PendingRequests(`Client ${options.record.id} (${options.record.device})`);
  }

  get id(): ClientId {
    return this.record.id;
  }

  send(frame: RelayFrame): void {
    this.#options.link.send(frame);
  }

  /** Has the client execute a command. Rejects when it refuses, does not answer in time, or leaves. */
  execute(command: {
    method: string;
    params: unknown;
    source?: ShellId | undefined;
    timeoutMs: number;
    permit?: Permit | undefined;
  }): Promise<CommandResponse> {
    const { method, params, source, timeoutMs, permit } = command;
    return this.#pending.open(timeoutMs, (id) => {
      if (permit !== undefined) this.#remember(id, permit);
      this.send({ type: "execute", id, method, params, ...(source === undefined ? {} : { source }) });
    });
  }

  receive(frame: ClientFrame): void {
    switch (frame.type) {
      case "result":
        this.#permits.delete(frame.id);
        if (this.#unsaved === undefined) this.#pending.answer(frame.id, { value: frame.value, hit: frame.hit ?? {} });
        else this.#pending.fail(frame.id, this.#unsaved);
        this.#unsaved = undefined;
        break;
      case "failed":
        this.#permits.delete(frame.id);
        this.#pending.fail(frame.id, errorOf(frame.error));
        break;
      case "delegate":
        this.#finish(frame);
        break;
      case "ask":
        this.#acted();
        this.#ask(frame);
        break;
      case "state":
        this.#acted();
        this.#unsaved = this.#save(frame);
        break;
      case "listen":
        this.#listen(frame);
        break;
      case "acknowledge":
        this.#listening.get(frame.shell)?.acknowledge(frame.bytes);
        break;
      case "unlisten":
        this.#unlisten(frame.shell);
        break;
      case "hello":
        this.close("a second hello");
        break;
      default:
        unreachable(frame);
    }
  }

  close(reason: string): void {
    this.#options.link.close(reason);
  }

  /** The link is down: what was waiting for this client will not come. */
  closed(): void {
    for (const shell of [...this.#listening.keys()]) this.#unlisten(shell);
    this.#pending.failAll();
    this.#permits.clear();
  }

  #acted(): void {
    this.lastActive = Date.now();
    if (this.lastActive - this.#toldActive < TELL_ACTIVE_EVERY_MS) return;
    this.#toldActive = this.lastActive;
    this.#options.onActive();
  }

  #remember(id: number, permit: Permit): void {
    this.#permits.set(id, permit);
    const [oldest] = this.#permits.keys();
    if (this.#permits.size <= MOST_PERMITS || oldest === undefined) return;
    this.#permits.delete(oldest);
    this.#endedUpTo = oldest;
  }

  /** The permit of the caller of a command. Throws `limit_reached` where it was given up: it must not be done without. */
  #permitOf(command: number | undefined): Permit | undefined {
    if (command === undefined) return undefined;
    const permit = this.#permits.get(command);
    if (permit !== undefined || command > this.#endedUpTo) return permit;
    throw new RemoteError("limit_reached", "Too many commands are open in this client: this one counts as ended.");
  }

  #save(frame: ClientFrame & { type: "state" }): RemoteError | undefined {
    try {
      this.#options.onState(frame);
      return undefined;
    } catch (error) {
      const { code, message } = remoteErrorOf(error);
      return new RemoteError(code, `It was done, but the layout could not be saved. ${message}`, { cause: error });
    }
  }

  /** The client did its part of the command; the relay does the rest, whether the client stays or not. */
  #finish({ id, op, params, hit = {} }: ClientFrame & { type: "delegate" }): void {
    const pending = this.#pending.takeOver(id);
    if (pending === undefined) {
      this.#permits.delete(id);
      return;
    }
    const withinMs = Math.max(1, pending.deadline - performance.now());
    const done = this.#operateFor(id, op, params, { withinMs });
    this.#permits.delete(id);
    done.then(
      (value) => pending.resolve({ value, hit, op }),
      (error: unknown) => pending.reject(remoteErrorOf(error)),
    );
  }

  #ask({ id, op, params, for: command }: ClientFrame & { type: "ask" }): void {
    const leftMs = command === undefined ? undefined : this.#pending.remainingMs(command);
    // The refusal goes to the client and comes back as its answer, which must be there before the command's own deadline.
    const limit = leftMs === undefined ? {} : { withinMs: leftMs * ASK_SHARE };
    const { operateOwn } = this.#options;
    const done =
      command === undefined ? operateOwn(this.record, op, params) : this.#operateFor(command, op, params, limit);
    done.then(
      (value) => this.send({ type: "answer", id, value }),
      (error: unknown) => {
        const { code, message } = remoteErrorOf(error);
        this.send({ type: "refused", id, error: { code, message } });
      },
    );
  }

  /** `command` is the one that the operation is part of, whose caller may be allowed less than the client. */
  async #operateFor(command: number | undefined, op: RelayOp, params: unknown, limit: CallLimit): Promise<unknown> {
    return this.#options.operate(this.record, op, params, { permit: this.#permitOf(command), ...limit });
  }

  #listen({ shell, from, window }: ClientFrame & { type: "listen" }): void {
    this.#unlisten(shell);
    const { host } = this.#options.shells;
    if (!host.has(shell)) return;
    const { link } = this.#options;
    const subscription = host.subscribe(shell, {
      from: from ?? 0,
      window,
      deliver(frame) {
        if (frame.kind === "output") link.send({ type: "bytes", shell, offset: frame.offset, bytes: frame.bytes });
        else if (frame.kind === "snapshot") {
          const { missed: bytes, snapshot, offset } = frame;
          link.send({ type: "missed", shell, bytes, snapshot, offset });
          // A snapshot replaces what came before it, so it does not fill the window.
          subscription.acknowledge(Buffer.byteLength(snapshot));
        }
      },
    });
    this.#listening.set(shell, subscription);
  }

  #unlisten(shell: ShellId): void {
    this.#listening.get(shell)?.stop();
    this.#listening.delete(shell);
  }
}

function errorOf({ code, message }: { code: string; message: string }): RemoteError {
  return new RemoteError(isErrorCode(code) ? code : "client_failed", message);
}

function remoteErrorOf(error: unknown): RemoteError {
  if (error instanceof RemoteError) return error;
  return new RemoteError("internal", "The relay failed to do this; its log says why.", { cause: error });
}
