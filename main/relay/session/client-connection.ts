import { askSpec } from "../../../core/commands/asked.ts";
import { isErrorCode, RemoteError, unreachable, withTarget } from "../../../core/protocol/errors.ts";
import { isForGuests, ShownBy } from "../../../core/protocol/events.ts";
import type { ClientFrame, RelayFrame } from "../../../core/protocol/frames.ts";
import type { ClientId, CommandTarget, ShellId, TileKey } from "../../../core/protocol/ids.ts";
import { Lifetime } from "../../../core/protocol/lifetime.ts";
import type { RelayLink } from "../../../core/protocol/link.ts";
import type { TokenBucket } from "../../../core/protocol/rate-limits.ts";
import { type ClientRecord, Role } from "../../../core/protocol/records.ts";
import { reportedBy } from "../../../core/protocol/relay-ops.ts";
import { roleForbids } from "../../../core/protocol/roles.ts";
import type { Caller } from "../access/permits/caller.ts";
import type { Permit } from "../access/permits/permit.ts";
import type { Audit } from "../audit/audit.ts";
import { recordCall } from "../audit/record-call.ts";
import { ClientOutput } from "./client-output.ts";
import type { RunOperation } from "./operations.ts";
import { type CommandResponse, endWith, PendingRequests } from "./pending-requests.ts";
import type { Subscriber } from "./session-state.ts";
import type { SessionShells } from "./shells.ts";
import type { TerminalAnswers } from "./terminal-answers.ts";

interface ClientConnectionOptions {
  readonly link: RelayLink;
  readonly record: ClientRecord;
  /** Id of the guest whose client it is; undefined for the session's owner. */
  readonly guest: string | undefined;
  /** What it authenticated with; several clients may share it. */
  readonly credential: string;
  readonly shells: SessionShells;
  readonly answers: TerminalAnswers;
  readonly operate: RunOperation;
  readonly audit: Audit;
  /** Id of the session. */
  readonly session: string;
  /** How often the layouts of its credential are taken. */
  readonly layouts: TokenBucket;
  /** The client itself, for what it does on its own account. */
  readonly caller: Caller;
  /** Called when the client acts on its own account, at most every few seconds. */
  readonly onActive: () => void;
  readonly onState: (state: { focus: TileKey | null; workspace: number; saved: unknown }) => void;
}

type AskFrame = ClientFrame & { type: "ask" };
type StateFrame = ClientFrame & { type: "state" };

/** Shortest interval between two activity updates to other clients. */
const ACTIVITY_INTERVAL_MS = 5_000;

/**
 * How often the layout of a client without the owner's rights is taken: each time writes to the disk and is an event, of which
 * a limited number is kept for all. Beyond it the newest is taken.
 */
export const LAYOUTS = { capacity: 50, perSecond: 10 } as const;

/** Open commands per client. Beyond this number the oldest count as ended. */
const MOST_COMMANDS = 1_000;

/** Share of a command's remaining time that a request of its client may use. */
const ASK_SHARE = 0.95;

/** What is kept of a command until its client has answered it. */
interface OpenCommand {
  readonly method: string;
  readonly params: unknown;
  /** Whose permit limits what the client may do for the command. */
  readonly caller: Caller;
}

