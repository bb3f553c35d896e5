import { randomBytes } from "node:crypto";
import { RemoteError } from "../../../core/protocol/errors.ts";
import { SessionId } from "../../../core/protocol/ids.ts";
import type { ShellHost } from "../../../core/protocol/shell-host.ts";
import type { Guests } from "../access/guests.ts";
import type { Keys } from "../access/keys.ts";
import { hidesSecretsIn, keyPermit, type PermitOf, readingPermit } from "../access/permits/permit.ts";
import type { Audit } from "../audit/audit.ts";
import type { Plugins } from "../plugins/plugins.ts";
import type { SessionRow } from "../store/session-rows.ts";
import type { Store } from "../store/store.ts";
import type { AgentsPort, FindAgents, HistoryControl, InputGovernor } from "./ports.ts";
import { Session } from "./session.ts";
import type { SessionTunnelsOptions } from "./session-tunnels.ts";

interface SessionsOptions {
  readonly store: Store;
  readonly keys: Keys;
  readonly audit: Audit;
  readonly plugins: Plugins;
  readonly guests: Guests;
  readonly agents: AgentsPort;
  readonly findAgents: FindAgents;
  readonly governor: InputGovernor;
  /** The data folder, for the environment of the shells. */
  readonly dataFolder?: string | undefined;
  readonly shellHostFor: (session: SessionId) => ShellHost;
  readonly url: () => string;
  /** The history of shells on disk; undefined where none is recorded. */
  readonly history: () => HistoryControl | undefined;
  /** Absent if the relay has no tunnels. */
  readonly tunnels?: SessionTunnelsOptions | undefined;
}

/** The sessions of this relay; each is open for as long as the relay runs. */
export class Sessions implements AsyncDisposable {
  readonly #options: SessionsOptions;
  readonly #open = new Map<string, Session>();
  readonly #listeners = new Set<() => void>();

  constructor(options: SessionsOptions) {
    this.#options = options;
    for (const row of options.store.sessions.list()) this.#start(row);
  }

  /** Returns all sessions, oldest first. */
  all(): Session[] {
    return [...this.#open.values()];
  }

  find(id: string): Session | undefined {
    return this.#open.get(id);
  }

  /** Returns the session of an id. Throws `unknown_session`. */
  get(id: string): Session {
    const session = this.#open.get(id);
    if (session === undefined) throw new RemoteError("unknown_session", `No session ${id.slice(0, 64)}.`);
    return session;
  }

  create(owner: string, name: string): Session {
    const row: SessionRow = {
      id: SessionId.parse(randomBytes(12).toString("base64url")),
      name,
      owner,
      createdAt: new Date().toISOString(),
    };
    this.#options.store.sessions.add(row);
    const session = this.#start(row);
    this.#changed();
    return session;
  }

  rename(id: string, name: string): Session {
    const session = this.get(id);
    session.rename(name);
    this.#changed();
    return session;
  }

  /** Removes a session with its shells and its history. */
  async remove(id: string): Promise<void> {
    const session = this.get(id);
    this.#open.delete(id);
    this.#changed();
    await session[Symbol.asyncDispose]();
    this.#options.store.sessions.remove(session.id);
  }

  /** @see PermitOf */
  readonly permitOf: PermitOf = async (principal, { reads = false } = {}) => {
    if (principal.shell === undefined) return keyPermit(principal);
    if (!reads) return this.get(principal.session ?? "").rights.permitOf(principal);
    const shell = this.#open.get(principal.session ?? "")?.shells.find(principal.shell);
    // A shell that is not there any more has no record of who made it.
    return readingPermit(principal.shell, shell === undefined || hidesSecretsIn(shell));
  };

  /** Returns the user's first session. Creates one with the name `default` if there is none. */
  default(owner: string): Session {
    const own = this.all().filter((session) => session.owner === owner);
    return own[0] ?? this.create(owner, "default");
  }

  /** Subscribes to sessions that are added, removed or renamed. Returns an unsubscribe function. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.all().map((session) => session[Symbol.asyncDispose]()));
  }

  #start(row: SessionRow): Session {
    const { shellHostFor, ...options } = this.#options;
    const session = new Session({ ...options, row, shellHost: shellHostFor(row.id) });
    this.#open.set(row.id, session);
    return session;
  }

  #changed(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}
