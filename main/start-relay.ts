import { dirname, join } from "node:path";
import type { SessionId } from "../core/protocol/ids.ts";
import type { Shell } from "../core/protocol/records.ts";
import type { RelayFile } from "../core/protocol/relay-file.ts";
import { Undo } from "../core/undo.ts";
import { version } from "../package.json" with { type: "json" };
import { agentMigrations } from "./agents/agents.ts";
import { type WatchedAgents, watchAgents } from "./agents-for-relay.ts";
import { privateSocket, relayFiles, shellHostPlaces } from "./folders.ts";
import { openLog } from "./open-log.ts";
import type { Options } from "./options.ts";
import { outsideNotice } from "./outside-notice.ts";
import { serveQuickCommands } from "./quick-commands.ts";
import { Budgets } from "./relay/budgets.ts";
import { announce, isAnnouncedByAnother, runningRelayAt } from "./relay/discovery.ts";
import type { Log } from "./relay/log.ts";
import { readCertificate } from "./relay/outside/certificate.ts";
import { keptCertificate } from "./relay/outside/kept-certificate.ts";
import type { OutsideDoor } from "./relay/outside/open-door.ts";
import { servedNames } from "./relay/outside/served-names.ts";
import { Relay } from "./relay/relay.ts";
import { keepSynced } from "./relay/store/keep-synced.ts";
import { NoticeRows } from "./relay/store/notice-rows.ts";
import { openStore, StoreError } from "./relay/store/open-store.ts";
import { Store } from "./relay/store/store.ts";
import { Trouble } from "./relay/trouble.ts";
import { shellHostCommand } from "./shell-host-command.ts";
import { HostedShells } from "./shell-host-process/hosted-shells.ts";
import { shellsEnvironment } from "./shells-environment.ts";
import { shellsForRelay } from "./shells-for-relay.ts";
import { PortFinder } from "./tunnels/port-finder.ts";

export interface RunningRelay {
  readonly relay: Relay;
  readonly log: Log;
  /** Id of the user's default session. */
  readonly session: SessionId;
  /** Account in the keychain for the command line's key. */
  readonly keyAccount: string;
  /** Whether the command line finds this relay by itself; no when another one of the user's was there first. */
  readonly found: boolean;
  /** Sentences about this start that the user should read: a damaged database put aside, shells that ended. */
  readonly notices: readonly string[];
  /** What the agents used, for the charts of the tray app. */
  readonly usageHistory: WatchedAgents["usageHistory"];
  readonly budgets: Budgets;
  /** Past notifications of the tray app. */
  readonly pastNotices: NoticeRows;
  readonly trouble: Trouble;
  /** From now on closing the relay leaves its shells running, for the next start. */
  keepShells(): void;
  close(): Promise<void>;
}

/**
 * Builds the relay of a data folder and starts it; `dist` is the folder of the built program. Rejects with a StoreError
 * or a PortTakenError, whose messages are for the user.
 */
