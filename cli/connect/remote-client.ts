import type { IncomingMessage } from "node:http";
import { z } from "zod";
import type { Shortcut } from "../../core/commands/command.ts";
import type { MethodName, Params, Result } from "../../core/commands/specs.ts";
import type { AuditEntry, AuditQuery } from "../../core/protocol/audit.ts";
import { RemoteError } from "../../core/protocol/errors.ts";
import { COMMAND_TIMEOUT_MS, WAIT_TIMEOUT_MS } from "../../core/protocol/limits.ts";
import { OutputEvent } from "../../core/protocol/output-events.ts";
import type { ClientEntry, Role, SessionRecord } from "../../core/protocol/records.ts";
import { readEventStream } from "./event-stream.ts";
import { type Ask, readText, send, unreachable } from "./http.ts";
import { serviceError } from "./service-error.ts";

export interface RemoteClientOptions {
  /** Base address of the relay, for example `http://127.0.0.1:7717`, with its base path if it has one. */
  readonly url: string;
  /** API key. */
  readonly token: string;
  /** Id or name of the session; default: `usualSession`, else the only one that the key's owner has. */
  readonly session?: string;
  /** Id of the session that is meant where none is named, for as long as it is open. */
  readonly usualSession?: string;
  /** Executing client: its id, or the one desktop client. */
  readonly client?: number | "desktop";
  /** The shell that the caller sits in, and that shell's session: sent to that session only. */
  readonly sourceShell?: number;
  readonly sourceSession?: string;
  /** How long the relay may take for a command, in seconds up to 60; default: as the relay is set up. */
  readonly timeout?: number;
}

export interface CallOptions {
  /** In place of the client's own. */
  readonly client?: number | "desktop";
  /** The same key and body within 10 minutes is executed once. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

/** Whom a command hit. */
export interface CallHit {
  readonly client?: number;
  readonly tile?: number;
  readonly shell?: number;
}

/** An event of a session, as the relay sent it; `id` resumes after it. `type` is `gap` where events are missing. */
export interface SessionEvent {
  readonly id: string;
  readonly type: string;
  readonly seq?: number | undefined;
  readonly at?: string | undefined;
  readonly data?: unknown;
}

export interface EventOptions {
  readonly types?: readonly string[];
  /** false: what is kept, then the end. */
  readonly follow?: boolean;
  /** Id of the last event seen. */
  readonly lastEventId?: string;
  readonly signal?: AbortSignal;
}

/** An invite, with the link that is shown once. */
export interface InviteLink {
  readonly id: string;
  readonly url: string;
  /** The same link at every address of the relay: this machine's first, then those for other machines. */
  readonly urls: readonly string[];
  readonly role: Role;
  readonly usesLeft: number;
  readonly expiresAt: string;
}

/** What the relay tells a caller of its own credential. */
export interface WhoAmI {
  readonly user: string;
  /** Absent for a shell's token. */
  readonly key?: {
    readonly id: string;
    readonly name: string;
    readonly createdAt: string;
    readonly expiresAt: string | null;
    /** Empty where nothing is restricted. */
    readonly restrictions: {
      readonly readOnly?: true | undefined;
      readonly ownShells?: true | undefined;
      readonly methods?: readonly string[] | undefined;
    };
  };
  /** Of a shell's token. */
  readonly session?: string;
  readonly shell?: number;
  /** Of a restricted shell's token: why. */
  readonly restricted?: string;
}

/** How the process that holds the shells is; `none`: it starts with the first shell. */
export interface ShellHostState {
  readonly state: "none" | "starting" | "running" | "hung";
  readonly pid: number | null;
  /** Milliseconds for which it has owed an answer. */
  readonly silentMs: number;
}

export interface RestartedShellHost {
  readonly pid: number | null;
  /** The shells that ended with the old process. */
  readonly ended: readonly { readonly session: string; readonly shellId: number; readonly title: string }[];
}

/** The method behind each GET shortcut; a test holds it against the declarations. */
export const shortcutMethods = {
  layout: "getLayoutTree",
  tiles: "getTiles",
  workspaces: "getWorkspaces",
  shells: "getShells",
  users: "getUsers",
  agents: "getAgents",
  chat: "getChat",
  tunnels: "getTunnelPorts",
} as const satisfies Record<Shortcut, MethodName>;

/** Parameters may be left out where none is required. */
type ParamsOf<M extends MethodName> =
  Record<never, never> extends Params<M>
    ? [params?: Params<M>, options?: CallOptions]
    : [params: Params<M>, options?: CallOptions];

const Envelope = z.object({ result: z.unknown() });
const EventData = z.looseObject({
  type: z.string(),
  seq: z.number().optional(),
  at: z.string().optional(),
  data: z.unknown(),
});

/** The relay answers within its own deadline; this much later it is taken for dead. */
const GRACE_MS = 15_000;
const SESSION_ID = /^[A-Za-z0-9_-]{8,64}$/;

/**
 * A typed client of a running relay. Every method rejects with a RemoteError, whose code says why the relay refused,
 * or with a RelayUnreachable when nobody answered.
 */
export class RemoteClient {
  /** Sessions themselves; `id` is an id or a name. */
  readonly sessions = {
    list: (): Promise<SessionRecord[]> => this.#result<SessionRecord[]>("sessions", {}),
    create: (name: string): Promise<SessionRecord> =>
      this.#result<SessionRecord>("sessions", { method: "POST", body: { name } }),
    rename: (id: string, name: string): Promise<SessionRecord> =>
      this.#in(id, (found) => this.#result<SessionRecord>(`sessions/${found}`, { method: "PATCH", body: { name } })),
    /** `force: false` refuses with `shells_running` while shells run in the session. */
    close: (id: string, { force = true }: { force?: boolean } = {}): Promise<SessionRecord> =>
      this.#in(id, (found) =>
        this.#result<SessionRecord>(`sessions/${found}${force ? "" : "?force=false"}`, { method: "DELETE" }),
      ),
  };

