import {
  type OperationName,
  type OperationParams,
  type OperationResult,
  operations,
} from "../../../core/operations/index.ts";
import { type OperationSpec, pathParams, splitParams } from "../../../core/operations/operation.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import { parseParams } from "../../../core/protocol/parse-params.ts";
import type { Caller } from "../access/permits/caller.ts";
import { automationForbids, checkAccess } from "../access/permits/check-call.ts";
import { checkOwner, type Permit, type PermitOf } from "../access/permits/permit.ts";
import type { Audit } from "../audit/audit.ts";
import { auditIdentity, maskedValues } from "../audit/audit-fields.ts";
import type { MetricsRecorder } from "../metrics/metrics-recorder.ts";
import type { Session } from "../session/session.ts";
import type { Sessions } from "../session/sessions.ts";

/** Parameters as an entry point got them. */
export interface OperationCall {
  /** Those of the operation's HTTP path. */
  readonly path: Readonly<Record<string, unknown>>;
  /** Reads the others, once the caller may call the operation at all. */
  readonly rest: () => unknown;
  /** What errors call the others: `body`, `query` or `params`. */
  readonly at: string;
  /** Aborted when the caller is gone; absent for a caller that stays. */
  readonly signal?: AbortSignal;
}

export interface HandlerContext {
  /** Without a permit also for operations that check none. */
  readonly caller: Caller;
  /** The session that the parameters name. @throws Error for an operation that names none */
  readonly session: Session;
  /** Aborted when the caller no longer waits for the result. */
  readonly signal: AbortSignal;
}

/** For callers in this process, which stay. */
const NEVER_ABORTED = new AbortController().signal;

export type Handler<N extends OperationName> = (
  params: OperationParams<N>,
  context: HandlerContext,
) => OperationResult<N> | Promise<OperationResult<N>>;

/** The handlers of some operations; an area's own are `Handlers<keyof typeof inviteOperations>`. */
export type Handlers<N extends OperationName = OperationName> = { readonly [K in N]: Handler<K> };

interface OperationsOptions<Known extends OperationName> {
  readonly handlers: Handlers<Known>;
  readonly sessions: Pick<Sessions, "get">;
  readonly permitOf: PermitOf;
  readonly audit: Audit;
  readonly metrics: MetricsRecorder;
  /** The operating-system user that runs the relay. */
  readonly owner: string;
}

/**
 * Executes operations. Every entry point (HTTP, the panel, the command line's local commands) comes through here, so
 * that each passes the same check of permission and ownership, the same validation, the audit log and the metrics.
 */
export class Operations<Known extends OperationName = OperationName> {
  readonly #options: OperationsOptions<Known>;

  constructor(options: OperationsOptions<Known>) {
    this.#options = options;
  }

  /**
   * Executes an operation for a caller in this process.
   *
   * @throws RemoteError as `call` does
   */
  run<N extends Known>(name: N, params: object, caller: Caller): Promise<OperationResult<N>> {
    const inPath = pathParams(specOf(name).http.path);
    const entries = Object.entries(params);
    return this.call(name, caller, {
      path: Object.fromEntries(entries.filter(([key]) => inPath.includes(key))),
      rest: () => Object.fromEntries(entries.filter(([key]) => !inPath.includes(key))),
      at: "params",
    });
  }

  /**
   * Executes an operation.
   *
   * @throws RemoteError `scope_forbids`, `unknown_session`, `not_owner`, `invalid_params`, or what the handler refuses with
   */
  async call<N extends Known>(name: N, caller: Caller, call: OperationCall): Promise<OperationResult<N>> {
    const startedAt = performance.now();
    const given: { params: object } = { params: call.path };
    let outcome = "ok";
    try {
      return await this.#execute(name, caller, call, given);
    } catch (error) {
      outcome = error instanceof RemoteError ? error.code : "internal";
      throw error;
    } finally {
      const durationMs = performance.now() - startedAt;
      this.#options.metrics.operation(name, outcome, durationMs / 1000);
      if (specOf(name).effect === "change") this.#audit(name, caller, { ...given, outcome, durationMs });
    }
  }

  async #execute<N extends Known>(
    name: N,
    caller: Caller,
    { path, rest, at, signal = NEVER_ABORTED }: OperationCall,
    given: { params: object },
  ): Promise<OperationResult<N>> {
    const { session, permit } = await this.#admit(name, caller, path);
    const body = await rest();
    given.params = { ...path, ...(isRecord(body) ? body : {}) };
    const { inPath, others } = splitParamsOf(name);
    const params = { ...parseParams(inPath, path, "path"), ...parseParams(others, body, at) };
    const context: HandlerContext = {
      caller: { ...caller, permit },
      signal,
      get session() {
        if (session === undefined) throw new Error(`${name} names no session`);
        return session;
      },
    };
    const handle: Handler<N> = this.#options.handlers[name];
    return await handle(params as OperationParams<N>, context);
  }

  /** Checks what needs no parameters but the path's: the caller's rights, the session, its owner. */
  async #admit(
    name: OperationName,
    { principal }: Caller,
    path: OperationCall["path"],
  ): Promise<{ readonly session: Session | undefined; readonly permit: Permit | undefined }> {
    const { access, bearer, owner, closedToAgents, closedToShells, closedToAutomation } = specOf(name);
    if (closedToShells && principal.shell !== undefined) {
      throw new RemoteError(
        "scope_forbids",
        `${name} is closed to the tokens of shells: call it outside of them, or with an API key in --token or SERVICE_TOKEN.`,
      );
    }
    if (closedToAutomation && principal.restrictions?.automation === true) throw automationForbids(name);
    const isChecked = bearer === undefined && access !== "anyone";
    const reads = access === "read" || access === "shell";
    const permit = isChecked ? await this.#options.permitOf(principal, { reads }) : undefined;
    if (permit !== undefined) checkAccess(permit, name, { access, closedToAgents });
    if (owner === "relay" && principal.user !== this.#options.owner) {
      throw new RemoteError("not_owner", "Only the relay's owner may do this.");
    }
    if (path.session === undefined) return { session: undefined, permit };
    const session = this.#options.sessions.get(String(path.session));
    checkOwner(principal, session);
    return { session, permit };
  }

  #audit(
    name: OperationName,
    { principal, from }: Caller,
    { params, outcome, durationMs }: { params: object; outcome: string; durationMs: number },
  ): void {
    const { session } = params as { session?: unknown };
    const entry = {
      ...auditIdentity(principal),
      from,
      session: session === undefined ? null : String(session),
      action: name,
      params: maskedValues(specOf(name), params),
      outcome,
      client: null,
      durationMs: Math.round(durationMs),
    };
    const repeats = [entry.session, entry.who, name, outcome].join("\n");
    this.#options.audit.call(entry, specOf(name).frequent && outcome === "ok" ? { repeats } : {});
  }
}

/** Returns the declaration of an operation. */
function specOf(name: OperationName): OperationSpec {
  return operations[name];
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

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
