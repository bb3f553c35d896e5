import { randomBytes } from "node:crypto";
import { userInfo } from "node:os";
import { RemoteError } from "../../core/protocol/errors.ts";
import type { SessionId } from "../../core/protocol/ids.ts";
import { COMMAND_TIMEOUT_MS } from "../../core/protocol/limits.ts";
import { type ClientLink, linkedPair } from "../../core/protocol/link.ts";
import type { ListeningPorts } from "../system/listeners/listening-ports.ts";
import type { Log } from "../system/log.ts";
import { InviteStore } from "./access/invites.ts";
import { Keys } from "./access/keys.ts";
import { Logins } from "./access/logins.ts";
import { Audit } from "./audit/audit.ts";
import { docsRoutes } from "./docs/docs-routes.ts";
import { createApp } from "./http/app.ts";
import { AuditedCalls } from "./http/audit-calls.ts";
import { Auth } from "./http/auth.ts";
import { type Address, type Listening, listen, type ReservedAddress, reserveAddress } from "./http/listen.ts";
import { type OpenDoor, type OutsideDoor, openDoor } from "./http/tls-listener.ts";
import { Metrics } from "./metrics/metrics.ts";
import { type ArrivalTimeouts, usualArrivalTimeouts } from "./net/arrival-timeouts.ts";
import { ConnectionGate } from "./net/connection-gate.ts";
import { type PluginNetwork, Plugins } from "./plugins/plugins.ts";
import type { Identity } from "./session/clients.ts";
import type { AgentsPort, FindAgents, ShellHostPort, ShellsPort } from "./session/ports.ts";
import { Sessions } from "./session/sessions.ts";
import { LoginRows } from "./store/login-rows.ts";
import { PluginRows } from "./store/plugin-rows.ts";
import { PluginValues } from "./store/plugin-values.ts";
import { RequestRows } from "./store/request-rows.ts";
import type { Store } from "./store/store.ts";
import type { Outside } from "./tls/remote-access.ts";
import { TunnelGate } from "./tunnels/tunnel-gate.ts";

export interface RelayOptions {
  readonly store: Store;
  readonly log: Log;
  readonly version: string;
  readonly agents: AgentsPort;
  /** Finds the agents in a shell; without it no program in a shell may do more than a restricted one. */
  readonly findAgents?: FindAgents;
  /** The data folder, for the environment of the shells. */
  readonly dataFolder?: string;
  readonly shellHostFor: (session: SessionId) => ShellsPort;
  /** The process that holds the shells; without it they are in the relay's own. */
  readonly shellHost?: ShellHostPort;
  readonly basePath?: string;
  readonly commandTimeoutMs?: number;
  /** Folder of the bundled API viewer. */
  readonly docsFolder: string;
  /** Folder of the built pages. */
  readonly pagesFolder: string;
  /** How plugins are fetched; default: by the system's own resolver, within 10 s. */
  readonly pluginNetwork?: PluginNetwork;
  /** Finds what programs in shells listen on; without it there are no tunnels. */
  readonly ports?: ListeningPorts;
  readonly timeouts?: Partial<ArrivalTimeouts>;
}

export interface RelayAddresses {
  readonly port: number;
  /** Default: 127.0.0.1. */
  readonly host?: string;
  readonly outside?: OutsideDoor | undefined;
  /** What `reserveAddresses` answered for the same addresses. */
  readonly reserved?: ReservedAddresses;
}

/** The addresses of a relay, which this process listens on already. */
export interface ReservedAddresses {
  readonly own: ReservedAddress;
  readonly outside: ReservedAddress | undefined;
  /** Gives up those that no relay serves. */
  release(): void;
}

/** Listens on the addresses of a relay before there is one. Rejects with a PortTakenError or another AddressError. */
export async function reserveAddresses({
  port,
  host = "127.0.0.1",
  outside,
}: Address & { readonly outside?: Address | undefined }): Promise<ReservedAddresses> {
  const own = await reserveAddress({ port, host });
  try {
    const other = outside === undefined ? undefined : await reserveAddress(outside, { outside: true });
    return {
      own,
      outside: other,
      release() {
        own.release();
        other?.release();
      },
    };
  } catch (error) {
    own.release();
    throw error;
  }
}
/** The shells of a relay that holds them itself go down with it only. */
const OWN_PROCESS: ShellHostPort = {
  status: () => ({ state: "running", pid: process.pid, silentMs: 0 }),
  restart: async () => {
    throw new RemoteError("invalid_request", "This relay holds its shells itself: start the relay again instead.");
  },
};

