import { z } from "zod";
import type { Shortcut } from "../core/commands/command.ts";
import type { MethodName, Params, Result } from "../core/commands/specs.ts";
import type { OperationInput, OperationName, OperationResult } from "../core/operations/index.ts";
import { requestOf, secondsToWait } from "../core/operations/operation.ts";
import { defined } from "../core/protocol/defined.ts";
import { httpStatusOf, RemoteError } from "../core/protocol/errors.ts";
import { StreamClosed } from "../core/protocol/events.ts";
import { isDeeperThan, jsonDepth } from "../core/protocol/json-depth.ts";
import { COMMAND_TIMEOUT_MS, WAIT_TIMEOUT_MS } from "../core/protocol/limits.ts";
import { OutputEvent } from "../core/protocol/output-events.ts";
import type { SessionRecord } from "../core/protocol/records.ts";
import { withoutTrailing } from "../core/protocol/without-trailing.ts";
import { chooseDesktop, chooseSession, NamedSessions } from "./choose-target.ts";
import type { Declared } from "./declared-results.ts";
import { NeedsOwnProcess } from "./errors.ts";
import { EventData, readEventStream, type SessionEvent } from "./event-stream.ts";
import { type HttpAnswer, type HttpRequest, type RemotePeer, readText, send, unreachableError } from "./http.ts";
import { hitOf, type InRelayAnswer, type InRelayCall, type SurroundingRelay } from "./in-relay.ts";
import { type OperationRoute, routeOf } from "./operation-routes.ts";
import { checkResult, nameRemote, notARelay, serviceError } from "./service-error.ts";

export interface RemoteClientOptions {
  /** Base address of the relay, for example `http://127.0.0.1:7717`, with its base path if it has one. */
  readonly url: string;
  /** API key. */
  readonly token: string;
  /** The relay of this process, in place of one over the network. */
  readonly inRelay?: SurroundingRelay;
  /** The remote that the relay is: its answers are bounded, typed results are checked, and messages name it. */
  readonly remote?: RemotePeer;
  /** Where the relay passes requests on to another one of its fleet: the name of the one that has to answer them. */
  readonly servedBy?: string;
  /** Ends every request. */
  readonly signal?: AbortSignal;
  /** Id or name of the session; default: `usualSession`, else the only one that the key's owner has. */
  readonly session?: string;
  /** Id of the session to use where none is named, as long as it is open. */
  readonly usualSession?: string;
  /**
   * Executing client: its id, or the one desktop client. `all`: every client of the key's owner, for `notify` and `toast`,
   * whose result is then a list with one of each.
   */
  readonly client?: number | "desktop" | "all";
  /** The shell that the caller runs in, and that shell's session: sent to that session only. */
  readonly sourceShell?: number;
  readonly sourceSession?: string;
  /** Timeout of a command in seconds, up to 60; default: the relay's own. */
  readonly timeout?: number;
}

export interface CallOptions {
  /** Overrides the executing client of the options. */
  readonly client?: RemoteClientOptions["client"];
  /** The same key and body within 10 minutes is executed once. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

/** What a command acted on: its client, tile and shell. */
export type CallHit = InRelayAnswer["hit"];

export interface EventOptions {
  readonly types?: readonly string[];
  /** false: only the kept events. */
  readonly follow?: boolean;
  /** Id of the last event seen. */
  readonly lastEventId?: string;
  /** Called with the id to resume after, before the first event. */
  readonly onPosition?: (id: string) => void;
  readonly signal?: AbortSignal;
}

/** Parameters of an operation; the session is the client's own unless it is named. */
export type OperationArgs<N extends OperationName> = Omit<OperationInput<N>, "session"> & {
  /** Id or name. */
  readonly session?: string | undefined;
};

/** Parameters may be left out where none is required. */
type ParamsOf<M extends MethodName> =
  Record<never, never> extends Params<M>
    ? [params?: Params<M>, options?: CallOptions]
    : [params: Params<M>, options?: CallOptions];

const Envelope = z.object({ result: z.unknown() });
/** The relay answers within its own deadline; after this much more time it counts as unreachable. */
const GRACE_MS = 15_000;
const SESSION_ID = /^[A-Za-z0-9_-]{8,64}$/;

/**
 * A typed client of a running relay. Every method rejects with a RemoteError, whose code says why the relay refused,
 * or with a RelayUnreachable when no relay answered.
 */
export class RemoteClient {
  /** Operations on sessions; `session` is an id or a name. */
  readonly sessions = {
    list: (): Promise<SessionRecord[]> => this.operation("listSessions", {}),
    create: (name: string): Promise<SessionRecord> => this.operation("createSession", { name }),
    rename: (session: string, name: string): Promise<SessionRecord> =>
      this.operation("renameSession", { session, name }),
    /** `force: false` refuses with `shells_running` while shells run in the session. */
    close: (session: string, { force = true }: { force?: boolean } = {}): Promise<SessionRecord> =>
      this.operation("closeSession", { session, force }),
  };

