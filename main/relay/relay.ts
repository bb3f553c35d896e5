import { randomBytes } from "node:crypto";
import { userInfo } from "node:os";
import type { Duplex } from "node:stream";
import type { ReadHook } from "../../core/protocol/agent-hooks.ts";
import { RemoteError } from "../../core/protocol/errors.ts";
import type { SessionId } from "../../core/protocol/ids.ts";
import { COMMAND_TIMEOUT_MS } from "../../core/protocol/limits.ts";
import { type ClientLink, linkedPair } from "../../core/protocol/link.ts";
import type { OtherMachines } from "../../core/protocol/other-machines.ts";
import { TokenBuckets } from "../../core/protocol/rate-limits.ts";
import type { ShellHost, ShellHostControl } from "../../core/protocol/shell-host.ts";
import type { StallSummary } from "../system/event-loop-watch.ts";
import type { ListeningPorts } from "../system/listeners/listening-ports.ts";
import type { Log } from "../system/log.ts";
import { Guests } from "./access/guests.ts";
import { InviteStore } from "./access/invites.ts";
import { Keys } from "./access/keys.ts";
import { Logins } from "./access/logins.ts";
import { OwnerLinks } from "./access/owner-links.ts";
import { Audit } from "./audit/audit.ts";
import { endedEntry } from "./audit/audit-fields.ts";
import { Budgets } from "./budgets/budgets.ts";
import { Governor } from "./budgets/governor.ts";
import { Calls } from "./calls/calls.ts";
import { Idempotency } from "./calls/idempotency.ts";
import { createEntryPoints } from "./entry-points.ts";
import type { ForeignSessions } from "./http/foreign-sessions.ts";
import {
  type ArrivalTimeouts,
  defaultArrivalTimeouts,
  type ListenAddress,
  listen,
  type RunningServer,
} from "./http/listen.ts";
import type { CallLocally, LocalAnswer, LocalCall } from "./http/local-calls.ts";
import type { CallPassed } from "./http/passed-calls.ts";
import { type ReservedAddresses, reserveAddresses } from "./http/reserve-addresses.ts";
import { openRemoteListener, type RemoteListener, type RemoteListenerOptions } from "./http/tls-listener.ts";
import type { McpRoutes } from "./mcp/mcp-routes.ts";
import { Metrics } from "./metrics/metrics.ts";
import { FRAMES } from "./net/client-socket.ts";
import { ConnectionGate } from "./net/connection-gate.ts";
import type { FleetPeer } from "./net/fleet-peer.ts";
import { checkOrigin } from "./net/origin-guard.ts";
import { allHandlers } from "./operations/all-handlers.ts";
import type { FleetMembership, FleetView } from "./operations/fleet.ts";
import type { RunChecks } from "./operations/relay.ts";
import type { AppSettings } from "./operations/settings.ts";
import type { WindowOpener } from "./operations/windows.ts";
import { type PluginNetwork, Plugins } from "./plugins/plugins.ts";
import { eachSession } from "./session/each-session.ts";
import type { Identity } from "./session/identity.ts";
import type { AgentsPort, FindAgents, HistoryControl } from "./session/ports.ts";
import type { Session } from "./session/session.ts";
import { Sessions } from "./session/sessions.ts";
import { reportUnknownTiles } from "./session/unknown-tiles.ts";
import type { NoticeRows } from "./store/notice-rows.ts";
import type { Store } from "./store/store.ts";
import { noTracing, type Telemetry, type TelemetrySources, type Tracing } from "./telemetry/tracing.ts";
import type { RemoteAccess } from "./tls/remote-access.ts";
import { TunnelGate } from "./tunnels/tunnel-gate.ts";
import type { HookPace } from "./webhooks/hook-queue.ts";
import type { SecretStore } from "./webhooks/secret-store.ts";
import { Webhooks } from "./webhooks/webhooks.ts";

