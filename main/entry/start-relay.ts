import { userInfo } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { RelayEvent } from "../../core/protocol/events.ts";
import type { SessionId } from "../../core/protocol/ids.ts";
import type { Shell } from "../../core/protocol/records.ts";
import { Undo } from "../../core/undo.ts";
import { version } from "../../package.json" with { type: "json" };
import { agentMigrations } from "../agents/agents.ts";
import { HealthMonitor } from "../relay/health.ts";
import { type ReservedAddresses, reserveAddresses } from "../relay/http/reserve-addresses.ts";
import type { RemoteListenerOptions } from "../relay/http/tls-listener.ts";
import { Relay } from "../relay/relay.ts";
import { retainChat } from "../relay/session/chat-retention.ts";
import { adoptLostShells } from "../relay/session/reconcile-shells.ts";
import { checkInBackground } from "../relay/store/check-rows.ts";
import { keepSynced } from "../relay/store/keep-synced.ts";
import { openStore, StoreError } from "../relay/store/open-store.ts";
import { Store } from "../relay/store/store.ts";
import { markStore, markStoreClosed } from "../relay/store/store-mark.ts";
import { readCertificate } from "../relay/tls/certificate.ts";
import { servedNames } from "../relay/tls/served-names.ts";
import { storedCertificate } from "../relay/tls/stored-certificate.ts";
import { HostedShells } from "../shells/host/hosted-shells.ts";
import { announce, isAnnouncedByAnother } from "../system/discovery.ts";
import { EventLoopWatch } from "../system/event-loop-watch.ts";
import type { FolderLock } from "../system/folder-lock.ts";
import { privateSocket, relayFiles, shellHostPaths } from "../system/folders.ts";
import { KeptSecrets } from "../system/kept-secrets.ts";
import { PortFinder } from "../system/listeners/port-finder.ts";
import type { Log } from "../system/log.ts";
import { stallFile, takeLastStall } from "../system/stall-file.ts";
import { type WatchedAgents, watchAgents } from "./agents-for-relay.ts";
import { claimDataFolder, watchDataFolder } from "./claim-data-folder.ts";
import { serveCommandSocket } from "./command-socket.ts";
import { describeLoss, diskSentence, findForgottenShells, isDiskError, reportDamage } from "./disk-faults.ts";
import { FleetKeeper, type JoinFleet, readFleet } from "./fleet-membership.ts";
import { healthChecks } from "./health-checks.ts";
import { HistoryKeeper } from "./history-keeper.ts";
import { openLog } from "./logging/open-log.ts";
import type { Options } from "./options/options.ts";
import { outsideNotice } from "./remote-notice.ts";
import { shellHostCommand } from "./shell-host-command.ts";
import { shellsEnvironment, withoutCollectorKeys } from "./shells-environment.ts";
import { writeAgentPrograms } from "./write-agent-programs.ts";

export interface RunningRelay {
  readonly relay: Relay;
  readonly log: Log;
  /** Id of the user's default session. */
  readonly session: SessionId;
  /** Account in the keychain for the command line's key. */
  readonly keyAccount: string;
  /** Whether the command line finds this relay without options; false when another relay of the user was first. */
  readonly found: boolean;
  /** Notices about this start for the user: a damaged database set aside, shells that ended. */
  readonly notices: readonly string[];
  /** The agents' usage, for the charts of the tray app. */
  readonly usageHistory: WatchedAgents["port"]["usageHistory"];
  readonly trouble: HealthMonitor;
  /** Makes closing the relay leave its shells running for the next start. */
  keepShells(): void;
  /**
   * Resolves with a sentence for the user, which is also logged, when the data folder or the shells no longer belong to
   * this relay: it must stop. Closing it then leaves the other relay's files alone.
   */
  readonly lost: Promise<string>;
  close(): Promise<void>;
}

