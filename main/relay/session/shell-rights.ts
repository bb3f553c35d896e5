import type { AskParams, AskResult } from "../../../core/commands/asked.ts";
import type { ClientId, SessionId, ShellId } from "../../../core/protocol/ids.ts";
import type { Shell } from "../../../core/protocol/records.ts";
import type { OpParams, OpResult } from "../../../core/protocol/relay-ops.ts";
import { lesserRole } from "../../../core/protocol/roles.ts";
import type { Membership, Principal } from "../access/keys.ts";
import {
  hidesSecretsIn,
  type Permit,
  type Person,
  restrictedShellPermit,
  shellMaker,
} from "../access/permits/permit.ts";
import type { RestrictionRows } from "../store/restriction-rows.ts";
import { AgentRequests } from "./agent-requests.ts";
import type { AgentInShell, FindAgents } from "./ports.ts";
import type { SessionState } from "./session-state.ts";
import type { ShellUser } from "./shell-user.ts";
import type { SessionShells } from "./shells.ts";

interface ShellRightsOptions {
  readonly state: SessionState;
  readonly shells: SessionShells;
  readonly rows: RestrictionRows;
  readonly findAgents: FindAgents;
  /** Returns a client's membership; undefined while it is not connected. */
  readonly membership: (client: ClientId) => Membership | undefined;
}

/** Why a shell is restricted. `agents` are those without a user's permission. */
type Reason =
  | { readonly kind: "made" | "session" | "unknown" }
  | { readonly kind: "agent"; readonly agents: readonly [AgentInShell, ...AgentInShell[]] };

/**
 * Decides at each call what a program in a shell may do: as much as the shell's person, unless the shell is restricted
 * by the session's setting, by its maker, or by an agent in it without permission. If that cannot be determined, the
 * shell is restricted.
 */
export class ShellRights implements Disposable {
  readonly #options: ShellRightsOptions;
  readonly #requests: AgentRequests;

  constructor(options: ShellRightsOptions) {
    this.#options = options;
    this.#requests = new AgentRequests({ ...options, session: this.#session, agentsIn: (id) => this.#agentsIn(id) });
  }

  /** Returns the current permit of a shell's token; undefined if it is unrestricted. */
  async permitOf({ shell: id, membership }: Principal): Promise<Permit | undefined> {
    if (id === undefined) return undefined;
    const shell = this.#options.shells.find(id);
    if (shell === undefined) return goneShellPermit(id);
    const person = this.#personOf(shell, membership);
    const { reason, agents } = await this.#inspect(shell);
    if (reason !== undefined) {
      const advice = (action: string) => this.#advice(shell.id, reason, action);
      const restrictsTypedShells = reason.kind !== "session";
      const hidesSecrets = hidesSecretsIn(shell);
      return restrictedShellPermit(shell.id, { advice, person, restrictsTypedShells, hidesSecrets });
    }
    return agents.length > 0 || person !== undefined ? openPermit(shell.id, person, agents.length > 0) : undefined;
  }

  /** Describes why a shell is restricted; undefined if it is not. */
  async describeRestriction(id: ShellId): Promise<string | undefined> {
    const shell = this.#options.shells.find(id);
    const reason: Reason | undefined = shell === undefined ? { kind: "unknown" } : (await this.#inspect(shell)).reason;
    return reason === undefined ? undefined : describeReason(id, reason);
  }

  /** Restricts a shell that a restricted caller types into, because the input may be read later. */
  markTyped(id: ShellId): void {
    const { restricted, makers } = this.#options.shells.get(id);
    if (restricted === true || (restricted === undefined && makers !== undefined)) return;
    this.#options.shells.setRestricted(id, true);
  }

  /** Restricts the session's shells, or one shell. */
  restrict({ on, shell }: OpParams<"restrictShells">): OpResult<"restrictShells"> {
    if (shell !== undefined) this.#options.shells.setRestricted(shell, on);
    else {
      this.#options.rows.setRestrictShells(this.#session, on);
      this.#options.state.apply({
        kind: "restrictions",
        restrictions: { ...this.#options.state.now.restrictions, restrictShells: on },
      });
      if (on) this.#options.shells.endOpenOfUnset();
    }
    return { restricted: on };
  }