export interface RelayOptions {
  readonly store: Store;
  readonly log: Log;
  readonly version: string;
  readonly agents: AgentsPort;
  /** Finds the agents in a shell. Without it every shell is restricted. */
  readonly findAgents?: FindAgents;
  /** Reads the events of agents' hooks. Without it they say nothing. */
  readonly readHook?: ReadHook;
  /** The data folder, for the environment of the shells. */
  readonly dataFolder?: string;
  readonly shellHostFor: (session: SessionId) => ShellHost;
  /** The shell host; by default the shells are in the relay's own process. */
  readonly shellHost?: ShellHostControl;
  readonly basePath?: string;
  readonly commandTimeoutMs?: number;
  /** Folder of the bundled API viewer. */
  readonly docsFolder: string;
  /** Folder of the built pages. */
  readonly pagesFolder: string;
  /** How plugins are fetched; by default with the system's resolver, within 10 s. */
  readonly pluginNetwork?: PluginNetwork;
  /** Where the URLs and secrets of webhooks are kept; by default in memory. */
  readonly secrets?: SecretStore;
  /** How webhooks are delivered; by default with the system's resolver, for over a day. */
  readonly webhookPace?: Partial<HookPace>;
  /** Returns how often this process was held up for over a second. Without it the metrics say never. */
  readonly stalls?: () => StallSummary;
  /** Returns what does not work in this relay; undefined when there is nothing. Without it nothing is told. */
  readonly healthIssue?: () => string | undefined;
  /** Creates what finds the ports that programs in a session's shells listen on. Without it there are no tunnels. */
  readonly ports?: () => ListeningPorts;
  readonly timeouts?: Partial<ArrivalTimeouts>;
  /** Begins to send traces and metrics. Without it there are none. */
  readonly telemetry?: ((sources: TelemetrySources) => Telemetry) | undefined;
}

interface RelayAddresses {
  readonly port: number;
  /** Default: 127.0.0.1. */
  readonly host?: string;
  readonly outside?: RemoteListenerOptions | undefined;
  /** Result of `reserveAddresses` for the same addresses. */
  readonly reserved?: ReservedAddresses;
}

/** For a relay whose shells are in its own process. */
const OWN_PROCESS: ShellHostControl = {
  status: () => ({ state: "running", pid: process.pid, silentMs: 0 }),
  restart: async () => {
    throw new RemoteError("invalid_request", "This relay holds its shells itself: start the relay again instead.");
  },
};

/** The fleet that a relay is in, as the relay uses it. */
export interface RelayFleet extends FleetView, AsyncDisposable {
  readonly foreign: ForeignSessions;
}

/** Composes the relay: sessions, keys and the HTTP server in front of them. `listen` starts it. Independent of Electron. */
export class Relay {
  readonly user = userInfo().username;
  readonly sessions: Sessions;
  readonly keys: Keys;
  readonly plugins: Plugins;
  readonly invites: InviteStore;
  readonly guests: Guests;
  readonly tunnelGate: TunnelGate;
  readonly metrics: Metrics;
  readonly audit: Audit;
  /** Programs that ask to be logged in. */
  readonly logins: Logins;
  readonly budgets: Budgets;
  readonly governor: Governor;
  readonly webhooks: Webhooks;
  /** Past notifications of the desktop app. */
  readonly notices: NoticeRows;
  readonly tracing: Tracing;
  readonly calls: Calls;
  /** Id of this run, which qualifies its event numbers. */
  readonly boot = randomBytes(6).toString("hex");
  readonly #options: RelayOptions;
  readonly #telemetry: Telemetry | undefined;
  readonly #ownerLinks = new OwnerLinks();
  #mcp: McpRoutes | undefined;
  #listening: RunningServer | undefined;
  #remoteListener: RemoteListener | undefined;
  #callLocally: CallLocally | undefined;
  /** Executes a call that a relay of the fleet passes on. */
  callPassed: CallPassed = () => undefined;
  /** The fleet that the relay is in. It is set from outside, so that a relay without one loads nothing of it. */
  fleet: RelayFleet | undefined;
  /** The settings of the desktop app. Set from outside too. */
  appSettings: AppSettings | undefined;
  /** Checks the relay and its machine. Set from outside too. */
  checks: RunChecks | undefined;
  /** The app's windows. Set from outside too. */
  windows: WindowOpener | undefined;
  /** Joins and leaves fleets. Set from outside too. */
  fleetMembership: FleetMembership | undefined;
  /** The other machines that the relay's user knows. Set from outside too. */
  machines: OtherMachines | undefined;
  /** The history of shells on disk. Set from outside too. */
  history: HistoryControl | undefined;

