import { sep } from "node:path";
import type { LimitsReport } from "../../core/protocol/agent-hooks.ts";
import type {
  Agent,
  AgentCost,
  AgentEvent,
  AgentEventType,
  AgentEvidence,
  AgentKind,
  AgentSession,
  AgentSessionDetails,
} from "../../core/protocol/agent-records.ts";
import { errorText } from "../../core/protocol/error-text.ts";
import { RemoteError } from "../../core/protocol/errors.ts";
import type { SessionId, ShellId } from "../../core/protocol/ids.ts";
import type { PriceListStatus } from "../../core/protocol/prices.ts";
import type { PromptInput } from "../../core/protocol/prompt-input.ts";
import type { AccountWindow } from "../../core/protocol/quotas.ts";
import { Undo } from "../../core/undo.ts";
import { gitBranch } from "../system/git-branch.ts";
import { processSource } from "../system/processes/processes.ts";
import { Accounts } from "./accounts.ts";
import { allAdapters, ownAdapters } from "./adapters/all.ts";
import { manifestAdapter, matchesOf } from "./adapters/manifest.ts";
import { type LoadedManifest, loadManifests, parseManifest } from "./adapters/manifests.ts";
import { AgentPolls } from "./agent-polls.ts";
import { agentCost, agentSessions, knownRuns, pricesOf } from "./agent-reports.ts";
import type { AgentSignal } from "./agent-status.ts";
import { AgentsInShell, type PresentAgent } from "./agents-in-shell.ts";
import type { AgentsOptions, WatchedShell } from "./agents-options.ts";
import { systemClock } from "./clock.ts";
import { Conversations } from "./conversations.ts";
import { LeftBehind } from "./left-behind.ts";
import { LiveAgents } from "./live-agents.ts";
import { PriceLists } from "./price-list.ts";
import { watchPriceOverrides } from "./price-overrides.ts";
import type { PriceCall } from "./pricing.ts";
import { Quotas } from "./quotas.ts";
import { Resumes } from "./resumes.ts";
import type { JoinedAgent, LimitedAgent } from "./running-agents.ts";
import { followEvents, readEvents } from "./session-account.ts";
import { readDetails } from "./session-details.ts";
import { PriceListError } from "./signed-prices.ts";
import { readToldEvents, ToldUsages } from "./told-usage.ts";
import type { AgentRun, UsageBucket } from "./usage-store.ts";

export type { AgentSignal as TerminalSignal } from "./agent-status.ts";
export type { AgentChange, AgentChangeType, AgentsOptions, WatchedShell } from "./agents-options.ts";
export { agentMigrations, type UsageBucket, type UsageStore, usageStore } from "./usage-store.ts";
export type { JoinedAgent };

