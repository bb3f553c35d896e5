import { readsOnly } from "../../../core/commands/command.ts";
import type { OperationName, OperationParams, OperationResult } from "../../../core/operations/index.ts";
import { type OperationSpec, pathParams, splitParams } from "../../../core/operations/operation.ts";
import { mayWait, onlyReads, operationOf, type Procedure, procedureOf } from "../../../core/procedures/index.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { ClientId } from "../../../core/protocol/ids.ts";
import { isRecord } from "../../../core/protocol/json-value.ts";
import type { CallSuccess, Outcome } from "../../../core/protocol/outcome.ts";
import { parseParams } from "../../../core/protocol/parse-params.ts";
import type { Caller } from "../access/permits/caller.ts";
import { checkAccess, checkCredential } from "../access/permits/check-call.ts";
import { accountOf, checkOwner, type Permit, type PermitOf, speaksForOwner } from "../access/permits/permit.ts";
import type { Audit } from "../audit/audit.ts";
import { recordCall } from "../audit/record-call.ts";
import type { MetricsRecorder } from "../metrics/metrics-recorder.ts";
import type { Session } from "../session/session.ts";
import type { Sessions } from "../session/sessions.ts";
import { type Ended, noTracing, type Traced, type Tracing } from "../telemetry/tracing.ts";
import { lifetimeOfCall, unlessEnded } from "./call-lifetime.ts";
import { hidingSecrets } from "./hide-answer.ts";
import type { Idempotency } from "./idempotency.ts";
import { routeCommand } from "./route-command.ts";
import { routeToAll } from "./route-to-all.ts";
import { unknownMethod } from "./unknown-method.ts";
import { wasExecuted } from "./was-executed.ts";

export interface HandlerContext {
  /** Without a permit also for operations that check none. */
  readonly caller: Caller;
  /** The session that the parameters name. @throws Error for an operation that names none */
  readonly session: Session;
  /** Aborted when the caller no longer waits for the result. */
  readonly signal: AbortSignal;
}

type Handler<N extends OperationName> = (
  params: OperationParams<N>,
  context: HandlerContext,
) => OperationResult<N> | Promise<OperationResult<N>>;

/** The handlers of some operations; an area's own are `Handlers<keyof typeof inviteOperations>`. */
export type Handlers<N extends OperationName = OperationName> = { readonly [K in N]: Handler<K> };

interface CallsOptions<Known extends OperationName> {
  readonly handlers: Handlers<Known>;
  readonly sessions: Pick<Sessions, "get">;
  readonly permitOf: PermitOf;
  readonly audit: Audit;
  readonly metrics: MetricsRecorder;
  readonly tracing?: Tracing;
  /** The operating-system user that runs the relay. */
  readonly owner: string;
  /** Absent where no call has a key. */
  readonly idempotency?: Idempotency<Outcome>;
}

interface RunOptions {
  /** Returns what is aborted when the caller is gone; absent for a caller that stays. */
  readonly gone?: (() => AbortSignal) | undefined;
  /** Reads further parameters, once the caller may call at all; those that are given stand in the path then. */
  readonly rest?: {
    readonly read: () => unknown;
    /** What errors call them: `body` or `query`. */
    readonly at: string;
  };
}

export interface CallOptions extends Pick<RunOptions, "gone"> {
  /** Id of the session that a command is for, and an operation that names none. */
  readonly session?: string | undefined;
  /** The client that executes a command; `all` for every client of the caller's own user. */
  readonly client?: number | "all" | undefined;
  /** The shell that the call comes from; default: the shell whose token the caller has. */
  readonly source?: number | undefined;
  /** How long a command may take in milliseconds. */
  readonly timeoutMs?: number | undefined;
  /** How the caller names a client; default: as in a request's body. */
  readonly chooseBy?: string | undefined;
  /**
   * Repetitions with the same key, by the same caller, are executed once; they must have the same body. The call goes on when
   * the caller is gone, who may come back for the answer.
   */
  readonly idempotency?: { readonly key: string; readonly body: unknown } | undefined;
}

/** A call as it is recorded. */
interface Tried {
  readonly name: string;
  readonly procedure: Procedure | undefined;
  /** Those that were read; those that were given, as long as none were. */
  params: object;
  readonly session: string | undefined;
}