  constructor(options: RelayOptions) {
    const { store, agents, shellHostFor } = options;
    this.#options = options;
    this.keys = new Keys(store.keys);
    this.plugins = new Plugins(store.plugins, options.pluginNetwork);
    this.guests = new Guests(store.guests, store.invites);
    this.invites = new InviteStore(store.invites, this.guests, this.keys);
    this.audit = new Audit(store.audit, options.log);
    this.keys.onEnded((ended) => this.audit.call(endedEntry(ended)));
    this.logins = new Logins(store.logins);
    this.tunnelGate = new TunnelGate({ guests: this.guests, remoteListener: () => this.#remoteListener });
    this.budgets = new Budgets(store.budgets);
    const known = (): readonly Session[] => (started ? this.sessions.all() : []);
    let started = false;
    this.governor = new Governor({ budgets: this.budgets, agents, sessions: known, log: options.log });
    this.sessions = new Sessions({
      store,
      keys: this.keys,
      audit: this.audit,
      plugins: this.plugins,
      guests: this.guests,
      agents,
      findAgents: options.findAgents ?? findAgentsUnavailable,
      governor: this.governor,
      dataFolder: options.dataFolder,
      shellHostFor,
      url: () => this.url,
      history: () => this.history,
      tunnels: options.ports && { ports: options.ports, gate: this.tunnelGate, log: options.log },
    });
    started = true;
    for (const { id } of this.sessions.all()) reportUnknownTiles(store.clients.list(id), options.log);
    this.webhooks = new Webhooks({
      rows: store.webhooks,
      sessions: this.sessions,
      owner: this.user,
      secrets: options.secrets,
      log: options.log,
      linkOf: (session) => `${this.remoteAccess?.urls[0] ?? this.url}/s/${session}`,
      pace: options.webhookPace,
    });
    this.metrics = new Metrics({
      sessions: this.sessions,
      version: options.version,
      storeBytes: () => store.size(),
      stalls: options.stalls ?? (() => ({ count: 0, longestMs: 0 })),
      fleetMembers: () => this.fleet?.status().members.filter(({ state }) => state === "present").length ?? 0,
    });
    this.#telemetry = options.telemetry?.({
      metrics: () => this.metrics.json(),
      events: (take) =>
        eachSession(this.sessions, ({ id, state }) => state.events.subscribe(({ event }) => take(id, event))),
    });
    this.tracing = this.#telemetry ?? noTracing;
    this.notices = store.notices;
    this.calls = this.#calls();
  }

  /** Random id of the data folder, the same at every start. */
  get id(): string {
    return this.#options.store.relayId();
  }

  get version(): string {
    return this.#options.version;
  }

  /** Path under which everything is served as well; "" for none. */
  get basePath(): string {
    return this.#options.basePath ?? "";
  }

  get commandTimeoutMs(): number {
    return this.#options.commandTimeoutMs ?? COMMAND_TIMEOUT_MS;
  }

  /** Base address; empty until `listen` has resolved. */
  get url(): string {
    return this.#listening === undefined ? "" : this.#listening.url + (this.#options.basePath ?? "");
  }

  /** How other machines reach the relay; undefined if they do not. */
  get remoteAccess(): RemoteAccess | undefined {
    return this.#remoteListener?.access;
  }

