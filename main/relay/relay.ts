import { randomBytes } from "node:crypto";
import { userInfo } from "node:os";
import type { SessionId } from "../../core/protocol/ids.ts";
import { COMMAND_TIMEOUT_MS } from "../../core/protocol/limits.ts";
import { type ClientLink, linkedPair } from "../../core/protocol/link.ts";
import { Auth } from "./http/auth.ts";
import { type Listening, listen } from "./http/listen.ts";
import { GuestBook } from "./invites/guest-book.ts";
import { Keys } from "./keys.ts";
import type { Log } from "./log.ts";
import { type PluginNetwork, Plugins } from "./plugins/plugins.ts";
import type { AgentsPort, ShellsPort } from "./ports.ts";
import type { Identity } from "./session-clients.ts";
import { Sessions } from "./sessions.ts";
import { PluginRows } from "./store/plugin-rows.ts";
import type { Store } from "./store/store.ts";

export interface RelayOptions {
  readonly store: Store;
  readonly log: Log;
  readonly version: string;
  readonly agents: AgentsPort;
  readonly shellHostFor: (session: SessionId) => ShellsPort;
  readonly basePath?: string;
  readonly commandTimeoutMs?: number;
  /** Folder of the bundled API viewer. */
  readonly docsFolder: string;
  /** Folder of the built pages. */
  readonly pagesFolder: string;
  /** How plugins are fetched; default: by the system's own resolver, within 10 s. */
  readonly pluginNetwork?: PluginNetwork;
}

/** The relay: sessions, keys and the HTTP server in front of them. Knows nothing of Electron. Built first, then started. */
export class Relay {
  readonly user = userInfo().username;
  readonly sessions: Sessions;
  readonly keys: Keys;
  readonly plugins: Plugins;
  readonly guests: GuestBook;
  /** Names this run, so that nobody mistakes its event numbers for another run's. */
  readonly boot = randomBytes(6).toString("hex");
  readonly #options: RelayOptions;
  #listening: Listening | undefined;

  constructor(options: RelayOptions) {
    const { store, agents, shellHostFor } = options;
    this.#options = options;
    this.keys = new Keys(store);
    this.plugins = new Plugins(new PluginRows(store.database), options.pluginNetwork);
    this.guests = new GuestBook(store.database);
    this.sessions = new Sessions({ store, keys: this.keys, agents, shellHostFor, url: () => this.url });
  }

  /** A random name for the data folder, the same at every start. */
  get id(): string {
    return this.#options.store.relayId();
  }

  /** Base address; empty until `listen` has resolved. */
  get url(): string {
    return this.#listening === undefined ? "" : this.#listening.url + (this.#options.basePath ?? "");
  }

  /** Starts to serve. Rejects with a PortTakenError when the port is in use. */
  async listen({ port, host = "127.0.0.1" }: { port: number; host?: string }): Promise<Listening> {
    const {
      log,
      version,
      basePath = "",
      commandTimeoutMs = COMMAND_TIMEOUT_MS,
      docsFolder,
      pagesFolder,
    } = this.#options;
    const { sessions, plugins, boot, keys } = this;
    const parts = {
      sessions,
      plugins,
      auth: new Auth(keys),
      boot,
      version,
      log,
      basePath,
      commandTimeoutMs,
      docsFolder,
      pagesFolder,
      guests: this.guests,
      url: () => this.url,
    };
    this.#listening = await listen(parts, { port, host });
    return this.#listening;
  }

  /** Connects a client of this process. */
  attachLocal(session: string, identity: Identity): ClientLink {
    const pair = linkedPair();
    this.sessions.get(session).clients.join(pair.relay, identity);
    return pair.client;
  }

  /** Stops serving, ends all shells, closes the store. */
  async close(): Promise<void> {
    this.plugins[Symbol.dispose]();
    await this.#listening?.close();
    await this.sessions[Symbol.asyncDispose]();
    this.#options.store.close();
  }
}