/** The agents in the shells: their session, model, status and cost. */
export interface Agents extends Disposable {
  /** Polls now and then every second, until disposed. */
  start(): void;
  /** Polls once: for tests and for results that must be current. */
  poll(): Promise<void>;
  list(session: SessionId): Agent[];
  cost(session: SessionId, options?: { readonly explain?: boolean }): AgentCost;
  sessions(session: SessionId): AgentSession[];
  /**
   * The last events of an agent session that was seen in this session; throws `unknown_agent_session` for any other.
   */
  events(
    session: SessionId,
    agentSession: string,
    wanted?: { readonly types?: readonly AgentEventType[] | undefined; readonly limit?: number | undefined },
  ): Promise<AgentEvent[]>;
  /**
   * Follows an agent session that was seen in this session: each call of the returned function resolves to the events since
   * the last one. Throws `unknown_agent_session`.
   */
  follow(session: SessionId, agentSession: string): () => Promise<readonly AgentEvent[]>;
  /** Reads what an agent session that was seen in this session has done. Rejects with `unknown_agent_session`. */
  details(session: SessionId, agentSession: string): Promise<AgentSessionDetails>;
  /** What was said in conversations, in shells and elsewhere. */
  readonly conversations: Conversations;
  /** Which conversations ran in shells that have ended, and how they are resumed. */
  readonly resumes: Resumes;
  /** What ended agents have left running. */
  readonly leftBehind: LeftBehind;
  /**
   * What says which state the agents in a shell have.
   * @param manifest - the text of one to be tried there, whose result comes last. Rejects with `invalid_params` for a bad one
   */
  explain(shell: WatchedShell, manifest?: string): Promise<AgentEvidence[]>;
  /** The kinds of agents that are known, and the user's manifests that are not used. */
  kinds(): AgentKind[];
  /**
   * The agent session whose turn goes on without its terminal. Throws `unknown_agent_session`, and `invalid_request` for one
   * that has no such turn.
   */
  detached(session: SessionId, agentSession: string): AgentRun;
  /** The agents of a kind whose own session is known, in all shells. */
  joined(kind: string): readonly JoinedAgent[];
  /** How prompts are entered into a kind of agent; undefined for one that is not known. */
  input(agentType: string): PromptInput | undefined;
  /** The agents in a shell now. Rejects when that cannot be determined. */
  inShell(shell: WatchedShell): Promise<readonly PresentAgent[]>;
  /** Processes a signal of a shell's terminal. */
  signal(session: SessionId, shellId: ShellId, signal: AgentSignal): void;
  /** The keys that stop a turn of such an agent; undefined where there are none. */
  interruptKeys(agentType: string): string | undefined;
  /** Takes what an agent in a shell reports through a hook. */
  reportLimits(session: SessionId, shellId: ShellId, agentType: string, report: LimitsReport): void;
  /** Takes the report of an agent in a shell that its turn has ended. */
  reportIdle(session: SessionId, shellId: ShellId, agentType: string, agentSession: string): void;
  /** Takes the logs that an agent in a shell sends by OTLP. */
  reportTelemetry(session: SessionId, shellId: ShellId, resourceLogs: readonly unknown[]): void;
  /** The running agents of a session whose accounts have quota windows. */
  limited(session: SessionId): readonly LimitedAgent[];
  /** Reads what the agents in a shell have written. */
  readLatest(session: SessionId, shellId: ShellId): Promise<void>;
  /** The quota windows of all accounts, as agents have last reported them. */
  windows(): readonly AccountWindow[];
  /** Usage of all sessions by model, in hours or local days. */
  usageHistory(since: Date, until: Date, by: "hour" | "day"): readonly UsageBucket[];
  /** The price list in use. */
  prices(): PriceListStatus;
  /** Installs a signed price list. Throws `invalid_params` with the reason where it is not taken. */
  updatePrices(list: string): void;
}

const DEFAULT_EVENTS = 1000;
const MAX_EVENTS = 100_000;
/** For so long, models without a price are listed. */
const UNPRICED_MS = 30 * 24 * 3600 * 1000;