/** A welcomed client: sends it commands, runs the operations that it requests, and streams the output that it subscribes to. */
export class ClientConnection implements Subscriber {
  record: ClientRecord;
  /** Time of its last own action, for the choice among several clients. */
  lastActive = Date.now();
  #publishedActivity = this.lastActive;
  readonly #options: ClientConnectionOptions;
  readonly #pending: PendingRequests;
  readonly #output: ClientOutput;
  /** Set if its latest state could not be saved: the command that changed it then fails. */
  #unsaved: RemoteError | undefined;
  /** The newest state that was not taken yet. */
  #late: { frame: StateFrame; readonly timer: NodeJS.Timeout } | undefined;
  /** The commands that the client executes. */
  readonly #commands = new Map<number, OpenCommand>();
  /** The newest command that was dropped: operations for commands up to it are refused. */
  #endedUpTo = -1;
  /** What the client has requested, by the role that it needs: ends when the client disconnects or loses that role. */
  readonly #requests: Record<Role, Lifetime> = {
    reader: new Lifetime(),
    writer: new Lifetime(),
    admin: new Lifetime(),
  };

  constructor(options: ClientConnectionOptions) {
    this.#options = options;
    this.record = options.record;
    this.#pending = new PendingRequests(`Client ${options.record.id} (${options.record.device})`);
    const { link, answers } = options;
    this.#output = new ClientOutput({ link, answers, client: this.id, host: options.shells.host });
  }

  get id(): ClientId {
    return this.record.id;
  }

  /** Whether it joined by an invite, and is not a client of the session's owner. */
  get isGuest(): boolean {
    return this.guest !== undefined;
  }

  get guest(): string | undefined {
    return this.#options.guest;
  }

  get credential(): string {
    return this.#options.credential;
  }

  send(frame: RelayFrame): void {
    if (frame.type === "event" && this.guest !== undefined && !isForGuests(frame.event)) return;
    this.#options.link.send(frame);
  }

  /**
   * Sends a command to the client. Rejects if it refuses, does not answer in time, or disconnects, and when the
   * credential of the caller ends.
   */
  execute({
    source,
    timeoutMs,
    ...command
  }: OpenCommand & { source?: ShellId | undefined; timeoutMs: number }): Promise<CommandResponse> {
    const { method, params, caller } = command;
    const send = (id: number) => {
      this.#remember(id, command);
      const keepFocus = caller.permit?.ownership !== undefined && ({ keepFocus: true } as const);
      this.send({ type: "execute", id, method, params, ...(source === undefined ? {} : { source }), ...keepFocus });
    };
    return this.#pending.open(timeoutMs, send, caller.lifetime);
  }

  receive(frame: ClientFrame): void {
    switch (frame.type) {
      case "result":
        this.#commands.delete(frame.id);
        if (this.#unsaved === undefined) this.#pending.resolve(frame.id, { value: frame.value, hit: frame.hit ?? {} });
        else this.#pending.fail(frame.id, this.#unsaved);
        this.#unsaved = undefined;
        break;
      case "failed":
        this.#commands.delete(frame.id);
        this.#pending.fail(frame.id, errorOf(frame.error, frame.hit));
        break;
      case "delegate":
        this.#delegate(frame);
        break;
      case "ask":
        this.#recordActivity();
        this.#ask(frame);
        break;
      case "state":
        this.#recordActivity();
        this.#takeState(frame);
        break;
      case "listen":
        this.#output.listen(frame);
        break;
      case "acknowledge":
        this.#output.acknowledge(frame.shell, frame.bytes);
        break;
      case "unlisten":
        this.#output.unlisten(frame.shell);
        break;
      case "hello":
        this.close("a second hello");
        break;
      default:
        unreachable(frame);
    }
  }

  /** Whether it shows a shell in a terminal whose answers to programs are taken. */
  answersFor(shell: ShellId): boolean {
    return this.#output.has(shell) && !roleForbids("writer", this.record.role);
  }

  /** Gives the client another role, and ends what it has requested that needs a higher one. */
  setRole(role: Role): void {
    this.record = { ...this.record, role };
    for (const needed of Role.options) {
      if (!roleForbids(needed, role)) continue;
      this.#requests[needed].end(new RemoteError("role_forbids", `The role of this client was changed to ${role}.`));
      this.#requests[needed] = new Lifetime();
    }
  }

  close(reason: string): void {
    this.#options.link.close(reason);
  }

  /** Ends subscriptions and pending commands after the link has closed. */
  closed(): void {
    this.#takeLate();
    this.#output[Symbol.dispose]();
    this.#pending.failAll();
    this.#commands.clear();
    const gone = new RemoteError("client_gone", "The client has disconnected.");
    for (const lifetime of Object.values(this.#requests)) lifetime.end(gone);
  }

  #recordActivity(): void {
    this.lastActive = Date.now();
    if (this.lastActive - this.#publishedActivity < ACTIVITY_INTERVAL_MS) return;
    this.#publishedActivity = this.lastActive;
    this.#options.onActive();
  }

  #remember(id: number, command: OpenCommand): void {
    // A command does not fail for what the user or an earlier command has changed.
    if (this.#commands.size === 0) this.#unsaved = undefined;
    this.#commands.set(id, command);
    const [oldest] = this.#commands.keys();
    if (this.#commands.size <= MOST_COMMANDS || oldest === undefined) return;
    this.#commands.delete(oldest);
    this.#endedUpTo = oldest;
  }

  /**
   * Returns the permit of a command's caller. Throws `unauthenticated` if the credential of the caller has ended, and
   * `limit_reached` if the command was dropped.
   */
  #permitOf(command: number | undefined): Permit | undefined {
    if (command === undefined) return undefined;
    const open = this.#commands.get(command);
    if (open?.caller.lifetime?.ended !== undefined) throw open.caller.lifetime.ended;
    if (open !== undefined || command > this.#endedUpTo) return open?.caller.permit;
    throw new RemoteError("limit_reached", "Too many commands are open in this client: this one counts as ended.");
  }

  #takeState(frame: StateFrame): void {
    const { guest, caller, layouts } = this.#options;
    const isLimited = guest !== undefined || caller.permit !== undefined;
    if (this.#late !== undefined) {
      this.#late.frame = frame;
      return;
    }
    const waitMs = isLimited ? layouts.spend(1) : 0;
    if (waitMs === 0) this.#unsaved = this.#save(frame);
    else this.#late = { frame, timer: setTimeout(() => this.#takeLate(), waitMs).unref() };
  }

  #takeLate(): void {
    const late = this.#late;
    if (late === undefined) return;
    clearTimeout(late.timer);
    this.#late = undefined;
    this.#save(late.frame);
  }

  #save(frame: StateFrame): RemoteError | undefined {
    try {
      this.#options.onState(frame);
      return undefined;
    } catch (error) {
      const { code, message } = remoteErrorOf(error);
      return new RemoteError(code, `The command succeeded, but saving the layout failed. ${message}`, { cause: error });
    }
  }

  /** Completes a command as clients of Patchbay 0.1 request it, which leave the answer to the relay. */
  #delegate({ id, op, params, hit = {} }: ClientFrame & { type: "delegate" }): void {
    if (this.#pending.remainingMs(id) !== undefined) {
      this.#operate({ op, params, for: id }).then(
        (value) => this.#pending.resolve(id, { value, hit }),
        (error: unknown) => this.#pending.fail(id, remoteErrorOf(withTarget(error, hit))),
      );
    }
    this.#commands.delete(id);
  }

  #ask({ id, ...asked }: AskFrame): void {
    this.#operate(asked).then(
      (value) => this.send({ type: "answer", id, value }),
      (error: unknown) => {
        const { code, message } = remoteErrorOf(error);
        this.send({ type: "refused", id, error: { code, message } });
      },
    );
  }

  /**
   * Runs an operation on the client's own account, or as part of a command, whose caller may have fewer rights than the
   * client, also if that command has ended.
   */
  #operate({ op, params, for: command, by }: Pick<AskFrame, "op" | "params" | "for" | "by">): Promise<unknown> {
    const leftMs = command === undefined ? undefined : this.#pending.remainingMs(command);
    // A refusal reaches the caller through the client, and must arrive before the command's own deadline.
    const lifetime = this.#requests[askSpec(op)?.role ?? "reader"];
    const { caller: own, operate } = this.#options;
    // A client may name a command that is not open, which lends it nothing.
    const open = command === undefined ? undefined : this.#commands.get(command);
    const isPerson = command === undefined && by === undefined && !own.isAutomated;
    const run = async () => {
      const permit = this.#permitOf(command);
      const caller = { ...(open?.caller ?? own), account: own.account, lifetime, isPerson, permit };
      // A client may name any command: only one that is pending has an audit entry of its own.
      if (leftMs === undefined) return this.#recorded(op, params, caller);
      const report = reportOf(op, params, open);
      const limit = { withinMs: leftMs * ASK_SHARE, isReport: report !== undefined };
      return operate(this.record, op, report ?? params, caller, limit);
    };
    return endWith(run(), lifetime);
  }

  /** Runs an operation on the client's own account, and records it if it changes something. */
  async #recorded(op: string, given: unknown, caller: Caller): Promise<unknown> {
    const { operate, audit, session } = this.#options;
    const spec = askSpec(op);
    const startedAt = performance.now();
    let outcome = "ok";
    try {
      return await operate(this.record, op, given, caller);
    } catch (error) {
      outcome = remoteErrorOf(error).code;
      throw error;
    } finally {
      const params = typeof given === "object" && given !== null ? given : {};
      const durationMs = performance.now() - startedAt;
      const call = { name: op, spec, params, session, outcome, client: this.id, durationMs };
      if (spec?.touches !== undefined) {
        recordCall(audit, this.#options.caller, { ...call, isFrequent: spec.frequent === true });
      }
    }
  }
}

/** Returns what a client may report of the command that it was sent: the command's own words, and how they were shown. */
function reportOf(op: string, params: unknown, command: OpenCommand | undefined): object | undefined {
  if (command === undefined || reportedBy(op) !== command.method) return undefined;
  const by = typeof params === "object" && params !== null && "by" in params ? { by: params.by } : {};
  if (!ShownBy.optional().safeParse(by.by).success) {
    throw new RemoteError(
      "client_failed",
      `The client answered ${command.method} with something else than how it showed it; reload it, or choose another client.`,
    );
  }
  return { ...(typeof command.params === "object" ? command.params : {}), ...by };
}

function errorOf({ code, message }: { code: string; message: string }, hit: CommandTarget | undefined): RemoteError {
  return new RemoteError(isErrorCode(code) ? code : "client_failed", message, { hit });
}

export function remoteErrorOf(error: unknown): RemoteError {
  if (error instanceof RemoteError) return error;
  return new RemoteError("internal", "The relay failed to do this; its log says why.", { cause: error });
}