/**
 * Executes whatever callers ask for by name. Every entry point (HTTP, the fleet, the panel, the command line) comes
 * through here, so that each call passes the same check of permission and ownership, the same validation, the audit log
 * and the metrics.
 */
export class Calls<Known extends OperationName = OperationName> {
  readonly #options: CallsOptions<Known>;

  constructor(options: CallsOptions<Known>) {
    this.#options = options;
  }

  /** Executes the procedure of a name. Resolves to its outcome, refusals among them; rejects for a defect only. */
  async call(caller: Caller, name: string, given: object, options: CallOptions = {}): Promise<Outcome> {
    const procedure = procedureOf(name);
    const params = procedure?.kind === "operation" ? inSession(procedure.spec, given, options.session) : given;
    const session = procedure?.kind === "operation" ? undefined : options.session;
    const tried: Tried = { name, procedure, params, session };
    const { idempotency } = options;
    return this.#recorded(caller, tried, async () => {
      const run = () => settled((onChosen) => this.#execute(caller, tried, options, onChosen));
      return idempotency === undefined
        ? run()
        : this.#once(caller, options.session, procedure, { ...idempotency, run });
    });
  }

  /** Executes a call that has a key, or answers it as its first one was answered. */
  async #once(
    caller: Caller,
    session: string | undefined,
    procedure: Procedure | undefined,
    call: { readonly key: string; readonly body: unknown; run(): Promise<Outcome> },
  ): Promise<Outcome> {
    if (this.#options.idempotency === undefined) return call.run();
    const { answer, replayed } = await this.#options.idempotency.once({
      owner: `${ownerOf(caller)}\n${session}`,
      ...call,
      counts: (outcome) => wasExecuted(procedure, outcome),
      keeps: procedure?.kind !== "operation" || procedure.spec.hasSecret !== true,
    });
    return replayed ? { ...answer, replayed } : answer;
  }

  /**
   * Executes an operation that the caller's program knows.
   *
   * @throws RemoteError `scope_forbids`, `unknown_session`, `not_owner`, `invalid_params`, or what the handler refuses with
   */
  async run<N extends Known>(
    caller: Caller,
    name: N,
    params: object,
    options: RunOptions = {},
  ): Promise<OperationResult<N>> {
    const tried: Tried = { name, procedure: operationOf(name), params, session: undefined };
    const outcome = await this.#recorded(caller, tried, () =>
      settled(async () => resultOnly(await this.#operate(caller, name, tried, options))),
    );
    if ("error" in outcome) throw outcome.error;
    return outcome.value;
  }

  /**
   * Executes an operation as `run` does, but once for each key of its caller, who may be gone and come back. All of its parameters
   * are read first, which must be the same at each repetition.
   */
  async runOnce(
    caller: Caller,
    name: Known,
    params: object,
    { key, rest }: Required<Pick<RunOptions, "rest">> & { readonly key: string },
  ): Promise<CallSuccess> {
    const tried: Tried = { name, procedure: operationOf(name), params, session: undefined };
    const outcome = await this.#recorded(caller, tried, async () => {
      const others = await rest.read();
      const options = { rest: { ...rest, read: () => others } };
      const run = () => settled(async () => resultOnly(await this.#operate(caller, name, tried, options)));
      const session = "session" in params ? String(params.session) : undefined;
      return this.#once(caller, session, tried.procedure, { key, body: { name, params, others }, run });
    });
    if ("error" in outcome) throw outcome.error;
    return outcome;
  }

  /** Resolves to whether a caller may call an operation at all: neither executes nor records anything. */
  async mayCall(caller: Caller, name: Known, params: object): Promise<boolean> {
    const admitted = await this.#admit(name, caller, params).catch(refusalOf);
    return !("error" in admitted);
  }

  /** Runs a call as a span, and records what becomes of it. The first execution of a repeated call has the entry. */
  #recorded<T>(caller: Caller, tried: Tried, run: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
    const { tracing = noTracing } = this.#options;
    const work = async (endSpan: (ended: Ended) => void) => {
      const startedAt = performance.now();
      let outcome: Outcome<T> | undefined;
      try {
        outcome = await run().catch(refusalOf);
        return outcome;
      } finally {
        const durationMs = performance.now() - startedAt;
        const code = outcome === undefined ? "internal" : "error" in outcome ? outcome.error.code : "ok";
        endSpan({ error: code === "ok" ? undefined : code });
        if (outcome?.replayed !== true) {
          this.#record(caller, tried, { outcome: code, client: outcome?.client ?? null, durationMs });
        }
      }
    };
    return tracing.span(() => callSpan(tried), work);
  }

  #record(
    caller: Caller,
    tried: Tried,
    ended: { readonly outcome: string; readonly client: ClientId | null; readonly durationMs: number },
  ): void {
    const { metrics, audit } = this.#options;
    const { procedure, name, params, session = sessionNamed(params) } = tried;
    const { outcome, durationMs } = ended;
    if (procedure?.kind === "operation") metrics.operation(name, outcome, durationMs / 1000);
    else metrics.command(procedure === undefined ? "unknown" : name, outcome, durationMs / 1000);
    if (procedure !== undefined && onlyReads(procedure)) return;
    // Each refusal is an entry.
    const isFrequent = procedure?.kind === "operation" && procedure.spec.frequent === true && outcome === "ok";
    recordCall(audit, caller, { name, spec: procedure?.spec, params, session, ...ended, isFrequent });
  }

  #execute(
    caller: Caller,
    tried: Tried,
    options: CallOptions,
    onChosen: (client: ClientId) => void,
  ): Promise<CallSuccess> {
    const { procedure, name } = tried;
    if (procedure === undefined) return unknownMethod(name);
    if (procedure.kind === "command") return this.#command(caller, procedure, tried, { ...options, onChosen });
    if (!this.#handles(procedure.name)) return unknownMethod(name);
    if (options.client !== undefined) {
      throw new RemoteError("invalid_request", `The relay itself executes ${name}: it cannot be aimed at a client.`);
    }
    const gone = options.idempotency === undefined ? options.gone : undefined;
    return this.#operate(caller, procedure.name, tried, { gone }).then(resultOnly);
  }

  async #command(
    caller: Caller,
    procedure: Procedure & { kind: "command" },
    tried: Tried,
    { onChosen, ...options }: CallOptions & { readonly onChosen: (client: ClientId) => void },
  ): Promise<CallSuccess> {
    const { name: method, spec } = procedure;
    const { params } = tried;
    const { principal } = caller;
    checkCredential(principal, method, spec);
    const session = this.#options.sessions.get(options.session ?? "");
    checkOwner(principal, session);
    const permit = await this.#options.permitOf(principal, { reads: spec.role === "reader" && readsOnly(spec) });
    const { client, source = principal.shell, timeoutMs, chooseBy, gone, idempotency } = options;
    const isLeft = idempotency === undefined && mayWait(procedure, params);
    const { lifetime, release } = lifetimeOfCall(caller, isLeft ? gone?.() : undefined);
    const onRead = (read: object) => {
      tried.params = read;
    };
    const routed = { method, params, source, timeoutMs, chooseBy, onRead, caller: { ...caller, permit, lifetime } };
    try {
      return await hidingSecrets(permit, () =>
        client === "all"
          ? routeToAll(session, routed, onChosen)
          : routeCommand(session, { ...routed, target: client }, onChosen),
      );
    } finally {
      release();
    }
  }

  async #operate<N extends Known>(
    caller: Caller,
    name: N,
    tried: Tried,
    { rest, gone }: RunOptions,
  ): Promise<OperationResult<N>> {
    const given = tried.params;
    const { session, permit } = await this.#admit(name, caller, given);
    let params: object;
    if (rest === undefined) params = parseParams(specOf(name).params, given);
    else {
      const others = await rest.read();
      tried.params = { ...given, ...(isRecord(others) ? others : {}) };
      const split = splitParamsOf(name);
      params = { ...parseParams(split.inPath, given, "path"), ...parseParams(split.others, others, rest.at) };
    }
    tried.params = params;
    const context: HandlerContext = {
      caller: { ...caller, permit },
      get signal() {
        return gone?.() ?? NEVER_ABORTED;
      },
      get session() {
        if (session === undefined) throw new Error(`${name} names no session`);
        return session;
      },
    };
    const handle: Handler<N> = this.#options.handlers[name];
    const result = hidingSecrets(permit, () => handle(params as OperationParams<N>, context));
    // What was changed is answered for, also where it has ended the caller's own key.
    return specOf(name).effect === "read" ? await unlessEnded(caller.lifetime, result) : await result;
  }

  /** Checks what needs no parameters but those of the path: the caller's rights, the session, its owner. */
  async #admit(
    name: OperationName,
    { principal }: Caller,
    params: object,
  ): Promise<{ readonly session: Session | undefined; readonly permit: Permit | undefined }> {
    const spec = specOf(name);
    const { access, bearer, owner, closedToAgents, http } = spec;
    checkCredential(principal, name, spec);
    const isChecked = bearer === undefined && access !== "anyone";
    const reads = access === "read" || access === "shell";
    const permit = isChecked ? await this.#options.permitOf(principal, { reads }) : undefined;
    if (permit !== undefined) checkAccess(permit, name, { access, closedToAgents });
    if (owner === "relay" && principal.user !== this.#options.owner) {
      throw new RemoteError("not_owner", "Only the relay's owner may do this.");
    }
    if (owner === "relay" && !speaksForOwner(principal)) {
      throw new RemoteError(
        "scope_forbids",
        `${name} is for the owner of the relay, and the person whose shell this is has fewer rights.`,
      );
    }
    if (!isInSession(http.path) || !("session" in params)) return { session: undefined, permit };
    const session = this.#options.sessions.get(String(params.session));
    checkOwner(principal, session);
    return { session, permit };
  }

  #handles(name: OperationName): name is Known {
    return Object.hasOwn(this.#options.handlers, name);
  }
}