/**
 * Builds and starts the relay of a data folder; `dist` is the folder of the built program. Locks the folder first, then
 * reserves the ports, before anything else is touched, so that a failure of either changes nothing. Rejects with a
 * StoreError, an AddressError, a CertificateError or a SocketFolderError, whose messages are for the user.
 */
export async function startRelay(options: Options, dist: string): Promise<RunningRelay> {
  const joinFleet = options.fleet && (await readFleet(options.fleet));
  const { own: announcement } = relayFiles(options.data);
  const paths = shellHostPaths(options.data);
  const lock = await claimDataFolder(options, announcement);
  try {
    const reserved = await reserveAddresses(options);
    try {
      return await startLocked({ options, dist, paths, lock, reserved, joinFleet });
    } catch (error) {
      reserved.release();
      throw error;
    }
  } catch (error) {
    lock.release();
    throw isDiskError(error) ? new StoreError(diskSentence(options.data, error)) : error;
  }
}

interface StartContext {
  readonly options: Options;
  readonly dist: string;
  readonly paths: ReturnType<typeof shellHostPaths>;
  readonly lock: FolderLock;
  readonly reserved: ReservedAddresses;
  readonly joinFleet: JoinFleet | undefined;
}

async function startLocked(context: StartContext): Promise<RunningRelay> {
  const undo = new Undo();
  try {
    return await startParts(context, undo);
  } catch (error) {
    // What goes on by itself would keep the process of a failed start alive.
    undo.dispose();
    throw error;
  }
}

