import { isDeepStrictEqual } from "node:util";
import { type AskableName, type AskParams, type AskResult, askSpec, parseAsked } from "../../../core/commands/asked.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { ClientId, CommandTarget, ShellId } from "../../../core/protocol/ids.ts";
import { keyInput } from "../../../core/protocol/key-input.ts";
import type { ChatMessage } from "../../../core/protocol/records.ts";
import { relayOps } from "../../../core/protocol/relay-ops.ts";
import { checkRole, lesserRole } from "../../../core/protocol/roles.ts";
import type { CallLimit, ShellHost } from "../../../core/protocol/shell-host.ts";
import type { Caller } from "../access/permits/caller.ts";
import { checkCredential } from "../access/permits/check-call.ts";
import { checkOperation } from "../access/permits/check-operation.ts";
import type { OwnedResources } from "../access/permits/owned-resources.ts";
import type { Permit } from "../access/permits/permit.ts";
import { checkPage } from "../net/check-page.ts";
import type { Plugins } from "../plugins/plugins.ts";
import type { Questions } from "../questions/questions.ts";
import type { Sends } from "../sends/sends.ts";
import { erasesLine, guardingOf, type TypingGuard } from "../sends/typing-guard.ts";
import type { Store } from "../store/store.ts";
import type { AdoptRequests } from "./adopt-requests.ts";
import type { CallerBudgets } from "./caller-budgets.ts";
import { findResumable } from "./find-resumable.ts";
import { hiddenRun, shownTextIn } from "./hidden-output.ts";
import type { InputSources } from "./input-sources.ts";
import { type OwnerPresence, showsPresence } from "./owner-presence.ts";
import type { AgentsPort, HistoryControl, InputGovernor } from "./ports.ts";
import type { Restorer } from "./restorer.ts";
import type { RoleRequests } from "./role-requests.ts";
import { PAGE_WAIT_MS, readAround, readConversation, searchSession, waitForMessage } from "./search-session.ts";
import type { SessionState } from "./session-state.ts";
import { sharedLayout } from "./shared-layout.ts";
import { readOutput, runInShell, waitFor } from "./shell-operations.ts";
import type { ShellRights } from "./shell-rights.ts";
import { type ShellUser, senderOf } from "./shell-user.ts";
import type { SessionShells } from "./shells.ts";
import type { Uploads } from "./uploads.ts";

interface RelayOperationsOptions {
  readonly state: SessionState;
  readonly shells: SessionShells;
  readonly ownedResources: OwnedResources;
  readonly rights: ShellRights;
  readonly adopts: AdoptRequests;
  readonly roleRequests: RoleRequests;
  readonly uploads: Uploads;
  readonly plugins: Plugins;
  readonly agents: AgentsPort;
  readonly questions: Questions;
  readonly governor: InputGovernor;
  readonly guard: TypingGuard;
  readonly sends: Sends;
  readonly restorer: Restorer;
  readonly sources: InputSources;
  readonly store: Store;
  readonly budgets: CallerBudgets;
  readonly host: ShellHost;
  readonly history: () => HistoryControl | undefined;
  /** Returns what a connected client has saved of its layout. Throws `unknown_client` if there is none of this id. */
  readonly savedStateOf: (client: ClientId) => unknown;
  /** When the session's owner was last active. */
  readonly presence: OwnerPresence;
}

type Operations = {
  [K in AskableName]: (
    user: ShellUser,
    params: AskParams<K>,
    caller: Caller,
    limit: CallLimit,
    hit: CommandTarget,
  ) => AskResult<K> | Promise<AskResult<K>>;
};

/** What a write asks of the guard, and what it is. */
interface GuardWish {
  readonly guard?: boolean | undefined;
  readonly expect?: string | undefined;
  readonly isLine?: boolean;
  readonly erases?: boolean;
}