  answer(user: ShellUser, params: AskParams<"answerAgent">): AskResult<"answerAgent"> {
    return this.#requests.answer(user, params);
  }

  forget(params: AskParams<"forgetAgent">): AskResult<"forgetAgent"> {
    return this.#requests.forget(params);
  }

  [Symbol.dispose](): void {
    this.#requests[Symbol.dispose]();
  }

  get #session(): SessionId {
    return this.#options.state.now.session.id;
  }

  /** Returns the lower membership of the person who opened the shell and the person whose client owns it now. */
  #personOf({ ownerClientId }: Shell, opened: Membership = { role: "reader", guest: true }): Person | undefined {
    const now = ownerClientId === null ? opened : (this.#options.membership(ownerClientId) ?? opened);
    const role = lesserRole(opened.role, now.role);
    return role === "admin" && !opened.guest && !now.guest ? undefined : { role, client: ownerClientId };
  }

  /** `agents` are all agents in the shell, allowed or not; empty if the reason is found without them. */
  async #inspect(shell: Shell): Promise<{ reason?: Reason; agents: readonly AgentInShell[] }> {
    if (shell.restricted ?? shell.makers !== undefined) return { reason: { kind: "made" }, agents: [] };
    let agents: readonly AgentInShell[];
    try {
      agents = await this.#agentsIn(shell.id);
    } catch {
      return { reason: { kind: "unknown" }, agents: [] };
    }
    const [first, ...others] = agents.filter((agent) => !this.#requests.isAllowed(agent));
    if (first !== undefined) return { reason: { kind: "agent", agents: [first, ...others] }, agents };
    const bySetting = shell.restricted === undefined && this.#options.state.now.restrictions.restrictShells;
    return bySetting ? { reason: { kind: "session" }, agents } : { agents };
  }

  async #agentsIn(id: ShellId): Promise<readonly AgentInShell[]> {
    const pid = this.#options.shells.find(id)?.pid;
    if (pid === undefined || pid === null) return [];
    return this.#options.findAgents(this.#session, { id, pid });
  }

  #advice(id: ShellId, reason: Reason, action: string): string {
    const why = describeReason(id, reason);
    switch (reason.kind) {
      case "agent":
        return `${why} ${this.#requests.ask(id, reason.agents[0], action)}`;
      case "unknown":
        return `${why} Call it outside of this shell.`;
      case "made":
        return `${why} An admin of the session lifts that outside of this shell: \`service func restrict-shells off --shell ${id}\`.`;
      case "session":
        return `${why} An admin of the session lifts that outside of these shells: \`service func restrict-shells off\`.`;
    }
  }
}

/** Permit of a shell that ended during its program's call. */
function goneShellPermit(shell: ShellId): Permit {
  return restrictedShellPermit(shell, {
    advice: () => "It has ended.",
    restrictsTypedShells: false,
    person: undefined,
    hidesSecrets: true,
  });
}

/** Permit of an unrestricted shell in which an agent or a guest acts. */
function openPermit(shell: ShellId, person: Person | undefined, byAgent: boolean): Permit {
  return {
    caller: `Shell ${shell}`,
    readOnly: false,
    methods: undefined,
    hidesSecrets: false,
    ownership: undefined,
    // What an allowed agent makes is restricted, so that its permission ends with it.
    maker: byAgent ? shellMaker(shell) : undefined,
    byAgent,
    excludesUnrestricted: person !== undefined,
    restrictsTypedShells: false,
    person,
    advice: () => "",
  };
}

function describeReason(id: ShellId, reason: Reason): string {
  switch (reason.kind) {
    case "agent":
      return `The reason: ${reason.agents[0].agentType} runs in shell ${id}, and has not been allowed to control the session.`;
    case "unknown":
      return `The reason: which programs run in shell ${id} cannot be told.`;
    case "made":
      return `The reason: shell ${id} was made or typed into by an agent, a restricted shell or a restricted key, or an admin has restricted it.`;
    case "session":
      return "The reason: all shells of this session are restricted.";
  }
}
