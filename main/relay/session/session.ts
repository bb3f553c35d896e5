import type { RelayEvent } from "../../../core/protocol/events.ts";
import type { SessionId } from "../../../core/protocol/ids.ts";
import type { SessionRecord, Shell } from "../../../core/protocol/records.ts";
import type { ShellHost } from "../../../core/protocol/shell-host.ts";
import { Undo } from "../../../core/undo.ts";
import { HookSigns } from "../../system/hook-signs.ts";
import { isWithin, realPlace } from "../../system/real-place.ts";
import { withDeadline } from "../../system/with-deadline.ts";
import type { Guests } from "../access/guests.ts";
import type { Keys } from "../access/keys.ts";
import { OwnedResources } from "../access/permits/owned-resources.ts";
import { isAccountValid } from "../access/permits/permit.ts";
import type { Audit } from "../audit/audit.ts";
import { policyEntry } from "../audit/audit-fields.ts";
import { otherEventEntry } from "../audit/question-entries.ts";
import type { Plugins } from "../plugins/plugins.ts";
import { Policies } from "../questions/policies.ts";
import { Questions } from "../questions/questions.ts";
import { Leases } from "../sends/leases.ts";
import { Sends } from "../sends/sends.ts";
import { TypingGuard } from "../sends/typing-guard.ts";
import type { SessionRow } from "../store/session-rows.ts";
import type { Store } from "../store/store.ts";
import { AdoptRequests } from "./adopt-requests.ts";
import { CallerBudgets } from "./caller-budgets.ts";
import { SessionClients } from "./clients.ts";
import { InputSources } from "./input-sources.ts";
import { type RunOperation, relayOperations } from "./operations.ts";
import { OwnerPresence } from "./owner-presence.ts";
import type { AgentsPort, FindAgents, HistoryControl, InputGovernor } from "./ports.ts";
import { reconcileShells } from "./reconcile-shells.ts";
import { RelayExecutor } from "./relay-executor.ts";
import { Restorer } from "./restorer.ts";
import { RoleRequests } from "./role-requests.ts";
import { SessionState } from "./session-state.ts";
import { SessionTunnels, type SessionTunnelsOptions } from "./session-tunnels.ts";
import { ShellRights } from "./shell-rights.ts";
import { SessionShells } from "./shells.ts";
import { TerminalAnswers } from "./terminal-answers.ts";
import { Uploads } from "./uploads.ts";

/** The costs of an agent are read within this time, on a hung disk too, or a person answers in place of a policy. */
const COSTS_WITHIN_MS = 5000;

interface SessionOptions {
  readonly row: SessionRow;
  readonly store: Store;
  readonly keys: Keys;
  readonly audit: Audit;
  readonly plugins: Plugins;
  readonly guests: Guests;
  readonly shellHost: ShellHost;
  readonly agents: AgentsPort;
  readonly findAgents: FindAgents;
  readonly governor: InputGovernor;
  /** The data folder, for the environment of the shells. */
  readonly dataFolder?: string | undefined;
  readonly url: () => string;
  /** The history of shells on disk; undefined where none is recorded. */
  readonly history: () => HistoryControl | undefined;
  /** Absent if the relay has no tunnels. */
  readonly tunnels?: SessionTunnelsOptions | undefined;
}

/** A session of this relay: its state, shells and clients. Transports are above it. */
export class Session implements AsyncDisposable {
  readonly state: SessionState;
  readonly shells: SessionShells;
  readonly clients: SessionClients;
  readonly tunnels: SessionTunnels | undefined;
  /** Ownership of shells and tiles, for callers who may change only their own. */
  readonly ownedResources: OwnedResources;
  /** What each caller may have open. */
  readonly budgets = new CallerBudgets();
  /** What the programs in shells may do. */
  readonly rights: ShellRights;
  /** Executes commands without a client. */
  readonly executor: RelayExecutor;
  /** Runs an operation for a caller, after the checks of its permit. */
  readonly operate: RunOperation;
  /** Rules that answer what its agents ask. */
  readonly policies: Policies;
  /** What the agents in its shells ask. */
  readonly questions: Questions;
  /** Which program may type into which shell. */
  readonly leases: Leases;
  /** Keeps programs from typing where a person or a question is in the way. */
  readonly guard: TypingGuard;
  /** When its owner last did something in it. */
  readonly presence = new OwnerPresence();
  /** Who enters the commands that run in its shells. */
  readonly inputSources = new InputSources();
  /** Prompts that are sent to the agents in its shells. */
  readonly sends: Sends;
  /** Starts again what ended without being closed. */
  readonly restorer: Restorer;
  /** Shells that were running when the store was last written and ended with their shell host. */
  readonly orphanedShells: readonly Shell[];
  readonly #uploads: Uploads;
  readonly #store: Store;
  readonly #undo = new Undo();