async function startParts(
  { options, dist, paths, lock, reserved, joinFleet }: StartContext,
  undo: Undo,
): Promise<RunningRelay> {
  const lost = new ShutdownReason();
  const { database, lost: lostStore, unchecked, watchDamage } = openStore(options.data, { agents: agentMigrations });
  // Before the shells are connected: a disk that is full here would leave that connection open.
  writeAgentPrograms(options.data);
  const store = new Store(database);
  const trouble = new HealthMonitor();
  undo.add(() => trouble[Symbol.dispose]());
  const log = trouble.watchErrors(await openLog(options.data, { level: options.logLevel }));
  const loop = watchEventLoop(options.data, log);
  undo.add(() => loop[Symbol.dispose]());
  const history: HistoryKeeper = new HistoryKeeper({
    rows: store.history,
    folder: join(options.data, "history"),
    relayId: store.relayId(),
    shells: () => shells,
    user: userInfo().username,
    runs: () => agents.runs(),
    player: join(dist, "player"),
    indexProgram: join(dist, "main", "history-index.cjs"),
    log,
  });
  const shells = await HostedShells.open({
    paths,
    history: history.reader,
    onHistory: (sentence) => history.report(sentence),
    command: shellHostCommand(dist),
    environment: shellsEnvironment(dist, options.otlp === undefined ? process.env : withoutCollectorKeys(process.env)),
    log,
    dismissed: () => lost.note("Another relay has taken the shells over. The relay stops."),
    onHung: (sentence) => {
      trouble.setOngoing(sentence);
      const event: RelayEvent =
        sentence === undefined
          ? { type: "shell-host.recovered", data: {} }
          : { type: "shell-host.hung", data: { message: sentence } };
      for (const session of relay.sessions.all()) session.emit(event);
    },
  });
  undo.add(keepSynced(database));
  const loss = lostStore ?? findForgottenShells(store, shells.kept);
  if (loss !== undefined) {
    log.error(loss);
    adoptLostShells(store, shells.kept, userInfo().username);
  }
  const { otlp } = options;
  // Loaded only where it is asked for.
  const Otlp = otlp === undefined ? undefined : (await import("../relay/telemetry/otlp.ts")).Otlp;
  const agents = watchAgents({
    database,
    log,
    overridesFile: join(options.data, "prices.json"),
    data: options.data,
    sessions: () => relay.sessions,
  });
  const relay: Relay = new Relay({
    store,
    log,
    version,
    docsFolder: join(dist, "docs"),
    pagesFolder: join(dist, "renderer"),
    ports: () => new PortFinder(),
    agents: agents.port,
    findAgents: agents.find,
    readHook: agents.readHook,
    dataFolder: resolve(options.data),
    secrets: new KeptSecrets(options.data),
    stalls: () => loop.stalls,
    healthIssue: () => trouble.issue,
    basePath: options.basePath,
    commandTimeoutMs: options.commandTimeoutMs,
    shellHost: shells,
    telemetry:
      Otlp && otlp ? (sources) => new Otlp({ url: otlp, version, relay: store.relayId(), log }, sources) : undefined,
    shellHostFor(session) {
      const host = shells.hostFor(session);
      agents.watchTerminals(session, host);
      history.watch(session, host, (shell) => relay.sessions.get(session).inputSources.take(shell));
      return host;
    },
  });
  relay.history = history;
  // The keychain may take long, or wait for its owner.
  void history.resume();
  try {
    const session = relay.sessions.default(relay.user).id;
    await shells.endOthers(relay.sessions.all().map(({ id }) => id));
    const keyAccount = `cli-${relay.id}`;
    store.noteOpened();
    markStore(options.data, { id: relay.id, inUse: true });
    const foundDamage = (error: unknown) => reportDamage({ data: options.data, id: relay.id, log, error });
    watchDamage(foundDamage);
    undo.add(checkInBackground(database, unchecked, foundDamage));
    undo.add(retainChat(store, relay.sessions, options.keepChat));
    await relay.listen({ port: options.port, host: options.host, outside: outsideDoor(options), reserved });
    const told = {
      url: relay.url,
      pid: process.pid,
      version,
      startedAt: new Date().toISOString(),
      session,
      keyAccount,
    };
    const { own, shared } = relayFiles(options.data);
    undo.add(announce(own, told));
    undo.add(watchDataFolder({ data: options.data, lock, announcement: own, relay: told }, (why) => lost.note(why)));
    const found = !isAnnouncedByAnother(shared);
    if (found) undo.add(announce(shared, told));
    undo.add(await quickCommands({ data: options.data, link: found ? dirname(shared) : undefined, relay, log }));
    undo.add(outliveErrors(log));
    agents.start();
    const restored = await restoreFolders(relay, log);
    const membership = new FleetKeeper({ data: options.data, relay, log });
    await membership.start(joinFleet);
    relay.fleetMembership = membership;
    relay.checks = healthChecks(options.data);
    log.info("started", { url: relay.url, version });
    const close = async () => {
      shells.prepareClose();
      undo.dispose();
      agents[Symbol.dispose]();
      await relay.close();
      await shells.close();
      await history[Symbol.asyncDispose]();
      if (!lost.isNoted) markStoreClosed(options.data);
      log.info("stopped");
      lock.release();
    };
    return {
      relay,
      log,
      session,
      keyAccount,
      found,
      notices: [
        ...(loss === undefined ? [] : [describeLoss(loss, relay)]),
        ...restored,
        ...endedNotices(relay),
        ...(relay.remoteAccess === undefined ? [] : [outsideNotice(relay.remoteAccess)]),
      ],
      usageHistory: agents.port.usageHistory,
      trouble,
      keepShells: () => shells.keep(),
      lost: lost.noted.then((why) => {
        // They belong to the relay that has the folder now.
        shells.keep();
        log.error(why);
        return why;
      }),
      close,
    };
  } catch (error) {
    // A failed start must not end the shells of the last run.
    undo.dispose();
    shells.keep();
    await relay.close();
    await shells.close();
    throw error;
  }
}

/** Logs each stall of this process, and one in which the last process of the data folder was ended. */
function watchEventLoop(data: string, log: Log): EventLoopWatch {
  const last = takeLastStall(data);
  if (last !== undefined) log.warn("the last run hung when it was ended", last);
  return new EventLoopWatch({
    file: stallFile(data),
    onStall: (stall) => log.warn("the event loop was held up, so nothing was answered", { ...stall }),
  });
}