export function createAgents(options: AgentsOptions): Agents {
  const { store, log, clock = systemClock } = options;
  const undo = new Undo();
  const reserved = ownAdapters().map(({ kind }) => kind);
  const manifests = loadManifests(options.manifestsFolder, reserved);
  for (const { file, problem } of manifests)
    if (problem !== undefined) log("a kind of agent is not used", { file, problem });
  const adapters = allAdapters(manifests);
  const told = new ToldUsages();
  const overrides = watchPriceOverrides(options.overridesFile, log);
  const lists = new PriceLists({ file: options.priceListFile, keys: options.priceListKeys, log });
  let loaded: Promise<PriceCall> | undefined;
  const price = () => {
    loaded ??= import("./pricing.ts").then(({ createPricing }) =>
      createPricing(overrides, () => lists.current().providers),
    );
    return loaded;
  };
  const quotas = new Quotas({ store, log });
  const accounts = new Accounts({ store, price, quotas, log, onUpdate: (account) => live.accountUpdated(account) });
  undo.add(() => accounts[Symbol.dispose]());
  const presence = new AgentsInShell(adapters, options.procRoot);
  // Tools of agents have no terminal, and `script` and `su` give another one to what they start.
  const source = processSource(options.procRoot, { anyTerminal: true, withRoots: true });
  const leftBehind = new LeftBehind();
  const live = new LiveAgents({ ...options, leftBehind, adapters, accounts, quotas, clock, source, presence });
  undo.add(() => live[Symbol.dispose]());
  const conversations = new Conversations({
    adapters,
    accounts,
    price,
    runs: () => [...store.allRuns().map((run) => ({ run, status: "ended" as const })), ...live.runs()],
    env: (name) => process.env[name],
  });
  const resumes = new Resumes({ store, adapters, live, conversations });
  const polls = new AgentPolls({ live, source, clock, log });
  undo.add(() => polls[Symbol.dispose]());

  /** Where the transcript of a session is that was seen in this session. Throws `unknown_agent_session`. */
  function sourceOf(session: SessionId, agentSession: string) {
    const run = knownRuns(session, live, store).find(({ run }) => run.sessionId === agentSession)?.run;
    const adapter = adapters.find(({ kind }) => kind === run?.agentType);
    if (run === undefined || adapter === undefined) throw unknownSession(agentSession);
    return { run, source: accounts.source(adapter, run.home, run.sessionId) };
  }

  /** Tries a manifest on a shell: which programs it recognizes there, and what its patterns say of the terminal now. */
  async function tried(
    text: string,
    shell: WatchedShell,
    seen: { readonly title: string; readonly screen: string },
  ): Promise<AgentEvidence> {
    const manifest = manifestIn(text);
    const found = await new AgentsInShell([manifestAdapter(manifest)], options.procRoot).in(shell).catch(() => []);
    const patterns = matchesOf(manifest, seen);
    const shown = patterns.find(({ matches }) => matches)?.name;
    const at = new Date(clock.now()).toISOString();
    const isCertain = found.some(({ recognition }) => recognition === "certain");
    const state = isCertain ? stateIn(shown) : "unknown";
    const detail = `${saidOfProgram(found.length > 0, isCertain)}; ${shown ?? "no pattern"} matches`;
    return {
      ...{ agentType: manifest.kind, sessionId: "", state, reason: { source: "process", detail, at } },
      ...{ evidence: [], patterns },
    };
  }

  return {
    start: () => polls.start(),
    poll: () => live.poll(),
    list: (session) => live.list(session),
    cost: (session, { explain = false } = {}) =>
      agentCost(
        knownRuns(session, live, store),
        accounts,
        explain
          ? {
              prices: lists.current(),
              overrides: options.overridesFile,
              told: (run) => told.of({ sessionId: run.session, shellId: run.shellId }, run),
            }
          : undefined,
      ),
    sessions: (session) => agentSessions(knownRuns(session, live, store), accounts),
    async events(session, agentSession, { types, limit = DEFAULT_EVENTS } = {}) {
      const { run, source } = sourceOf(session, agentSession);
      const wanted = { types, limit: Math.max(0, Math.min(limit, MAX_EVENTS)) };
      const told = await readEvents(source, wanted);
      const asked = types?.includes("permission_request") === false ? [] : live.permissionRequests(run);
      return wanted.limit === 0 ? [] : merged(told, asked).slice(-wanted.limit);
    },
    async details(session, agentSession) {
      const { run, source } = sourceOf(session, agentSession);
      const details = await readDetails({ ...source, price: await price() }, store.calls(run));
      const { sessionId, agentType, model, cwd, home } = run;
      // The paths in a sandbox are its own.
      const branch = details.branch ?? (home.endsWith(sep) ? undefined : await gitBranch(cwd));
      return { sessionId, agentType, model, ...details, ...(branch !== undefined && { branch }) };
    },
    follow: (session, agentSession) => followEvents(sourceOf(session, agentSession).source),
    conversations,
    resumes,
    leftBehind,
    async explain(shell, manifest) {
      const seen = async () => ({
        title: live.titleOf(shell),
        screen: (await options.screen?.(shell).catch(() => "")) ?? "",
      });
      const found = live.explain(shell);
      const own = await Promise.all(
        found.map(async (one) => {
          const known = manifests.find(({ kind }) => kind === one.agentType)?.manifest;
          return known === undefined ? one : { ...one, patterns: matchesOf(known, await seen()) };
        }),
      );
      return manifest === undefined ? own : [...own, await tried(manifest, shell, await seen())];
    },
    kinds() {
      const now = loadManifests(options.manifestsFolder, reserved);
      const isUsed = (one: LoadedManifest) => manifests.some((used) => JSON.stringify(used) === JSON.stringify(one));
      return [
        ...reserved.map((kind) => ({ kind, from: "built-in", used: true })),
        ...now.map((one) => ({
          kind: one.kind,
          from: one.file ?? "built-in",
          used: one.problem === undefined && isUsed(one),
          ...(one.problem !== undefined && { problem: one.problem }),
        })),
      ];
    },
    detached(session, agentSession) {
      const { run } = sourceOf(session, agentSession);
      if (live.isDetached(run)) return run;
      const sentence = `No turn of agent session ${agentSession} goes on without its terminal: list-agent-sessions marks such sessions as detached. A turn in a terminal is stopped by the agent's own key there, such as Escape.`;
      throw new RemoteError("invalid_request", sentence);
    },
    joined: (kind) => live.joined(kind),
    input: (agentType) => adapters.find(({ kind }) => kind === agentType)?.input,
    inShell: (shell) => presence.in(shell),
    signal(session, shellId, signal) {
      const known = live.receiveSignal({ sessionId: session, shellId }, signal);
      if (signal.kind === "command-start") polls.watch();
      else if (signal.kind === "prompt") polls.ended(known);
      else if (!known) polls.soon();
    },
    interruptKeys: (agentType) => adapters.find(({ kind }) => kind === agentType)?.interruptKeys,
    reportLimits: (session, shellId, agentType, report) =>
      live.reportLimits({ sessionId: session, shellId }, { agentType, sessionId: report.agentSessionId }, report),
    reportIdle: (session, shellId, agentType, sessionId) =>
      live.reportIdle({ sessionId: session, shellId }, { agentType, sessionId }),
    reportTelemetry(session, shellId, resourceLogs) {
      const shell = { sessionId: session, shellId };
      for (const event of readToldEvents(resourceLogs)) {
        live.reportTelemetry(shell, event);
        told.add(shell, event);
      }
    },
    limited: (session) => live.limited(session),
    readLatest: (session, shellId) => live.readLatest({ sessionId: session, shellId }),
    windows: () => quotas.list(clock.now()),
    usageHistory: (since, until, by) => store.history(since, until, by),
    prices() {
      const current = lists.current();
      const { providers, problem } = current;
      return {
        ...pricesOf(current, options.overridesFile),
        source: providers === undefined ? "built-in" : "installed",
        ...(problem !== undefined && { problem }),
        unpriced: [...store.unpriced(new Date(clock.now() - UNPRICED_MS))],
      };
    },
    updatePrices(list) {
      try {
        lists.install(list);
      } catch (error) {
        if (!(error instanceof PriceListError)) throw error;
        throw new RemoteError("invalid_params", `list: it was not installed: ${error.message}.`);
      }
    },
    [Symbol.dispose]: () => undo.dispose(),
  };
}