  constructor({
    row,
    store,
    keys,
    audit,
    plugins,
    guests,
    shellHost,
    agents,
    findAgents,
    governor,
    dataFolder,
    url,
    history,
    tunnels,
  }: SessionOptions) {
    this.#store = store;
    const { shells: known, ended, orphaned, unlisted } = reconcileShells(store.shells, row.id, shellHost.list());
    this.orphanedShells = orphaned;
    this.state = new SessionState({
      session: row,
      clients: [],
      shells: known,
      chat: store.chat.list(row.id),
      tunnels: [],
      agents: [],
      adoptRequests: [],
      roleRequests: [],
      questions: [],
      plugins: plugins.records(row.id),
      restrictions: {
        restrictShells: store.restrictions.restrictsShells(row.id),
        requests: [],
        allowed: store.restrictions.listPermissions(row.id),
      },
    });
    this.#undo.add(
      plugins.onChange((session) => {
        if (session === row.id) this.state.apply({ kind: "plugins", plugins: plugins.records(session) });
      }),
    );
    for (const { id: shellId, exitCode, signal = null } of ended) {
      this.emit({ type: "shell.exited", data: { shellId, exitCode, signal } });
    }
    keys.revokeOtherShellTokens(row.id, new Set(known.filter((shell) => shell.running).map((shell) => shell.id)));
    // No client knows these shells: the relay was interrupted while it created them.
    for (const id of unlisted) shellHost.forget({ shell: id }).catch(() => undefined);
    this.shells = new SessionShells({
      session: row.id,
      owner: row.owner,
      state: this.state,
      store,
      keys,
      host: shellHost,
      url,
      dataFolder,
      membership: ({ id, role }) => this.clients.membership(id) ?? { role, guest: true },
    });
    const adopts = new AdoptRequests({
      state: this.state,
      shells: this.shells,
      adopted: (client, shell, focus) => this.clients.get(client)?.send({ type: "adopted", shell, focus }),
    });
    this.#undo.add(() => adopts[Symbol.dispose]());
    this.#uploads = new Uploads({ shells: this.shells, budgets: this.budgets });
    const roleRequests = new RoleRequests({ state: this.state, clients: () => this.clients });
    this.#undo.add(() => roleRequests[Symbol.dispose]());
    this.ownedResources = new OwnedResources({
      shell: (id) => this.shells.find(id),
      savedState: (client) => this.clients.savedStateOf(client),
    });
    this.rights = new ShellRights({
      state: this.state,
      shells: this.shells,
      rows: store.restrictions,
      findAgents,
      membership: (client) => this.clients.membership(client),
    });
    this.#undo.add(() => this.rights[Symbol.dispose]());
    this.policies = new Policies({ session: row.id, rows: store.policies, places: { real: realPlace, isWithin } });
    this.questions = this.#openQuestions({ agents, governor, audit, dataFolder });
    this.leases = new Leases((shell, lease) => this.shells.setLease(shell, lease));
    this.#undo.add(() => this.leases[Symbol.dispose]());
    this.guard = this.#openGuard(agents);
    this.sends = this.#openSends({ agents, keys, governor });
    this.restorer = new Restorer({
      state: this.state,
      shells: this.shells,
      rows: store.shells,
      agents,
      replaceInLayouts: (old, next) => this.clients.replaceShell(old, next),
      lastCommands: async (shell) => (await history()?.lastCommands(row.id, shell)) ?? [],
      lastOutput: async (shell) => (await history()?.lastOutput(row.id, shell)) ?? "",
    });
    this.operate = relayOperations({
      state: this.state,
      shells: this.shells,
      ownedResources: this.ownedResources,
      rights: this.rights,
      adopts,
      roleRequests,
      uploads: this.#uploads,
      plugins,
      agents,
      questions: this.questions,
      governor,
      guard: this.guard,
      sends: this.sends,
      restorer: this.restorer,
      sources: this.inputSources,
      store,
      budgets: this.budgets,
      host: shellHost,
      history,
      presence: this.presence,
      savedStateOf: (client) => this.clients.stateOf(client),
    });
    const { operate } = this;
    this.executor = new RelayExecutor({ state: this.state, operate });
    const answers = new TerminalAnswers({ host: shellHost, answererOf: (shell) => this.clients.answererOf(shell) });
    this.#undo.add(shellHost.onEvent((event) => answers.heard(event)));
    this.tunnels = tunnels === undefined ? undefined : new SessionTunnels(tunnels, this.state);
    this.clients = new SessionClients({
      state: this.state,
      shells: this.shells,
      answers,
      operate,
      audit,
      owner: row.owner,
      guests,
      store,
      withdrawRequests: (client) => adopts.expireFrom(client),
      roleRequests,
      keepsLayout: this.restorer.hasOffers(),
    });
    // After the clients' own listener: a tunnel's check reads what is stored.
    this.#undo.add(
      guests.onChange((change) => {
        if (change.session === row.id) this.tunnels?.recheck();
      }),
    );
    this.#undo.add(() => this.clients[Symbol.dispose]());
  }

  #openQuestions({
    agents,
    governor,
    audit,
    dataFolder,
  }: Pick<SessionOptions, "agents" | "governor" | "audit" | "dataFolder">): Questions {
    const { state, shells, policies } = this;
    const hookSigns = dataFolder === undefined ? undefined : new HookSigns(dataFolder);
    const questions = new Questions({
      session: { id: this.id, apply: (diff) => state.apply(diff), emit: (event) => state.emit(event) },
      rows: this.#store.questions,
      isRunning: (shell) => shells.find(shell)?.running === true,
      agents: () => state.now.agents,
      follow: (sessionId) => agents.follow(this.id, sessionId),
      screen: {
        read: async (shell) => (await shells.host.screen({ shell, join: false })).text,
        type: (shell, keys) => shells.write(shell, keys),
        expectsHook: ({ agentType, reason }) =>
          reason !== undefined && hookSigns?.isExpected(agentType, new Date(reason.at)) === true,
        lastInputAt: (shell) => this.guard.lastInputAt(shell),
      },
      relayAnswered: (question) => governor.answered(question),
      askedOtherwise: (event) =>
        audit.call(otherEventEntry({ session: this.id, ...event }), {
          repeats: `${this.id} ${event.shell} asks otherwise`,
        }),
      policies: {
        decide: async (asked, shell) => {
          const verdict = await policies.decide(asked);
          if (verdict?.would !== "allow") return verdict;
          // A budget holds what is automated, and a policy's answer is.
          const late = () => new Error("its costs could not be read in time");
          const isHeld = await withDeadline(governor.checkPrompt(this.id, shell), COSTS_WITHIN_MS, late).then(
            () => false,
            () => true,
          );
          // It may have been removed meanwhile.
          return isHeld || policies.list().every(({ id }) => id !== verdict.policy) ? undefined : verdict;
        },
        isEmpty: () => policies.list().length === 0,
        answered: (answer) => audit.call(policyEntry(answer)),
      },
    });
    state.subscribers.add({
      send(frame) {
        if (frame.type !== "event") return;
        questions.heard(frame.event);
        if (frame.event.type.startsWith("agent.")) governor.agentsChanged();
      },
    });
    this.#undo.add(() => questions[Symbol.dispose]());
    questions.restore();
    return questions;
  }

  #openGuard(agents: AgentsPort): TypingGuard {
    const { state, shells, leases, questions } = this;
    const guard = new TypingGuard({
      leases,
      isQuestionOpen: (shell) => questions.isOpenIn(shell),
      agents: () => state.now.agents,
      isAgentType: (name) => agents.input(name) !== undefined,
      info: (shell, program) => shells.host.info({ shell, ...program }),
    });
    this.#undo.add(
      shells.host.onEvent((event) => {
        const { id: shell } = shells.find(event.id) ?? {};
        if (shell === undefined) return;
        if (event.kind === "exited" || event.kind === "lost") guard.shellEnded(shell);
        else if (event.kind === "signal" && event.signal.kind === "prompt") guard.promptShown(shell);
        else if (event.kind === "process" && event.process === null) guard.programEnded(shell);
      }),
    );
    return guard;
  }

  #openSends({ agents, keys, governor }: Pick<SessionOptions, "agents" | "keys" | "governor">): Sends {
    const { state, shells, guard, questions } = this;
    const sends = new Sends({
      session: { id: this.id, emit: (event) => state.emit(event) },
      rows: this.#store.receipts,
      guard,
      agents: () => state.now.agents,
      follow: (sessionId) => agents.follow(this.id, sessionId),
      input: (agentType) => agents.input(agentType),
      isRunning: (shell) => shells.find(shell)?.running === true,
      isQuestionOpen: (shell) => questions.isOpenIn(shell),
      checkBudget: (shell) => governor.checkPrompt(this.id, shell),
      markTyped: (shell) => this.rights.markTyped(shell),
      isPermitted: (account) =>
        isAccountValid(account, { keys, owner: this.owner, isRunning: (id) => shells.find(id)?.running === true }),
      terminal: {
        info: (shell) => shells.host.info({ shell }),
        screen: async (shell) => (await shells.host.screen({ shell, join: false })).text,
        write: (shell, data) => shells.write(shell, data),
      },
    });
    state.subscribers.add({ send: (frame) => void (frame.type === "event" && sends.heard(frame.event)) });
    this.#undo.add(() => sends[Symbol.dispose]());
    sends.restore();
    return sends;
  }

  get id(): SessionId {
    return this.state.now.session.id;
  }

  get owner(): string {
    return this.state.now.session.owner;
  }

  record(): SessionRecord {
    const { session, clients, shells } = this.state.now;
    return { ...session, userCount: clients.length, shellCount: shells.filter((shell) => shell.running).length };
  }

  rename(name: string): void {
    this.#store.sessions.rename(this.id, name);
    this.state.apply({ kind: "session", name });
  }

  emit(event: RelayEvent): void {
    this.state.emit(event);
  }

  /** Ends its shells, unless they outlive the relay, then disconnects its clients. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.tunnels?.[Symbol.asyncDispose]();
    await this.#uploads[Symbol.asyncDispose]();
    await this.shells[Symbol.asyncDispose]();
    this.#undo.dispose();
  }
}