  readonly #options: RemoteClientOptions;
  readonly #base: string;
  #session: string | undefined;
  #desktop: number | undefined;

  constructor(options: RemoteClientOptions) {
    this.#options = options;
    this.#base = withoutTrailing(options.url, "/");
  }

  /** Returns a client of the same relay with other options. */
  with(options: Pick<RemoteClientOptions, "session" | "timeout" | "remote">): RemoteClient {
    return new RemoteClient({ ...this.#options, ...options });
  }

  /** Calls a method. A remote's result is as declared, or the call is rejected. */
  async call<M extends MethodName>(method: M, ...[params, options]: ParamsOf<M>): Promise<Result<M>> {
    const { result } = await this.ask(method, { ...params }, options);
    return this.#believed<Result<M>>({ method }, result);
  }

  /**
   * Calls a method with parameters that only the relay checks. Returns what the command acted on, too. The result is
   * whatever the relay answers: a remote may be of another version.
   */
  ask(
    method: MethodName,
    params: Readonly<Record<string, unknown>>,
    { client = this.#options.client, idempotencyKey, signal }: CallOptions = {},
  ): Promise<{ result: unknown; hit: CallHit }> {
    return this.#inSession(this.#options.session, async (session) => {
      const target = client === "desktop" ? await this.#desktopClient() : client;
      const source = this.#sourceFor(session);
      const { inRelay } = this.#options;
      if (inRelay !== undefined) {
        return this.#callInRelay(inRelay, {
          ...{ name: method, isOperation: false, params, session, source, idempotencyKey },
          client: target,
        });
      }
      const { value, headers } = await this.#sendForResult(`sessions/${session}/remote/command`, {
        method: "POST",
        body: {
          method,
          params,
          ...defined({ target_client_id: target, source_shell_id: source }),
        },
        headers: idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey },
        silenceMs: this.#silenceLimitMs(params),
        ...(signal === undefined ? {} : { signal }),
      });
      return { result: value, hit: hitOf(headers) };
    });
  }

  /** Reads a GET shortcut. The result is whatever the relay answers, as that of `ask`. */
  get(shortcut: Shortcut): Promise<unknown> {
    return this.#inSession(this.#options.session, async (session) => {
      const { client } = this.#options;
      const target = client === "desktop" ? await this.#desktopClient() : client;
      const query = target === undefined ? "" : `?client=${target}`;
      return (await this.#sendForResult(`sessions/${session}/remote/${shortcut}${query}`, {})).value;
    });
  }

  /** Calls an operation of the relay, which checks the parameters. A remote's result is as declared, or the call is rejected. */
  async operation<N extends OperationName>(name: N, args: OperationArgs<N>): Promise<OperationResult<N>> {
    return this.#believed<OperationResult<N>>({ operation: name }, await this.askOperation(name, args));
  }

  /** Calls an operation. The result is whatever the relay answers, as that of `ask`. */
  askOperation<N extends OperationName>(name: N, args: OperationArgs<N>): Promise<unknown> {
    const route = routeOf(name);
    if (!route.inSession) return this.#operation(name, route, args);
    return this.#inSession(args.session ?? this.#options.session, (session) =>
      this.#operation(name, route, { ...args, session }),
    );
  }

  /**
   * Yields the session's events until the relay or the caller ends the stream.
   * @throws RemoteError when the relay says why it ends the stream, such as a revoked key
   */
  async *events({
    types,
    follow = true,
    lastEventId,
    onPosition,
    signal,
  }: EventOptions = {}): AsyncGenerator<SessionEvent> {
    const query = new URLSearchParams();
    if (types !== undefined) query.set("types", types.join(","));
    if (!follow) query.set("follow", "false");
    const headers = lastEventId === undefined ? {} : { "Last-Event-ID": lastEventId };
    for await (const { id, data, url } of this.#stream((session) => `sessions/${session}/events?${query}`, {
      headers,
      signal,
      onPosition,
    })) {
      const event = this.#parse(EventData, data, url);
      if (event.type === "closed") {
        const { code, reason } = this.#parse(StreamClosed, data, url).data;
        throw new RemoteError(code, reason);
      }
      yield { ...event, id };
    }
  }

  /** Yields a shell's output from now on, or from `since` on, until the shell ends or the caller stops. The last event is `end`. */
  async *output(
    shell: number,
    { since, plain = false, signal }: { since?: number; plain?: boolean; signal?: AbortSignal } = {},
  ): AsyncGenerator<OutputEvent> {
    const query = new URLSearchParams();
    if (since !== undefined) query.set("since", String(since));
    if (plain) query.set("plain", "true");
    const path = (session: string) => `sessions/${session}/shells/${shell}/output?${query}`;
    for await (const { data, url } of this.#stream(path, { headers: {}, signal })) {
      const event = this.#parse(OutputEvent, data, url);
      if (event.type === "closed") throw new RemoteError(event.data.code, event.data.reason);
      yield event;
      if (event.type === "end") return;
    }
    throw unreachableError(new URL(this.#base), new Error("the stream ended"), this.#options.remote);
  }

  /** Base address of the relay. */
  get url(): string {
    return this.#base;
  }

  /** The shell that this program runs in, if it belongs to the session of this client. */
  get sourceShell(): number | undefined {
    return this.#sourceFor(this.#session ?? this.#options.session);
  }

  /** Runs `act` with the id of the session given by id or name. */
  async #inSession<T>(given: string | undefined, act: (session: string) => Promise<T>): Promise<T> {
    const isOwn = given === this.#options.session;
    if (isOwn && this.#session !== undefined) return act(this.#session);
    const first = given ?? this.#options.usualSession;
    if (first !== undefined && SESSION_ID.test(first)) {
      try {
        const done = await act(first);
        if (isOwn) this.#session = first;
        return done;
      } catch (error) {
        // It may be a name that looks like an id, or the default session, closed meanwhile.
        if (!(error instanceof RemoteError && error.code === "unknown_session")) throw error;
      }
    }
    const session = await this.#findSession(given);
    if (isOwn) this.#session = session;
    return act(session);
  }

  async #findSession(given: string | undefined): Promise<string> {
    return chooseSession(checkResult(NamedSessions, await this.askOperation("listSessions", {}), this.#base), given);
  }

  async #desktopClient(): Promise<number> {
    const { client: _, ...options } = this.#options;
    this.#desktop ??= chooseDesktop(await new RemoteClient(options).call("getClients"));
    return this.#desktop;
  }

  #sourceFor(session: string | undefined): number | undefined {
    const { sourceShell, sourceSession } = this.#options;
    return sourceSession === undefined || sourceSession === session ? sourceShell : undefined;
  }

  /** Longer than the relay takes, for an operation that waits so many seconds. */
  #silenceMs(waitS: number): number {
    return COMMAND_TIMEOUT_MS + Math.max(waitS, this.#options.timeout ?? 0) * 1000 + GRACE_MS;
  }

  /** Longer than the relay's own deadline; a command may have a timeout of its own. */
  #silenceLimitMs({ timeout: own }: Readonly<Record<string, unknown>>): number {
    const wait = typeof own === "number" && own > 0 ? own * 1000 : WAIT_TIMEOUT_MS;
    return Math.max(wait, (this.#options.timeout ?? 0) * 1000) + GRACE_MS;
  }

  /** Yields the events of a stream in the client's session, until the relay or the caller ends it. */
  async *#stream(
    path: (session: string) => string,
    {
      headers,
      signal,
      onPosition,
    }: {
      readonly headers: Readonly<Record<string, string>>;
      readonly signal: AbortSignal | undefined;
      readonly onPosition?: ((id: string) => void) | undefined;
    },
  ): AsyncGenerator<{ readonly id: string; readonly data: string; readonly url: URL }> {
    const [answer, url] = await this.#inSession(this.#options.session, (session) =>
      this.#send(path(session), {
        headers: { Accept: "text/event-stream", ...headers },
        // The relay sends a heartbeat every 15 s.
        silenceMs: 60_000,
        ...(signal === undefined ? {} : { signal }),
      }),
    );
    try {
      for await (const event of readEventStream(answer, { onPosition })) yield { ...event, url };
    } catch (error) {
      signal?.throwIfAborted();
      throw answer.errored === null ? error : unreachableError(url, error, this.#options.remote);
    } finally {
      answer.destroy();
    }
  }

  /** @throws RemoteError as over the network; NeedsOwnProcess for what the relay of this process does not answer so */
  async #callInRelay(relay: SurroundingRelay, call: Omit<InRelayCall, "token" | "timeout">): Promise<InRelayAnswer> {
    const { token, timeout, signal } = this.#options;
    signal?.throwIfAborted();
    const asked = { ...call, token, timeout: timeout === undefined ? undefined : String(timeout) };
    const answer = await relay.call(asked).catch((error: unknown) => {
      throw error instanceof RemoteError ? serviceError(httpStatusOf(error.code), error.code, error.message) : error;
    });
    if (answer === undefined) throw new NeedsOwnProcess("another relay answers this");
    return answer;
  }

  /**
   * Returns a result as its declared type. That of a remote is checked, and stays as it came; the relay of this machine is
   * believed, and takes no time for it.
   */
  async #believed<T>(declared: Declared, result: unknown): Promise<T> {
    if (this.#options.remote !== undefined) {
      // Most commands start without the declarations.
      const cause = (await import("./declared-results.ts")).findMismatch(declared, result);
      if (cause !== undefined) throw notARelay(new URL(this.#base), { cause });
    }
    return result as T;
  }

  async #operation(name: OperationName, { http, isBearer, usualWait }: OperationRoute, args: object): Promise<unknown> {
    const { inRelay } = this.#options;
    if (inRelay !== undefined) {
      return (await this.#callInRelay(inRelay, { name, isOperation: true, params: { ...args } })).result;
    }
    const { path, body } = requestOf(http, args);
    const [answer, url] = await this.#send(path, {
      method: http.method,
      silenceMs: this.#silenceMs(secondsToWait(usualWait, args)),
      ...(isBearer ? { headers: { Authorization: `Bearer ${this.#options.token}` } } : {}),
      ...(body === undefined ? {} : { body }),
    });
    const text = await readText(answer, url, this.#options.remote);
    return http.bare ? this.#parse(z.unknown(), text, url) : this.#parse(Envelope, text, url).result;
  }

  async #sendForResult(
    path: string,
    ask: Partial<HttpRequest>,
  ): Promise<{ value: unknown; headers: HttpAnswer["headers"] }> {
    const [answer, url] = await this.#send(path, ask);
    const { result: value } = this.#parse(Envelope, await readText(answer, url, this.#options.remote), url);
    return { value, headers: answer.headers };
  }

  /** Sends a request and returns the response. @throws RemoteError for a refusal */
  async #send(path: string, ask: Partial<HttpRequest>): Promise<[answer: HttpAnswer, url: URL]> {
    const url = new URL(`${this.#base}/v1/${path}`);
    const { timeout, token, remote, signal, servedBy } = this.#options;
    const answer = await send(url, {
      ...defined({ remote, signal }),
      silenceMs: this.#silenceMs(0),
      ...ask,
      headers: {
        "X-Service-Token": token,
        ...(timeout === undefined ? {} : { "X-Service-Timeout": String(timeout) }),
        ...ask.headers,
      },
    });
    const { statusCode: status = 0, headers } = answer;
    if (servedBy !== undefined && headers["x-service-relay"] !== servedBy) {
      answer.destroy();
      throw new RemoteError("relay_away", `${servedBy} does not serve this session in the fleet now.`);
    }
    if (status >= 200 && status < 300) return [answer, url];
    const refusal = serviceError(status, headers["x-service-error"]?.toString(), await readText(answer, url, remote));
    throw remote === undefined ? refusal : nameRemote(refusal, remote);
  }

  #parse<S extends z.ZodType>(schema: S, text: string, url: URL): z.output<S> {
    const { remote } = this.#options;
    try {
      const value: unknown = JSON.parse(text);
      // What prints the result recurses into it.
      if (remote !== undefined && isDeeperThan(value, jsonDepth.frame)) throw new Error("it is nested too deeply");
      return schema.parse(value);
    } catch (cause) {
      throw notARelay(url, { cause });
    }
  }
}