  /**
   * Starts to serve this machine, and other machines if there is an address for them. Rejects with an AddressError or a
   * CertificateError.
   */
  async listen({ port, host = "127.0.0.1", outside, reserved }: RelayAddresses): Promise<RunningServer> {
    const { basePath = "", log, timeouts, version, docsFolder, pagesFolder } = this.#options;
    const gate = new ConnectionGate(this.metrics);
    const { sessions, calls, keys, logins, invites, guests, plugins, budgets, audit, metrics, tracing, tunnelGate } =
      this;
    const { app, admit, mcp, callPassed, callLocally } = createEntryPoints({
      ...{ sessions, calls, keys, logins, invites, guests, plugins, budgets, audit, metrics, tracing, tunnelGate },
      ...{ gate, log, version, basePath, docsFolder, pagesFolder },
      user: this.user,
      boot: this.boot,
      commandTimeoutMs: this.commandTimeoutMs,
      ownerLinks: this.#ownerLinks,
      remoteAccess: () => this.remoteAccess,
      foreign: () => this.fleet?.foreign,
    });
    this.#mcp = mcp;
    this.callPassed = callPassed;
    this.#callLocally = callLocally;
    const upgradeElsewhere: ForeignSessions["upgrade"] = (request, ...rest) => {
      if (this.fleet === undefined) return false;
      checkOrigin(request, { basePath, remoteAccess: () => this.remoteAccess });
      return this.fleet.foreign.upgrade(request, ...rest);
    };
    const options = {
      app,
      admit,
      upgradeElsewhere,
      gate,
      frames: new TokenBuckets(FRAMES, () => performance.now()),
      metrics: this.metrics,
      timeouts: { ...defaultArrivalTimeouts, ...timeouts },
    };
    const serve = (address: ListenAddress) => listen(options, address);
    const addresses = reserved ?? (await reserveAddresses({ port, host, outside }));
    this.#listening = await serve({ address: addresses.own });
    if (outside !== undefined) {
      this.#remoteListener = await openRemoteListener(
        { serve, basePath, log },
        { ...outside, reserved: addresses.outside },
      );
    }
    this.webhooks.start();
    return this.#listening;
  }

  #calls(): Calls {
    const { sessions, keys, logins, invites, guests, plugins, webhooks, audit, notices, budgets, governor, user } =
      this;
    const { shellHost = OWN_PROCESS, store, agents, version, readHook, dataFolder, healthIssue } = this.#options;
    return new Calls({
      sessions,
      audit,
      permitOf: sessions.permitOf,
      metrics: this.metrics,
      tracing: this.tracing,
      owner: user,
      idempotency: new Idempotency(store.requests),
      handlers: allHandlers({
        ...{
          user,
          version,
          sessions,
          keys,
          logins,
          invites,
          ownerLinks: this.#ownerLinks,
          guests,
          plugins,
          webhooks,
          audit,
          notices,
          budgets,
          governor,
        },
        ...{ agents, readHook, dataFolder, shellHost, healthIssue },
        url: () => this.url,
        remoteAccess: () => this.remoteAccess,
        fleet: () => this.fleet,
        fleetMembership: () => this.fleetMembership,
        machines: () => this.machines,
        windows: () => this.windows,
        history: () => this.history,
        appSettings: () => this.appSettings,
        checks: () => this.checks,
      }),
    });
  }

  /**
   * Opens a connection in memory for a relay of the fleet that passes a request on.
   * @throws Error before `listen` has resolved
   */
  open(peer: FleetPeer): Duplex {
    if (this.#listening === undefined) throw new Error("the relay does not listen yet");
    return this.#listening.open(peer);
  }

  /**
   * Executes a call of a program of this machine that runs in this process. Resolves to undefined, and executes nothing,
   * where another relay of the fleet may have to answer. Rejects with a RemoteError as the call is refused.
   */
  callLocally(call: LocalCall, gone: AbortSignal): Promise<LocalAnswer | undefined> {
    if (this.#callLocally === undefined) throw new Error("the relay does not listen yet");
    return this.#callLocally(call, gone);
  }

  /** Connects a client of this process. */
  attachLocal(session: string, identity: Identity): ClientLink {
    const pair = linkedPair();
    this.sessions.get(session).clients.join(pair.relay, identity);
    return pair.client;
  }

  /** Stops serving, ends all shells, closes the store. */
  async close(): Promise<void> {
    await this.fleet?.[Symbol.asyncDispose]();
    this.logins[Symbol.dispose]();
    this.governor[Symbol.dispose]();
    this.plugins[Symbol.dispose]();
    this.webhooks[Symbol.dispose]();
    // Before the connections of their hooks end.
    for (const { questions } of this.sessions.all()) questions[Symbol.dispose]();
    await this.#mcp?.[Symbol.asyncDispose]();
    await this.#remoteListener?.close();
    await this.#listening?.close();
    await this.sessions[Symbol.asyncDispose]();
    await this.#telemetry?.[Symbol.asyncDispose]();
    this.keys[Symbol.dispose]();
    this.guests[Symbol.dispose]();
    this.audit[Symbol.dispose]();
    this.metrics[Symbol.dispose]();
    this.#options.store[Symbol.dispose]();
  }
}

function findAgentsUnavailable(): Promise<never> {
  return Promise.reject(new Error("this relay does not look for agents"));
}
