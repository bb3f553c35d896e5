import type { AskParams, AskResult } from "../../../core/commands/asked.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { SessionId, ShellId } from "../../../core/protocol/ids.ts";
import type { AgentRequest, ShellRestrictions } from "../../../core/protocol/shell-restrictions.ts";
import type { RestrictionRows } from "../store/restriction-rows.ts";
import type { AgentInShell } from "./ports.ts";
import { Requests } from "./requests.ts";
import type { SessionState } from "./session-state.ts";
import type { ShellUser } from "./shell-user.ts";
import type { SessionShells } from "./shells.ts";

interface AgentRequestsOptions {
  readonly session: SessionId;
  readonly state: SessionState;
  readonly shells: SessionShells;
  readonly rows: RestrictionRows;
  readonly agentsIn: (shell: ShellId) => Promise<readonly AgentInShell[]>;
}

type Answer = AskParams<"answerAgent">["answer"];

/** A larger number would serve only to make people click. */
const MOST_OPEN = 20;
/** Answers that are remembered; beyond this number the oldest are asked again. */
const MOST_RUNS = 10_000;
/** How often the agents of open requests are checked for their end. */
const CHECK_EVERY_MS = 2000;

/** Requests of agents to control the session. A person answers for one run of an agent, or for its type in a folder. */
export class AgentRequests implements Disposable {
  readonly #options: AgentRequestsOptions;
  /** Answers by run. */
  readonly #answers = new Map<string, "once" | "no">();
  /** By the run that asks. */
  readonly #requests: Requests<AgentRequest, AgentInShell, Answer>;
  #timer: NodeJS.Timeout | undefined;
  #disposed = false;

  constructor(options: AgentRequestsOptions) {
    this.#options = options;
    const { state } = options;
    this.#requests = new Requests({
      unknown: (id) => `No request ${id} is open: it was answered, or its agent has ended.`,
      opened: (request) => {
        this.#change({ requests: [...this.#now.requests, request] });
        state.emit({ type: "agent.requested", data: request });
        this.#scheduleCheck();
      },
      closed: ({ id, shellId }, answer) => {
        this.#change({ requests: this.#now.requests.filter((other) => other.id !== id) });
        state.emit({ type: "agent.answered", data: { request: id, shellId, answer } });
      },
    });
  }

  isAllowed({ run, agentType, folder }: AgentInShell): boolean {
    if (this.#answers.get(run) === "no") return false;
    if (this.#answers.get(run) === "once") return true;
    return folder !== "" && this.#now.allowed.some((one) => one.agentType === agentType && one.folder === folder);
  }

  /** Asks a person, once for each run of an agent. Returns the sentence to tell the agent. */
  ask(shellId: ShellId, agent: AgentInShell, wants: string): string {
    if (this.#answers.get(agent.run) === "no") return `The user has refused it to this run of ${agent.agentType}.`;
    const known = this.#requests.find(({ asker }) => asker.run === agent.run);
    if (known === undefined && this.#now.requests.length >= MOST_OPEN) {
      return "Too many such questions wait for the user already: try again later.";
    }
    const { agentType, folder } = agent;
    const make = (id: number) => ({ id, shellId, agentType, folder, wants, at: new Date().toISOString() });
    const { id } = known ?? this.#requests.open(agent, make);
    return `The user was asked, in the tile of shell ${shellId} (request ${id}): try again once it is allowed there, or by \`service func answer-agent ${id} once\` outside of this shell.`;
  }

  /** Throws `unknown_request`, `not_your_shell` for another's shell, `role_forbids` for `always` by other than an admin. */
  answer(user: ShellUser, { request: id, answer }: AskParams<"answerAgent">): AskResult<"answerAgent"> {
    const { request, asker: agent } = this.#requests.get(id);
    this.#checkMayAnswer(user, request, answer);
    if (answer === "always") this.#allowAlways(agent);
    else this.#remember(agent.run, answer);
    this.#requests.close(id, answer);
    return { answer };
  }

  forget(which: AskParams<"forgetAgent">): AskResult<"forgetAgent"> {
    const forgotten = this.#options.rows.removePermission(this.#options.session, which);
    this.#change({ allowed: this.#options.rows.listPermissions(this.#options.session) });
    return { forgotten };
  }

  [Symbol.dispose](): void {
    this.#disposed = true;
    clearTimeout(this.#timer);
  }

  get #now(): ShellRestrictions {
    return this.#options.state.now.restrictions;
  }

  #checkMayAnswer(user: ShellUser, { shellId }: AgentRequest, answer: string): void {
    if (user.role === "admin") return;
    if (this.#options.shells.find(shellId)?.ownerClientId !== user.id) {
      throw new RemoteError(
        "not_your_shell",
        `Shell ${shellId} is not this client's: only its owner or an admin may answer.`,
      );
    }
    if (answer === "always") {
      throw new RemoteError("role_forbids", "Only an admin may allow an agent always: allow this run with `once`.");
    }
  }

  #allowAlways({ agentType, folder }: AgentInShell): void {
    if (folder === "") {
      throw new RemoteError("invalid_request", "The folder of this agent cannot be told: allow this run with `once`.");
    }
    this.#options.rows.putPermission(this.#options.session, { agentType, folder, allowedAt: new Date().toISOString() });
    this.#change({ allowed: this.#options.rows.listPermissions(this.#options.session) });
  }

  #remember(run: string, answer: "once" | "no"): void {
    this.#answers.set(run, answer);
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > MOST_RUNS && oldest !== undefined) this.#answers.delete(oldest);
  }

  #change(change: Partial<ShellRestrictions>): void {
    this.#options.state.apply({ kind: "restrictions", restrictions: { ...this.#now, ...change } });
  }

  #scheduleCheck(): void {
    if (this.#disposed || this.#timer !== undefined || this.#now.requests.length === 0) return;
    this.#timer = setTimeout(() => {
      this.#closeOrphaned().finally(() => {
        this.#timer = undefined;
        this.#scheduleCheck();
      });
    }, CHECK_EVERY_MS);
    this.#timer.unref();
  }

  /** Closes the requests whose agent or shell has ended. */
  async #closeOrphaned(): Promise<void> {
    for (const { request, asker } of this.#requests.list()) {
      // If the agents cannot be determined now, the next check tries again.
      const gone = await this.#options.agentsIn(request.shellId).then(
        (agents) => agents.every((agent) => agent.run !== asker.run),
        () => false,
      );
      if (gone && !this.#disposed) this.#requests.close(request.id, "expired");
    }
  }
}