export async function startRelay(options: Options, dist: string): Promise<RunningRelay> {
  const undo = new Undo();
  const { own, shared } = relayFiles(options.data);
  const other = await runningRelayAt(own);
  if (other !== undefined) throw new StoreError(inUse(options, other));
  const { database, damaged } = openStore(options.data, { agents: agentMigrations });
  const trouble = new Trouble();
  undo.add(() => trouble[Symbol.dispose]());
  const log = trouble.heardIn(await openLog(options.data, { level: options.logLevel }));
  const shells = await HostedShells.open({
    places: shellHostPlaces(options.data),
    command: shellHostCommand(dist),
    environment: shellsEnvironment(dist),
    log,
  });
  undo.add(keepSynced(database));
  const agents = watchAgents({
    database,
    log,
    overridesFile: join(options.data, "prices.json"),
    sessions: () => relay.sessions,
  });
  const relay: Relay = new Relay({
    store: new Store(database),
    log,
    version,
    docsFolder: join(dist, "docs"),
    pagesFolder: join(dist, "renderer"),
    ports: new PortFinder(),
    agents: agents.port,
    basePath: options.basePath,
    commandTimeoutMs: options.commandTimeoutMs,
    shellHostFor: (session) =>
      shellsForRelay(shells.hostFor(session), (shell, signal) => agents.signal(session, shell, signal)),
  });
  try {
    const session = relay.sessions.default(relay.user).id;
    await shells.endOthers(relay.sessions.all().map(({ id }) => id));
    const keyAccount = `cli-${relay.id}`;
    await relay.listen({ port: options.port, host: options.host, outside: outsideDoor(options) });
    const told = {
      url: relay.url,
      pid: process.pid,
      version,
      startedAt: new Date().toISOString(),
      session,
      keyAccount,
    };
    undo.add(announce(own, told));
    const found = !isAnnouncedByAnother(shared);
    if (found) undo.add(announce(shared, told));
    undo.add(await quickCommands(options.data, found ? dirname(shared) : undefined, log));
    const unforeseen = (error: unknown) => log.error("something failed that nobody waited for", { error });
    process.on("unhandledRejection", unforeseen);
    undo.add(() => process.off("unhandledRejection", unforeseen));
    agents.start();
    log.info("started", { url: relay.url, version });
    return {
      relay,
      log,
      session,
      keyAccount,
      found,
      notices: [
        ...damageNotice(damaged),
        ...endedNotices(relay),
        ...(relay.outside === undefined ? [] : [outsideNotice(relay.outside)]),
      ],
      usageHistory: agents.usageHistory,
      budgets: new Budgets(database),
      pastNotices: new NoticeRows(database),
      trouble,
      keepShells: () => shells.keep(),
      async close() {
        undo.dispose();
        agents[Symbol.dispose]();
        await relay.close();
        await shells.close();
        log.info("stopped");
      },
    };
  } catch (error) {
    // A start that failed, for a port that is taken, must not cost the shells of the last run.
    shells.keep();
    await relay.close();
    await shells.close();
    throw error;
  }
}

/** Nothing depends on it but the speed of the command line, so a socket that cannot be made is only noted. */
async function quickCommands(data: string, place: string | undefined, log: Log): Promise<() => void> {
  if (process.platform === "win32") return () => undefined;
  try {
    const link = place === undefined ? undefined : join(place, "commands.sock");
    return await serveQuickCommands(privateSocket(data, "commands"), link);
  } catch (error) {
    log.warn("the fast command line is off", { error });
    return () => undefined;
  }
}

/** The door for other machines, with the user's certificate or one that is kept in the data folder. */
function outsideDoor({ outside, data }: Options): OutsideDoor | undefined {
  if (outside === undefined) return undefined;
  const { host, port, files } = outside;
  return {
    host,
    port,
    certificate: async () =>
      files === undefined ? keptCertificate(join(data, "tls.pem"), servedNames(host)) : readCertificate(files),
  };
}

function inUse({ data, port }: Options, { url, pid }: RelayFile): string {
  const taken = new URL(url).port === String(port) ? `Port ${port} is taken, and the` : "The";
  const also = taken === "The" ? "" : ", and another port with --port";
  return `${taken} data folder ${data} is in use, by the relay at ${url} (process ${pid}): stop that, or choose another folder with --data${also}.`;
}

function damageNotice(aside: string | undefined): string[] {
  if (aside === undefined) return [];
  return [`The database was damaged. It is kept as ${aside}, and a fresh one was started.`];
}

function endedNotices(relay: Relay): string[] {
  return relay.sessions.all().flatMap((session) => {
    const ended = session.endedWithLastRun;
    if (ended.length === 0) return [];
    const names = ended.map((shell: Shell) => `${shell.id} (${shell.title})`).join(", ");
    const { name } = session.facts.now.session;
    return [
      `Session ${name}: ${ended.length} shell${ended.length === 1 ? "" : "s"} ended with the last run: ${names}.`,
    ];
  });
}