/** Why this relay must stop, once there is a reason. */
class ShutdownReason {
  readonly noted: Promise<string>;
  isNoted = false;
  note: (why: string) => void = () => undefined;

  constructor() {
    this.noted = new Promise((resolve) => {
      this.note = (why) => {
        this.isNoted = true;
        resolve(why);
      };
    });
  }
}

/** Only the speed of the command line depends on it, so a socket that cannot be created is only logged. */
async function quickCommands({
  data,
  link: place,
  relay,
  log,
}: {
  data: string;
  link: string | undefined;
  relay: Relay;
  log: Log;
}): Promise<() => void> {
  if (process.platform === "win32") return () => undefined;
  try {
    const link = place === undefined ? undefined : join(place, "commands.sock");
    return await serveCommandSocket(privateSocket(data, "commands"), link, {
      origin: new URL(relay.url).origin,
      call: (call, gone) => relay.callLocally(call, gone),
    });
  } catch (error) {
    log.warn("the fast command line is off", { error });
    return () => undefined;
  }
}

/** Logs errors that nothing foresaw, and goes on: one caller's is no reason to end the sessions of all. */
function outliveErrors(log: Log): () => void {
  const ignore = () => undefined;
  // Without a reader, or on a full disk, the error output would have an error for each that is told there.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", ignore);
  const tell = (error: unknown) => log.error("an error that nothing foresaw", { error });
  process.on("unhandledRejection", tell).on("uncaughtException", tell);
  return () => {
    process.off("unhandledRejection", tell).off("uncaughtException", tell);
    for (const stream of [process.stdout, process.stderr]) stream.off("error", ignore);
  };
}

/** The listener for other machines, with the user's certificate or the one stored in the data folder. */
function outsideDoor({ outside, data }: Options): RemoteListenerOptions | undefined {
  if (outside === undefined) return undefined;
  const { host, port, files } = outside;
  return {
    host,
    port,
    certificate: async () =>
      files === undefined ? storedCertificate(join(data, "tls.pem"), servedNames(host)) : readCertificate(files),
  };
}

/** Starts again what the owner has decided to have back in every case. Returns a sentence for each session. */
async function restoreFolders(relay: Relay, log: Log): Promise<string[]> {
  const notices: string[] = [];
  for (const { restorer, clients, state } of relay.sessions.all()) {
    const all = await restorer
      .restoreAlways(() => clients.relayUser)
      .catch((error: unknown) => {
        log.error("what the owner always wants back could not be started", { error });
        return [];
      });
    for (const { title, cwd, state: outcome, why = "" } of all) {
      if (outcome === "skipped")
        notices.push(`Session ${state.now.session.name}: ${title} in ${cwd} was not started again. ${why}`);
    }
    const back = all.filter(({ newShellId }) => newShellId !== undefined);
    if (back.length === 0) continue;
    const names = back.map(({ title, cwd }) => `${title} in ${cwd}`).join(", ");
    log.info("started again, as the owner has decided for their folders", { session: state.now.session.id, names });
    notices.push(`Session ${state.now.session.name}: started again, as you have decided for their folders: ${names}.`);
  }
  return notices;
}

function endedNotices(relay: Relay): string[] {
  return relay.sessions.all().flatMap((session) => {
    const ended = session.orphanedShells.filter(({ id }) => session.shells.find(id) !== undefined);
    if (ended.length === 0) return [];
    const names = ended.map((shell: Shell) => `${shell.id} (${shell.title})`).join(", ");
    const { name } = session.state.now.session;
    return [
      `Session ${name}: ${ended.length} shell${ended.length === 1 ? "" : "s"} ended with the last run: ${names}. \`service sessions restore\` lists what can be started again.`,
    ];
  });
}