interface OperationLimit {
  /** Milliseconds; default: the time limit of a command. */
  readonly withinMs?: number | undefined;
  /** Set while the client reports that it has executed a command, with the command's own parameters. */
  readonly isReport?: boolean;
  /** Receives the shell that was acted on. */
  readonly hit?: CommandTarget;
}

/**
 * Runs an operation for a caller, in a client's name. Rejects with a RemoteError for invalid parameters, an insufficient
 * role, a refusal by the permit, a timeout, or the end of the caller's credential.
 */
export type RunOperation = (
  user: ShellUser,
  op: string,
  params: unknown,
  caller: Caller,
  limit?: OperationLimit,
) => Promise<unknown>;

type JsonValue = AskResult<"getPluginState">["value"];

/** Matches what is sent as Enter: a newline, and in `ENTER` also the two characters `\n` (docs/decisions/0007). */
const NEWLINE = /\r\n|\n/g;
const ENTER = /\\n|\r\n|\n/g;

export function relayOperations({
  state,
  shells,
  ownedResources,
  rights,
  adopts,
  roleRequests,
  uploads,
  plugins,
  agents,
  questions,
  governor,
  guard,
  sends,
  restorer,
  sources,
  store,
  budgets,
  host,
  history,
  savedStateOf,
  presence,
}: RelayOperationsOptions): RunOperation {
  const session = state.now.session.id;
  const checkTyping = (shell: ShellId, caller: Caller) => {
    const { permit, isPerson = false } = caller;
    checkOwnQuestion(questions, shell, permit);
    if (!isPerson) governor.checkInput(session, shell);
    if (permit?.restrictsTypedShells) rights.markTyped(shell);
    guard.clientTyped(shell);
  };
  /** The owner of the relay, on a page of their own. */
  const mayReadConversations = ({ role, guest }: ShellUser, { permit, isPerson = false }: Caller) =>
    isPerson &&
    permit === undefined &&
    guest !== true &&
    role === "admin" &&
    state.now.session.owner === history()?.user;
  const operations: Operations = {
    createShell: async (user, wanted, { permit }, limit) => ({
      shell: await shells.create(user, wanted, {
        makers: permit?.maker === undefined ? undefined : ownedResources.makersFor(permit.maker),
        ...limit,
      }),
    }),
    respawnShell: async (user, { shell, force }, { permit }, limit) => {
      const maker = permit?.maker;
      const makers = maker === undefined ? undefined : ownedResources.makersFor(maker);
      const next = await shells.respawn(user, shell, { force, makers, ...limit });
      adopts.expireFor(shell);
      return { shell: next };
    },
    async restoreShells(user, wish, { permit }, limit) {
      if (user.guest === true || permit?.person !== undefined) {
        throw new RemoteError("role_forbids", "Only the owner of the session starts again what ran in it.");
      }
      return restorer.restore(user, wish, limit);
    },
    async closeShell(user, { shell }, _caller, limit) {
      await shells.close(user, shell, limit);
      adopts.expireFor(shell);
      return { id: shell };
    },
    async writeShell({ guest }, { shell, data, literal, raw, ...wish }, caller, limit) {
      const typed = raw ? data : data.replace(literal ? NEWLINE : ENTER, "\r");
      const erases = erasesLine(typed);
      await checkGuard(shell, { ...wish, isLine: typed.endsWith("\r"), erases }, caller);
      checkTyping(shell, caller);
      const isTerminals = caller.isPerson === true && raw;
      const isPersons = isTerminals && guard.personTyped(shell, typed);
      // What a person's terminal answers to a program is not entered by that person.
      if (!isTerminals || isPersons) sources.note(shell, caller);
      if (isPersons && guest === undefined) presence.acted();
      const { queued } = await shells.write(shell, typed, limit);
      if (erases) guard.programErased(shell);
      return { id: shell, queued };
    },
    async sendKeys(_user, { shell, keys, literal, ...wish }, caller, limit) {
      shells.running(shell);
      const erases = erasesLine(keyInput(keys, literal, { applicationCursor: false }));
      await checkGuard(shell, { ...wish, isLine: keys.at(-1)?.toLowerCase() === "enter", erases }, caller);
      checkTyping(shell, caller);
      sources.note(shell, caller);
      const { queued } = await shells.host.keys({ shell, words: keys, literal }, limit);
      if (erases) guard.programErased(shell);
      return { id: shell, queued };
    },
    async resizeShell(_user, { shell, cols, rows }, _caller, limit) {
      await shells.resize(shell, { cols, rows }, limit);
      return { id: shell, cols, rows };
    },
    async runInShell(_user, { guard: wish, expect, ...params }, caller, limit) {
      shells.running(params.shell);
      await checkGuard(params.shell, { guard: wish, expect: wish === true ? (expect ?? "shell") : expect }, caller);
      const run = () => {
        checkTyping(params.shell, caller);
        sources.note(params.shell, caller);
        return runInShell(shells.host, params, limit).then((result) =>
          caller.permit?.hidesSecrets === true ? hiddenRun(result) : result,
        );
      };
      return params.wait ? budgets.wait(caller.account, run) : run();
    },
    readOutput(_user, params, { account, permit }, limit) {
      const reader = { hidesSecrets: permit?.hidesSecrets === true, goesOn: shells.get(params.shell).running };
      return budgets
        .read(account, () => readOutput(shells.host, params, reader, limit))
        .catch((error: unknown) => {
          if (shells.host.has(params.shell) || !isUnknownShell(error)) throw error;
          // The output ended with its shell host, and was not recorded.
          return { id: params.shell, output: "", chunks: 0, offset: 0, end: 0, missed: 0 };
        });
    },
    async waitFor(_user, { question, receipt, state: wanted, shell, ...others }, { lifetime, account, permit }) {
      if (receipt !== undefined) {
        const { shellId, state } = await budgets.wait(account, () =>
          sends.waitFor(receipt, wanted ?? "accepted", others.timeoutMs, lifetime),
        );
        return { id: shellId, kind: "receipt", match: state, receipt, end: 0 };
      }
      if (shell === undefined) throw new RemoteError("invalid_params", "params.shell: expected the id of a shell.");
      const params = { ...others, shell };
      if (question === true) {
        shells.running(params.shell);
        const opened = await budgets.wait(account, () =>
          questions.waitForOpen(params.shell, params.timeoutMs, lifetime),
        );
        return { id: params.shell, kind: "question", match: opened.title, question: opened.id, end: 0 };
      }
      // A text may stand in what an ended shell has printed.
      const mayHaveEnded = params.exit === true || params.text !== undefined;
      const { exitCode, signal = null } = mayHaveEnded ? shells.get(params.shell) : shells.running(params.shell);
      if (shells.host.has(params.shell)) {
        const isShown = permit?.hidesSecrets === true ? shownTextIn(shells, params, lifetime) : undefined;
        return budgets.wait(account, () => waitFor(shells.host, { ...params, caller: account }, { lifetime }, isShown));
      }
      if (params.exit !== true) shells.running(params.shell);
      return { id: params.shell, kind: "exit", match: null, exitCode, signal, end: 0 };
    },
    sendChat(user, { text }) {
      const message: ChatMessage = {
        id: (state.now.chat.at(-1)?.id ?? 0) + 1,
        from: senderOf(user),
        text,
        at: new Date().toISOString(),
      };
      store.chat.add(session, message);
      state.apply({ kind: "chat", message });
      state.emit({ type: "chat.message", data: message });
      return message;
    },
    broadcastEvent(user, { type, data }) {
      state.emit({ type: "plugin.event", data: { type, data, from: user.id } });
      return { clients: state.now.clients.length };
    },
    toastShown({ id: clientId }, { message, kind, by }) {
      state.emit({ type: "toast", data: { clientId, message, kind } });
      return { shown: by !== "log", by };
    },
    notificationShown({ id: clientId }, { title, body, by }) {
      state.emit({ type: "notification", data: { clientId, title, body } });
      return { shown: by !== "log", by };
    },
    checkPage: (_user, { url }, { account }) => budgets.read(account, () => checkPage(url)),
    readLayout: (_user, { client }, { account }) =>
      budgets.read(account, async () => ({ layout: sharedLayout(savedStateOf(client)) })),
    adoptShell: (user, { shell, focus }) => adopts.adopt(user, shell, focus),
    answerAdopt(user, { request, allow }, _caller, _limit, hit) {
      hit.shell = state.now.adoptRequests.find(({ id }) => id === request)?.shellId;
      return adopts.answer(user, request, allow);
    },
    askToType: (user) => roleRequests.ask(user),
    answerRoleRequest({ guest }, { request, allow }, { permit }) {
      if (guest === true || permit?.person !== undefined) {
        throw new RemoteError("role_forbids", "Only the owner of the session decides who may type.");
      }
      return roleRequests.answer(request, allow);
    },
    async startUpload(user, params, { lifetime, permit, isPerson = false, account }) {
      if (!isPerson || permit !== undefined) {
        throw new RemoteError("scope_forbids", "Only a person uploads files, from their own page.");
      }
      return uploads.start(user, params, { lifetime, account });
    },
    sendUpload: ({ id }, params) => uploads.send(id, params),
    finishUpload: ({ id }, { upload }) => uploads.finish(id, upload),
    cancelUpload: ({ id }, { upload }) => uploads.cancel(id, upload),
    restrictShells: (_user, params) => rights.restrict(params),
    answerAgent(user, params, _caller, _limit, hit) {
      hit.shell = state.now.restrictions.requests.find(({ id }) => id === params.request)?.shellId;
      return rights.answer(user, params);
    },
    answerQuestion: ({ id: client, name, role, guest }, { id, ...given }, { permit, isPerson = false }) =>
      questions.answer(
        id,
        given,
        { kind: "user", name, client },
        {
          forRelay: isPerson && permit === undefined && guest !== true && role === "admin",
          hidesSecrets: permit?.hidesSecrets === true,
        },
      ),
    forgetAgent: (_user, params) => rights.forget(params),
    allowPlugin: (_user, { plugin, ...answer }) => plugins.allow(session, plugin, answer),
    removePlugin: (_user, { plugin }) => ({ id: plugins.remove(session, plugin).id }),
    getPluginState: (_user, { plugin, key }) => ({ value: plugins.value(session, plugin, key) as JsonValue }),
    setPluginState(_user, { plugin, key, value }) {
      plugins.setValue(session, plugin, { key, value });
      return { key };
    },
    searchSession: (user, { query, ...where }, caller) =>
      budgets.read(caller.account, async () => {
        const conversations = mayReadConversations(user, caller);
        // The limit counts what is shown only: how many there are tells of what is not.
        const may = { conversations, among: shownTo(user) };
        const recording = history()?.recording(session) ?? "unavailable";
        const readable = recording === "unasked" || recording === "locked" ? undefined : history();
        const { hits, complete } =
          query === undefined
            ? { hits: [], complete: true }
            : await searchSession(readable, state.now, { ...where, query }, { ...may, waitMs: PAGE_WAIT_MS });
        return { hits, complete, recording, conversations };
      }),
    readAround: (user, { shell, offset }, { account }) => {
      const shown = state.now.shells.find(({ id }) => id === shell);
      if (shownTo(user)?.includes(shell) === false) shells.get(shell);
      const parts = { host, history: history(), owner: { session, shell } };
      return budgets.read(account, () => readAround(parts, { offset, shown }));
    },
    async readConversation(user, { after, ...wanted }, caller) {
      if (!mayReadConversations(user, caller)) {
        throw new RemoteError("role_forbids", "Conversations with agents are read by the owner of the relay.");
      }
      const { conversations, resumes } = agents;
      const asked = () => questions.list({ all: true });
      const inTurn = <T>(read: () => Promise<T>) => budgets.read(caller.account, read);
      if (after !== undefined) {
        await budgets.wait(caller.account, () => waitForMessage(conversations, asked, { ...wanted, after }, inTurn));
      }
      const page = await inTurn(() => readConversation(conversations, asked(), wanted));
      return after === undefined ? { ...page, resume: resumes.find(wanted) } : page;
    },
    async resumeConversation(user, { agentType, agentSessionId, ...shown }, caller, limit, hit) {
      if (!mayReadConversations(user, caller)) {
        throw new RemoteError("role_forbids", "Conversations with agents are resumed by the owner of the relay.");
      }
      const name = { agentType, agentSessionId };
      const { command, cwd, env } = findResumable(agents.resumes, name, session);
      // The transcript names the line and its folder: what the user has not seen is not entered.
      if (!isDeepStrictEqual({ command, cwd, env }, shown)) return { shellId: null };
      const wanted = relayOps.createShell.params.parse(shown);
      const shellId = await agents.resumes.starts.start(name, { id: session, shells }, async () => {
        const { id } = await shells.create(user, wanted, limit);
        return id;
      });
      hit.shell = shellId;
      return { shellId };
    },
    getAgentCost: (_user, options) => agents.cost(session, options),
    getAgentSessions: () => agents.sessions(session),
    getAgentEvents: (_user, { sessionId, ...options }, { account }) =>
      budgets.read(account, () => agents.events(session, sessionId, options)),
  };
  /** Returns the shells of which a person may read: of a guest those that the session lists; undefined: all. */
  function shownTo({ guest }: ShellUser): readonly ShellId[] | undefined {
    return guest === true ? state.now.shells.map(({ id }) => id) : undefined;
  }
  /** Checks a program's write, by default as far as its writer is one. */
  function checkGuard(
    shell: ShellId,
    { guard: wish, expect, isLine, erases }: GuardWish,
    writer: Caller,
  ): Promise<void> {
    return guard.check(guardingOf(wish, { expect, writer, shell }), {
      shell,
      account: writer.account,
      expect,
      isLine,
      erases,
    });
  }

  return async (client, op, params, caller, { withinMs, isReport = false, hit = {} } = {}) => {
    const { permit, lifetime } = caller;
    if (lifetime?.ended !== undefined) throw lifetime.ended;
    const spec = askSpec(op);
    if (spec === undefined) throw new RemoteError("unknown_method", `A client cannot ask for ${op}.`);
    checkCredential(caller.principal, op, spec);
    const user = permit?.person === undefined ? client : withLowerRole(client, permit.person.role);
    if (!isReport) checkRole(op, spec.role, user.role);
    const parsed = parseAsked(op, spec, params);
    if (permit !== undefined) checkOperation({ permit, ownedResources }, op, spec, parsed);
    const run = operations[op as AskableName] as (...given: unknown[]) => unknown;
    if (caller.isPerson === true && user.guest === undefined && showsPresence(op)) presence.acted();
    return await run(user, parsed, caller, { lifetime, ...(withinMs === undefined ? {} : { withinMs }) }, hit);
  };
}

/** An agent must not answer its own question by typing into the terminal that asks it. */
function checkOwnQuestion(questions: Questions, shell: ShellId, permit: Permit | undefined): void {
  if (permit?.byAgent !== true || !questions.isForPeople(shell)) return;
  throw new RemoteError(
    "question_open",
    `An agent waits for an answer in shell ${shell}, and only a person may give it: type again when it is answered.`,
  );
}

/** Returns a client with at most the role of the person that it acts for. */
function withLowerRole(user: ShellUser, most: ShellUser["role"]): ShellUser {
  return { ...user, role: lesserRole(user.role, most) };
}

function isUnknownShell(error: unknown): boolean {
  return error instanceof RemoteError && error.code === "unknown_shell";
}