function callSpan({ name, procedure }: Tried): Traced {
  const attributes = { "patchbay.procedure.kind": procedure?.kind ?? "unknown" };
  return { name: procedure === undefined ? "unknown" : name, kind: "internal", attributes };
}

/** For callers in this process, which stay. */
const NEVER_ABORTED = new AbortController().signal;

function specOf(name: OperationName): OperationSpec {
  return operationOf(name).spec;
}

const splits = new Map<OperationName, ReturnType<typeof splitParams>>();

/** Splits an operation's parameters once: schemas are slow to make. */
function splitParamsOf(name: OperationName): ReturnType<typeof splitParams> {
  let split = splits.get(name);
  if (split === undefined) {
    split = splitParams(specOf(name));
    splits.set(name, split);
  }
  return split;
}

function isInSession(path: string): boolean {
  return pathParams(path).includes("session");
}

/** Returns the id of the session that parameters name; null for none, and for a number, such as the budget of a session. */
function sessionNamed(params: object): string | null {
  return "session" in params && typeof params.session === "string" ? params.session : null;
}

/** Returns the parameters of an operation with the session that the call is for. @throws RemoteError if they name another */
function inSession({ http }: OperationSpec, params: object, session: string | undefined): object {
  if (session === undefined || !isInSession(http.path)) return params;
  const { session: named = session } = { session: undefined, ...params };
  if (named === session) return { ...params, session };
  throw new RemoteError("invalid_params", "params.session: expected the session of the request's path, or none.");
}

/** Runs a call, with the client that it chose also where it was refused. */
async function settled<T>(run: (onChosen: (client: ClientId) => void) => Promise<CallSuccess<T>>): Promise<Outcome<T>> {
  let client: ClientId | undefined;
  const onChosen = (chosen: ClientId) => {
    client = chosen;
  };
  try {
    return await run(onChosen);
  } catch (error) {
    return { ...refusalOf(error), client };
  }
}

/** Returns the outcome of what a RemoteError refused; throws anything else. */
function refusalOf(error: unknown): { readonly error: RemoteError; readonly client: undefined } {
  if (error instanceof RemoteError) return { error, client: undefined };
  throw error;
}

function resultOnly<T>(value: T): CallSuccess<T> {
  return { value, client: undefined, hit: {} };
}

/** Separates the stored answers of callers with different rights. */
function ownerOf({ principal }: Caller): string {
  return `${principal.user}\n${accountOf(principal)}`;
}