  readonly #options: RemoteClientOptions;
  readonly #base: string;
  #session: string | undefined;
  #desktop: number | undefined;

  constructor(options: RemoteClientOptions) {
    this.#options = options;
    this.#base = options.url.replace(/\/+$/, "");
  }

  /** Calls a method. */
  async call<M extends MethodName>(method: M, ...[params, options]: ParamsOf<M>): Promise<Result<M>> {
    const { result } = await this.ask(method, { ...params }, options);
    return result as Result<M>;
  }

  /** As `call`, with parameters that the relay checks, and with whom it hit. */
  ask(
    method: MethodName,
    params: Readonly<Record<string, unknown>>,
    { client = this.#options.client, idempotencyKey, signal }: CallOptions = {},
  ): Promise<{ result: unknown; hit: CallHit }> {
    return this.#in(this.#options.session, async (session) => {
      const target = client === "desktop" ? await this.#desktopClient() : client;
      const source = this.#sourceFor(session);
      const { value, headers } = await this.#answer(`sessions/${session}/remote/command`, {
        method: "POST",
        body: {
          method,
          params,
          ...(target === undefined ? {} : { target_client_id: target }),
          ...(source === undefined ? {} : { source_shell_id: source }),
        },
        headers: idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey },
        silenceMs: this.#patience(params),
        ...(signal === undefined ? {} : { signal }),
      });
      return { result: value, hit: hitOf(headers) };
    });
  }

  /** Reads by a GET shortcut. */
  get<S extends Shortcut>(shortcut: S): Promise<Result<(typeof shortcutMethods)[S]>> {
    return this.#in(this.#options.session, async (session) => {
      const { client } = this.#options;
      const target = client === "desktop" ? await this.#desktopClient() : client;
      const query = target === undefined ? "" : `?client=${target}`;
      return this.#result<Result<(typeof shortcutMethods)[S]>>(`sessions/${session}/remote/${shortcut}${query}`, {});
    });
  }

  /** Whose key this client sends, and how far it reaches. */
  whoAmI(): Promise<WhoAmI> {
    return this.#result<WhoAmI>("whoami", {});
  }

  /** The audit log, the newest first. */
  audit(query: Partial<AuditQuery>): Promise<AuditEntry[]> {
    const words = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) if (value !== undefined) words.set(name, String(value));
    return this.#result<AuditEntry[]>(`audit?${words}`, {});
  }

  /** The process that holds the shells of all sessions. */
  shellHost(): Promise<ShellHostState> {
    return this.#result<ShellHostState>("shell-host", {});
  }

  /** Ends that process with all its shells, even while it hangs, and starts another. Refused while shells run, unless forced. */
  restartShellHost({ force = false }: { force?: boolean } = {}): Promise<RestartedShellHost> {
    return this.#result<RestartedShellHost>("shell-host/restart", { method: "POST", body: { force } });
  }

  /** Makes a link that lets a browser into the session; `ttl` in seconds. */
  invite(wanted: { role: Role; ttl: number; uses: number; outside?: boolean }): Promise<InviteLink> {
    return this.#in(this.#options.session, (session) =>
      this.#result<InviteLink>(`sessions/${session}/invites`, { method: "POST", body: wanted }),
    );
  }

  /** The session's events, one by one, until the relay or the caller ends it. */
  async *events({ types, follow = true, lastEventId, signal }: EventOptions = {}): AsyncGenerator<SessionEvent> {
    const query = new URLSearchParams();
    if (types !== undefined) query.set("types", types.join(","));
    if (!follow) query.set("follow", "false");
    const [answer, url] = await this.#in(this.#options.session, (session) =>
      this.#open(`sessions/${session}/events?${query}`, {
        headers: {
          Accept: "text/event-stream",
          ...(lastEventId === undefined ? {} : { "Last-Event-ID": lastEventId }),
        },
        // The relay sends a sign of life every 15 s.
        silenceMs: 60_000,
        ...(signal === undefined ? {} : { signal }),
      }),
    );
    try {
      for await (const { id, data } of readEventStream(answer)) {
        const event = parsedWith(EventData, data, url);
        yield { ...event, id };
      }
    } catch (error) {
      signal?.throwIfAborted();
      throw answer.errored === null ? error : unreachable(url, error);
    } finally {
      answer.destroy();
    }
  }

  /** What a shell prints from now on, or from `since` on, until it ends or the caller stops; the last event is its end. */
  async *output(
    shell: number,
    { since, plain = false, signal }: { since?: number; plain?: boolean; signal?: AbortSignal } = {},
  ): AsyncGenerator<OutputEvent> {
    const query = new URLSearchParams();
    if (since !== undefined) query.set("since", String(since));
    if (plain) query.set("plain", "true");
    const [answer, url] = await this.#in(this.#options.session, (session) =>
      this.#open(`sessions/${session}/shells/${shell}/output?${query}`, {
        headers: { Accept: "text/event-stream" },
        // The relay sends a sign of life every 15 s.
        silenceMs: 60_000,
        ...(signal === undefined ? {} : { signal }),
      }),
    );
    try {
      for await (const { data } of readEventStream(answer)) {
        const event = parsedWith(OutputEvent, data, url);
        if (event.type === "closed") throw new RemoteError(event.data.code, event.data.reason);
        yield event;
        if (event.type === "end") return;
      }
      throw unreachable(url, new Error("the stream ended"));
    } catch (error) {
      signal?.throwIfAborted();
      throw answer.errored === null ? error : unreachable(url, error);
    } finally {
      answer.destroy();
    }
  }

  /** The shell that this program runs in, where it is one of the session that is called. */
  get sourceShell(): number | undefined {
    const { session, sourceShell, sourceSession } = this.#options;
    return sourceSession === undefined || sourceSession === (this.#session ?? session) ? sourceShell : undefined;
  }

  /** Does something in the session given by id or name. */
  async #in<T>(given: string | undefined, act: (session: string) => Promise<T>): Promise<T> {
    const isOwn = given === this.#options.session;
    if (isOwn && this.#session !== undefined) return act(this.#session);
    const first = given ?? this.#options.usualSession;
    if (first !== undefined && SESSION_ID.test(first)) {
      try {
        const done = await act(first);
        if (isOwn) this.#session = first;
        return done;
      } catch (error) {
        // It may be a name that only looks like an id, or the usual one that was closed meanwhile.
        if (!(error instanceof RemoteError && error.code === "unknown_session")) throw error;
      }
    }
    const session = await this.#lookUp(given);
    if (isOwn) this.#session = session;
    return act(session);
  }

  async #lookUp(given: string | undefined): Promise<string> {
    const sessions = await this.sessions.list();
    const meant =
      given === undefined ? sessions : sessions.filter((session) => session.name === given || session.id === given);
    const [only, ...others] = meant;
    if (only !== undefined && others.length === 0) return only.id;
    const listed = sessions.map(({ id, name }) => `${id} ${name}`).join("\n");
    if (sessions.length === 0) throw new RemoteError("unknown_session", "This key's owner has no session.");
    if (only === undefined)
      throw new RemoteError("unknown_session", `No session is called ${JSON.stringify(given)}. There are:\n${listed}`);
    if (given === undefined) {
      throw new RemoteError(
        "invalid_request",
        `Several sessions are open, and none was named: choose one with --session or SERVICE_SESSION.\n${listed}`,
      );
    }
    throw new RemoteError("invalid_request", `Several sessions fit: choose one by its id.\n${listed}`);
  }

  async #desktopClient(): Promise<number> {
    if (this.#desktop !== undefined) return this.#desktop;
    const { client: _, ...options } = this.#options;
    const clients: readonly ClientEntry[] = await new RemoteClient(options).call("getClients");
    const [only, ...others] = clients.filter(({ clientKind }) => clientKind === "desktop");
    const listed = clients
      .map(({ id, name, clientKind, device }) => `${id} ${name} ${clientKind} ${device}`)
      .join("\n");
    if (only === undefined) throw new RemoteError("unknown_client", `No desktop client is connected:\n${listed}`);
    if (others.length > 0)
      throw new RemoteError("ambiguous_client", `Several desktop clients are connected:\n${listed}`);
    this.#desktop = only.id;
    return only.id;
  }

  #sourceFor(session: string): number | undefined {
    const { sourceShell, sourceSession } = this.#options;
    return sourceSession === undefined || sourceSession === session ? sourceShell : undefined;
  }

  /** Longer than the relay may take: a command with a timeout of its own may take that long. */
  #patience({ timeout: own }: Readonly<Record<string, unknown>>): number {
    const wait = typeof own === "number" && own > 0 ? own * 1000 : WAIT_TIMEOUT_MS;
    return Math.max(wait, (this.#options.timeout ?? 0) * 1000) + GRACE_MS;
  }

  async #result<T>(path: string, ask: Partial<Ask>): Promise<T> {
    const { value } = await this.#answer(path, ask);
    return value as T;
  }

  async #answer(path: string, ask: Partial<Ask>): Promise<{ value: unknown; headers: IncomingMessage["headers"] }> {
    const [answer, url] = await this.#open(path, ask);
    const { result: value } = parsedWith(Envelope, await readText(answer, url), url);
    return { value, headers: answer.headers };
  }

  /** Opens the answer, or throws the refusal that it is. */
  async #open(path: string, ask: Partial<Ask>): Promise<[answer: IncomingMessage, url: URL]> {
    const url = new URL(`${this.#base}/v1/${path}`);
    const { timeout, token } = this.#options;
    const answer = await send(url, {
      silenceMs: COMMAND_TIMEOUT_MS + (timeout ?? 0) * 1000 + GRACE_MS,
      ...ask,
      headers: {
        "X-Service-Token": token,
        ...(timeout === undefined ? {} : { "X-Service-Timeout": String(timeout) }),
        ...ask.headers,
      },
    });
    const { statusCode: status = 0, headers } = answer;
    if (status >= 200 && status < 300) return [answer, url];
    throw serviceError(status, headers["x-service-error"]?.toString(), await readText(answer, url));
  }
}

function parsedWith<S extends z.ZodType>(schema: S, text: string, url: URL): z.output<S> {
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw new RemoteError("internal", `What answers at ${url.origin} is not a Patchbay relay: check the address.`, {
      cause,
    });
  }
}

function hitOf(headers: IncomingMessage["headers"]): CallHit {
  const number = (name: string) => {
    const value = Number(headers[name]);
    return Number.isInteger(value) && value > 0 ? value : undefined;
  };
  const hit = { client: number("x-service-client"), tile: number("x-service-tile"), shell: number("x-service-shell") };
  return Object.fromEntries(Object.entries(hit).filter(([, value]) => value !== undefined));
}
