import { basename } from "node:path";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { ShellId } from "../../../core/protocol/ids.ts";
import { MAX_VALUE, type RestorableShell, RestoreWish } from "../../../core/protocol/restore.ts";
import type { CallLimit } from "../../../core/protocol/shell-host.ts";
import { shownLine } from "../../../core/protocol/shown-line.ts";
import { isFolder } from "../../system/is-folder.ts";
import { redactSecrets } from "../../system/redact-secrets.ts";
import type { ShellRows, StoredShell } from "../store/shell-rows.ts";
import type { AgentsPort, ResumableAgent } from "./ports.ts";
import type { SessionState } from "./session-state.ts";
import type { ShellUser } from "./shell-user.ts";
import type { SessionShells } from "./shells.ts";

interface RestorerOptions {
  readonly state: SessionState;
  readonly shells: SessionShells;
  readonly rows: ShellRows;
  readonly agents: Pick<AgentsPort, "resumes">;
  /** Has the saved layouts of clients that are not connected show a shell in the place of another. */
  readonly replaceInLayouts: (old: ShellId, next: ShellId) => void;
  /** The last commands in a shell, where they are recorded, the latest first. */
  readonly lastCommands: (shell: ShellId) => Promise<readonly string[]>;
  /** What a shell printed last, as plain text, where it is kept. */
  readonly lastOutput: (shell: ShellId) => Promise<string>;
}

const PRELUDE_LINES = 500;
/** Characters of a program and its arguments that are shown. */
const MAX_PROGRAM = 8192;
/** Lines that may resume agents in one folder, the latest ones. */
const MAX_LINES = 50;
/** Shells that read a quoted word as a POSIX shell does. */
const READS_QUOTES = /^-?(?:ba|rba|z|fi|da|a|k|mk|ya)?sh[-.\d]*(?:\.exe)?$/;

/** What a call does with an offer. */
type Outcome = Pick<RestorableShell, "state" | "newShellId" | "conversation" | "command" | "lastPrompt" | "why">;

/** An offer with what is needed to carry it out. */
interface Offer {
  readonly stored: StoredShell;
  readonly agents: readonly ResumableAgent[];
  readonly shown: RestorableShell;
}

type Conversation = Pick<ResumableAgent, "sessionId" | "agentType">;

/** Offers shells that ended without being closed, and starts them again on request. */
export class Restorer {
  readonly #options: RestorerOptions;
  /** Shells that are being started again: of two calls at once the second finds nothing to do. */
  readonly #busy = new Set<ShellId>();

  constructor(options: RestorerOptions) {
    this.#options = options;
  }

  /** Whether a shell has ended that would be offered, without looking at its agents. */
  hasOffers(): boolean {
    return this.#ended().length > 0;
  }