function unknownSession(id: string): RemoteError {
  const sentence = `No agent session ${JSON.stringify(id)} was seen in this session: list-agent-sessions names those that were.`;
  return new RemoteError("unknown_agent_session", sentence);
}

/** Reads a manifest that is to be tried. */
function manifestIn(text: string) {
  try {
    return parseManifest(text);
  } catch (error) {
    throw new RemoteError("invalid_params", `manifest: ${errorText(error)}`);
  }
}

/** Says whether a manifest recognizes a program, and what it lacks where the name alone does not count. */
function saidOfProgram(isFound: boolean, isCertain: boolean): string {
  if (isCertain) return "it recognizes the program";
  return isFound
    ? "a program has the name, which does not count alone for a script or a small program: add its folder to `paths`"
    : "it recognizes no program in this shell";
}

/** The state that a pattern such as `screen.waiting` stands for. */
function stateIn(pattern: string | undefined): AgentEvidence["state"] {
  if (pattern?.endsWith(".working") === true) return "working";
  return pattern?.endsWith(".waiting") === true ? "waiting" : "idle";
}

/** Inserts events known only from the terminal by time; the order of the transcript's events stays. */
function merged(events: readonly AgentEvent[], others: readonly AgentEvent[]): AgentEvent[] {
  const all = [...events];
  for (const other of others) {
    const next = all.findIndex(({ at }) => at > other.at);
    all.splice(next === -1 ? all.length : next, 0, other);
  }
  return all;
}