/** The relay: sessions, keys and the HTTP server in front of them. Knows nothing of Electron. Built first, then started. */
export class Relay {
  readonly user = userInfo().username;
  readonly sessions: Sessions;
  readonly keys: Keys;
  readonly plugins: Plugins;
  readonly guests: InviteStore;
  readonly tunnelGate: TunnelGate;
  readonly metrics: Metrics;
  readonly audit: Audit;
  /** Programs that ask to be logged in. */
  readonly logins: Logins;
  /** Names this run, so that nobody mistakes its event numbers for another run's. */
  readonly boot = randomBytes(6).toString("hex");
  readonly #options: RelayOptions;
  #listening: Listening | undefined;
  #door: OpenDoor | undefined;

  constructor(options: RelayOptions) {
    const { store, agents, shellHostFor } = options;
    this.#options = options;
    this.keys = new Keys(store);
    this.plugins = new Plugins(
      { rows: new PluginRows(store.database), values: new PluginValues(store.database) },
      options.pluginNetwork,
    );
    this.guests = new InviteStore(store.database);
    this.audit = new Audit(store.database, options.log);
    this.logins = new Logins(new LoginRows(store.database));
    this.tunnelGate = new TunnelGate({ guests: this.guests, outside: () => this.#door });
    this.sessions = new Sessions({
      store,
      keys: this.keys,
      plugins: this.plugins,
      agents,
      findAgents: options.findAgents ?? nobodyLooks,
      dataFolder: options.dataFolder,
      shellHostFor,
      url: () => this.url,
      tunnels: options.ports && { ports: options.ports, gate: this.tunnelGate, log: options.log },
    });
    this.metrics = new Metrics({ sessions: this.sessions, version: options.version, storeBytes: () => store.bytes() });
  }

  /** A random name for the data folder, the same at every start. */
  get id(): string {
    return this.#options.store.relayId();
  }

  /** Base address; empty until `listen` has resolved. */
  get url(): string {
    return this.#listening === undefined ? "" : this.#listening.url + (this.#options.basePath ?? "");
  }

  /** How other machines reach the relay; undefined when they do not. */
  get outside(): Outside | undefined {
    return this.#door?.outside;
  }

  /**
   * Starts to serve this machine, and other machines where there is a door for them, at reserved addresses where there are
   * any. Rejects with an AddressError or a CertificateError.
   */
  async listen({ port, host = "127.0.0.1", outside, reserved }: RelayAddresses): Promise<Listening> {
    const {
      log,
      version,
      basePath = "",
      commandTimeoutMs = COMMAND_TIMEOUT_MS,
      shellHost = OWN_PROCESS,
      docsFolder,
      pagesFolder,
      timeouts,
    } = this.#options;
    const { sessions, plugins, boot, keys } = this;
    const audited = new AuditedCalls(this.audit);
    const gate = new ConnectionGate(this.metrics);
    const parts = {
      sessions,
      shellHost,
      plugins,
      auth: new Auth({
        keys,
        audited,
        shellPermit: (principal) => sessions.get(principal.session ?? "").rights.permitOf(principal),
        onCaller: gate.trust,
      }),
      gate,
      audit: this.audit,
      audited,
      keys,
      logins: this.logins,
      user: this.user,
      boot,
      version,
      log,
      basePath,
      commandTimeoutMs,
      pagesFolder,
      guests: this.guests,
      tunnelGate: this.tunnelGate,
      metrics: this.metrics,
      requests: new RequestRows(this.#options.store.database),
      url: () => this.url,
      outside: () => this.outside,
      timeouts: { ...usualArrivalTimeouts, ...timeouts },
    };
    const app = createApp(parts, docsRoutes({ version: parts.version, viewerFolder: docsFolder }));
    const addresses = reserved ?? (await reserveAddresses({ port, host, outside }));
    this.#listening = await listen(parts, app, { address: addresses.own });
    if (outside !== undefined) this.#door = await openDoor(parts, app, { ...outside, reserved: addresses.outside });
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
    this.logins[Symbol.dispose]();
    this.plugins[Symbol.dispose]();
    await this.#door?.close();
    await this.#listening?.close();
    await this.sessions[Symbol.asyncDispose]();
    this.audit[Symbol.dispose]();
    this.metrics[Symbol.dispose]();
    this.#options.store.close();
  }
}

function nobodyLooks(): Promise<never> {
  return Promise.reject(new Error("nobody looks for agents"));
}