  /** Lists the offers, and starts, resumes or dismisses those that the request names. */
  async restore(user: ShellUser, wish: RestoreWish, limit: CallLimit = {}): Promise<RestorableShell[]> {
    const { shell: asked, all, conversation, dryRun, folder } = wish;
    if (asked !== undefined && all) throw new RemoteError("invalid_params", "params.shell: expected none with `all`.");
    if (conversation !== undefined && asked === undefined) {
      throw new RemoteError("invalid_params", "params.conversation: expected `shell`, for which it is chosen.");
    }
    const wanted = this.#ended().filter(({ shell }) => asked === undefined || shell.id === asked);
    if (asked !== undefined && wanted.length === 0) throw notOffered(asked);
    const offers = await Promise.all(wanted.map((stored) => this.#offer(stored)));
    if (conversation !== undefined) checkConversation(offers, conversation);
    if (!all && asked === undefined) {
      return offers.map((offer) => ({ ...offer.shown, ...planned(offer, wish), state: "offered" }));
    }
    const restored: RestorableShell[] = [];
    // One after the other, in the order of the list: forty shells at once would hold up the machine.
    for (const one of offers) {
      const offer = withoutResumed(one, restored);
      if (!dryRun) this.#noteChoice(offer, wish);
      const always = dryRun || folder === undefined ? offer.shown.always : folder === "always";
      restored.push({ ...offer.shown, ...(await this.#carryOut(user, offer, wish, limit)), always });
    }
    return restored;
  }

  /** Starts the shells of folders for which the owner has chosen *always*. Resolves to these offers with their outcome. */
  async restoreAlways(user: () => ShellUser): Promise<RestorableShell[]> {
    const folders = this.#options.rows.restoredFolders(this.#session);
    const wish = RestoreWish.parse({});
    const restored: RestorableShell[] = [];
    for (const stored of this.#ended()) {
      // The choice is the owner's: it does not cover a shell that another person has started or could type into.
      const { cwd, handed } = stored.shell;
      const isOwners = stored.start?.byGuest === false && handed !== true;
      const lines = folders.get(cwd);
      if (!isOwners || lines === undefined) continue;
      const offer = withoutResumed(await this.#offer(stored), restored);
      const { agent, why } = chooseAgent(offer, wish);
      let outcome: Outcome;
      if (why !== undefined) outcome = { state: "skipped", why };
      else if (agent !== undefined && !lines.includes(lineOf(agent))) outcome = unseen(agent);
      else outcome = await this.#carryOut(user(), offer, wish, {});
      restored.push({ ...offer.shown, ...outcome });
    }
    return restored;
  }

  /**
   * Notes what the owner wants for the folder of an offer. There the line that resumes its agent is known from now on: a program
   * in the shell chooses the options of an agent, so that *always* covers those that the owner was shown, and no others.
   */
  #noteChoice(offer: Offer, { folder, ...wish }: RestoreWish): void {
    const { cwd, always } = offer.shown;
    const { rows } = this.#options;
    if (folder === "ask") rows.setRestored(this.#session, cwd, undefined);
    else if (folder === "always" || always) {
      const known = rows.restoredFolders(this.#session).get(cwd) ?? [];
      const { agent } = wish.dismiss ? {} : chooseAgent(offer, { ...wish, folder });
      const lines = agent === undefined ? known : [...new Set([...known, lineOf(agent)])].slice(-MAX_LINES);
      rows.setRestored(this.#session, cwd, lines);
    }
  }

  async #carryOut(user: ShellUser, offer: Offer, wish: RestoreWish, limit: CallLimit): Promise<Outcome> {
    const { stored } = offer;
    const { id } = stored.shell;
    if (wish.dismiss) {
      if (!wish.dryRun) this.#dismiss(stored);
      return { state: "dismissed" };
    }
    const plan = planned(offer, wish);
    if (wish.dryRun || plan.state === "skipped") return plan;
    const { agent } = chooseAgent(offer, wish);
    if (this.#busy.has(id)) return { state: "skipped", why: "It is being started already." };
    this.#busy.add(id);
    const { shells } = this.#options;
    const start = async () => {
      const { id: next } = await shells.respawn(user, id, {
        ...limit,
        force: false,
        again: {
          nearest: wish.nearest,
          prelude: await this.#prelude(id),
          ...(agent === undefined ? {} : startOfAgent(agent, stored)),
        },
        noteNew: (next) => this.#moved(id, next, wish.resume ? offer.agents : []),
      });
      return next;
    };
    try {
      const newShellId =
        agent?.state === "ready"
          ? await this.#starts.start(nameOf(agent), { id: this.#session, shells }, start)
          : await start();
      return { ...plan, newShellId };
    } catch (error) {
      if (!(error instanceof RemoteError)) throw error;
      return { state: "skipped", why: error.message };
    } finally {
      this.#busy.delete(id);
    }
  }

  /** Returns the old shell's output, which is shown above that of the new one. */
  async #prelude(shell: ShellId): Promise<string | undefined> {
    const { host } = this.#options.shells;
    const lines = PRELUDE_LINES;
    const text = host.has(shell)
      ? (await host.read({ shell, plain: true, lines })).output
      : await this.#options.lastOutput(shell);
    // It is drawn by every terminal that shows the new shell.
    const shown = text.replace(/[^\P{Cc}\n\t]/gu, "").trimEnd();
    if (shown === "") return undefined;
    return `${shown}\n\n[Started again. Above stands what shell ${shell} printed.]\n\n`.replace(/\n/g, "\r\n");
  }

  /** Carries over what is known of the old shell, before it is forgotten. */
  #moved(from: ShellId, to: ShellId, agents: readonly ResumableAgent[]): void {
    // Also those that cannot be resumed now: their conversations are offered with the new shell.
    for (const agent of agents) this.#options.agents.resumes.note(this.#session, agent, { from, to });
    this.#options.replaceInLayouts(from, to);
  }

  #dismiss({ shell, ending }: StoredShell): void {
    if (ending !== undefined) this.#options.rows.put(this.#session, shell, { ending: { ...ending, dismissed: true } });
  }

  /** Lists shells that a signal, a crash or the end of the relay ended. */
  #ended(): StoredShell[] {
    const listed = new Set(this.#options.state.now.shells.filter(({ running }) => !running).map(({ id }) => id));
    return this.#options.rows
      .listStored(this.#session)
      .filter(
        ({ shell, ending }) =>
          listed.has(shell.id) && ending !== undefined && ending.cause !== "exited" && ending.dismissed !== true,
      );
  }

  async #offer(stored: StoredShell): Promise<Offer> {
    const { shell, start, ending } = stored;
    const { id: shellId, title, cwd } = shell;
    const { cause, at: endedAt, process } = ending ?? { cause: "lost", at: null, process: null };
    const ran = await this.#options.agents.resumes.list(this.#session, shellId, endedAt ?? undefined);
    const agents = ran.map((agent) => this.#orBusy(asShown(asTyped(agent, stored))));
    const shown: RestorableShell = {
      ...{ shellId, title, cwd, cause, endedAt, process },
      ...(isFolder(cwd) ? {} : { folderGone: true }),
      program:
        start?.exec === undefined
          ? basename(shell.command)
          : shownLine(redactSecrets(start.exec.join(" ")), MAX_PROGRAM),
      env: Object.keys(start?.env ?? {}),
      values: Object.fromEntries(
        Object.entries(start?.env ?? {}).map(([name, value]) => [name, shownLine(redactSecrets(value), MAX_VALUE)]),
      ),
      withheld: [...(start?.withheld ?? [])],
      commands: [...(await this.#options.lastCommands(shellId))],
      always: this.#options.rows.restoredFolders(this.#session).has(cwd),
      // Without what starts them.
      agents: agents.map(({ exec: _exec, env: _env, isPlain: _isPlain, ...agent }) => ({
        ...agent,
        command: redactSecrets(agent.command),
      })),
      state: "offered",
    };
    return { stored, agents, shown };
  }

  /** Returns a conversation as busy while an agent works on it, or starts with it in another shell. */
  #orBusy(agent: ResumableAgent): ResumableAgent {
    const why = agent.state === "ready" ? this.#starts.problem(nameOf(agent), this.#session) : undefined;
    return why === undefined ? agent : { ...agent, state: "busy", why };
  }

  get #starts() {
    return this.#options.agents.resumes.starts;
  }

  get #session() {
    return this.#options.state.now.session.id;
  }
}

/** Returns an offer whose conversations are busy that the same call resumes already: one may have run in two shells. */
function withoutResumed(offer: Offer, restored: readonly RestorableShell[]): Offer {
  const withHolder = (agent: ResumableAgent): ResumableAgent => {
    const holder = restored.find(
      ({ conversation, agents }) => conversation === agent.sessionId && agents.some((one) => isSame(one, agent)),
    );
    if (holder === undefined) return agent;
    return { ...agent, state: "busy", why: `It is resumed for shell ${holder.shellId}.` };
  };
  return { ...offer, agents: offer.agents.map(withHolder) };
}

function nameOf({ agentType, sessionId }: Conversation) {
  return { agentType, agentSessionId: sessionId };
}

function isSame(one: Conversation, other: Conversation): boolean {
  return one.sessionId === other.sessionId && one.agentType === other.agentType;
}

/** Returns the outcome of an offer that a request would have. */
function planned(offer: Offer, wish: RestoreWish): Outcome {
  const { folderGone, cwd } = offer.shown;
  if (folderGone === true && !wish.nearest) {
    return { state: "skipped", why: `The folder ${cwd} does not exist. With \`nearest\` the shell starts above it.` };
  }
  const { agent, why } = chooseAgent(offer, wish);
  const { exec = [], env = {} } = offer.stored.start ?? {};
  const program = agent === undefined ? exec.join(" ") : "";
  if ([program, ...Object.values(env)].some(hasHidden)) return { state: "skipped", why: HIDDEN_START };
  const reason = why === undefined ? {} : { why };
  if (agent === undefined) return { state: "started", ...reason };
  const { sessionId: conversation, command, lastPrompt } = agent;
  return {
    ...{ state: "resumed", command },
    ...(agent.state === "empty" ? { why: agent.why } : { conversation }),
    ...(lastPrompt === undefined ? {} : { lastPrompt }),
  };
}

/** Chooses the conversation to resume: the one that is named, else the latest if nothing speaks against it. */
function chooseAgent(
  { agents }: Offer,
  { resume, conversation }: RestoreWish,
): { readonly agent?: ResumableAgent; readonly why?: string } {
  if (!resume) return {};
  const agent = conversation === undefined ? agents[0] : agents.find(({ sessionId }) => sessionId === conversation);
  if (agent === undefined) return {};
  if (!canResume(agent)) return { why: agent.why ?? `It is ${agent.state}.` };
  if (agent.assumed === true && conversation === undefined) {
    return { why: `Only folder and time say that it is the conversation ${agent.sessionId}: choose it by name.` };
  }
  return { agent };
}

/** Returns what resumes an agent, whichever conversation it is. */
function lineOf({ exec, env, sessionId }: ResumableAgent): string {
  return JSON.stringify([exec.map((word) => word.replaceAll(sessionId, "")), env]);
}

function unseen({ command }: ResumableAgent): Outcome {
  return {
    state: "skipped",
    why: `Its agent would be resumed with options that you were not shown here before: ${command}`,
  };
}

const HIDDEN_START = "A part of its program or of its variables is hidden as a secret: start it yourself.";
const HIDDEN_LINE = "A part of the line that resumes it is hidden as a secret: enter the line yourself.";

/** Tells that a part of a text is hidden: a program in the shell chooses what looks like a secret, and it may be anything. */
function hasHidden(text: string): boolean {
  return redactSecrets(text) !== text;
}

function canResume({ state }: ResumableAgent): boolean {
  return state === "ready" || state === "empty";
}

/** Returns a conversation as it can be resumed by a line that is shown whole. */
function asShown(agent: ResumableAgent): ResumableAgent {
  if (!canResume(agent) || !hasHidden(agent.command)) return agent;
  return { ...agent, state: "unsupported", why: HIDDEN_LINE };
}

/** Returns a conversation as it can be resumed in its shell: a line is typed only where its quotes mean what they say. */
function asTyped(agent: ResumableAgent, { shell, start }: StoredShell): ResumableAgent {
  const name = basename(shell.command);
  if (!canResume(agent) || start?.exec !== undefined || agent.isPlain || READS_QUOTES.test(name)) return agent;
  const why = `${name} quotes words in a way of its own: enter the line that resumes it yourself.`;
  return { ...agent, state: "unsupported", why };
}

/** Resumes where the agent ran: in place of a shell where it did, else on the shell's first line. */
function startOfAgent(agent: ResumableAgent, { start }: StoredShell) {
  if (start?.exec === undefined) return { command: agent.command };
  return { exec: agent.exec, env: agent.env };
}

function checkConversation(offers: readonly Offer[], conversation: string): void {
  if (offers.some(({ agents }) => agents.some(({ sessionId }) => sessionId === conversation))) return;
  throw new RemoteError(
    "invalid_params",
    `params.conversation: expected one that ran in this shell, got ${JSON.stringify(conversation)}.`,
  );
}

function notOffered(id: ShellId): RemoteError {
  return new RemoteError(
    "invalid_request",
    `Shell ${id} is not offered: it runs, ended by itself, was closed or was dismissed. List what is offered with --dry-run.`,
  );
}
