import { isAbsolute, parse } from "node:path";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { SessionId } from "../../../core/protocol/ids.ts";
import {
  type Policy,
  type PolicyRule,
  type PolicyTrial,
  type PolicyVerdict,
  policyLimits,
} from "../../../core/protocol/policies.ts";
import type { Question } from "../../../core/protocol/questions.ts";
import type { PolicyRows } from "../store/policy-rows.ts";
import type { StoredQuestion } from "../store/question-rows.ts";
import { plainWords } from "./plain-command.ts";
import { decide, type Places, type PolicyCase } from "./policy-decision.ts";

interface PoliciesOptions {
  readonly session: SessionId;
  readonly rows: PolicyRows;
  readonly places: Places;
  readonly decideWithinMs?: number;
}

/** Files that are not found in this time, on a hung disk, leave the question to a person. */
const DECIDE_WITHIN_MS = 500;

/** The policies of a session: rules that answer its agents' questions in the owner's name. None at first. */
export class Policies {
  readonly #options: PoliciesOptions;
  #known: readonly Policy[];

  constructor(options: PoliciesOptions) {
    this.#options = options;
    this.#known = options.rows.list(options.session);
  }

  list(): Policy[] {
    return [...this.#known];
  }

  /**
   * Adds a policy; its folder is kept as the place where it leads now.
   *
   * @throws RemoteError `invalid_params`
   */
  async add(rule: PolicyRule, addedBy: string): Promise<Policy> {
    const checked = await this.#checked(rule);
    if (this.#known.length >= policyLimits.perSession) {
      throw new RemoteError("invalid_params", `The session has ${policyLimits.perSession} policies: remove one first.`);
    }
    const { rows, session } = this.#options;
    const policy = rows.add(session, { ...checked, addedAt: new Date().toISOString(), addedBy });
    this.#known = [...this.#known, policy];
    return policy;
  }

  /** @throws RemoteError `unknown_policy` */
  remove(id: number): Policy {
    const policy = this.#get(id);
    this.#options.rows.remove(this.#options.session, id);
    this.#known = this.#known.filter((known) => known !== policy);
    return policy;
  }

  /** Says what the policies do with a question; undefined where the session has none. */
  async decide(asked: PolicyCase): Promise<PolicyVerdict | undefined> {
    if (this.#known.length === 0) return undefined;
    const verdict = await this.#inTime(decide(asked, this.#known, this.#options.places));
    const policy = this.#known.find(({ id }) => id === verdict?.policy);
    // It may have been removed meanwhile.
    return verdict?.would === "allow" && policy === undefined ? undefined : verdict;
  }

  /**
   * Says what all policies, one of them, or a rule that is not added would have done with questions.
   *
   * @throws RemoteError `unknown_policy`, `invalid_params`
   */
  async test(
    which: { readonly id?: number | undefined; readonly rule?: PolicyRule },
    asked: readonly StoredQuestion[],
  ) {
    const { id, rule } = which;
    const draft = rule && { ...(await this.#checked(rule)), id: 0, addedAt: new Date().toISOString(), addedBy: "" };
    const policies = draft ? [draft] : id === undefined ? this.#known : [this.#get(id)];
    const trials: PolicyTrial[] = [];
    for (const { question, origin } of asked.slice(-policyLimits.tried)) {
      const { id: number, askedAt, agentType, title } = question;
      const deciding = decide({ question, action: origin.action }, policies, this.#options.places);
      const verdict = (await this.#inTime(deciding)) ?? TOO_SLOW;
      trials.push({ id: number, askedAt, agentType, title, answered: endOf(question), ...verdict });
    }
    return trials;
  }

  #get(id: number): Policy {
    const policy = this.#known.find((known) => known.id === id);
    if (policy === undefined) throw new RemoteError("unknown_policy", `The session has no policy ${id}.`);
    return policy;
  }

  async #checked(rule: PolicyRule): Promise<PolicyRule> {
    const { effect, what, folder, command } = rule;
    if (what === "network" && effect === "allow")
      throw invalid("what: a policy can only ask for the network. What may use it could send anything anywhere.");
    if ((what === "command") !== (command !== null))
      throw invalid(`command: expected for policies about a command, and for those only.`);
    if (command !== null && plainWords(command) === undefined)
      throw invalid("command: expected plain words, without quotes, variables, patterns or several commands.");
    if (folder === null) {
      if (effect === "allow") throw invalid("folder: expected the folder that is read, or in which the command runs.");
      return rule;
    }
    if (what === "network" || (what === "command" && effect === "ask"))
      throw invalid("folder: this policy applies in all folders.");
    return { ...rule, folder: await this.#folder(folder) };
  }

  /** Links in the path are followed now: one that is changed later does not move the policy. */
  async #folder(folder: string): Promise<string> {
    const real = isAbsolute(folder) ? await this.#options.places.real(folder) : undefined;
    if (real === undefined)
      throw invalid(`folder: expected the absolute path of a folder, got ${JSON.stringify(folder)}.`);
    if (real === parse(real).root) throw invalid("folder: this is the whole disk.");
    return real;
  }

  #inTime(deciding: Promise<PolicyVerdict>): Promise<PolicyVerdict | undefined> {
    const { decideWithinMs = DECIDE_WITHIN_MS } = this.#options;
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, decideWithinMs, undefined);
      deciding.then(resolve, () => resolve(undefined)).finally(() => clearTimeout(timer));
    });
  }
}

const TOO_SLOW: PolicyVerdict = { would: "ask", policy: null, because: "its files could not be looked up in time" };

function invalid(message: string): RemoteError {
  return new RemoteError("invalid_params", message);
}

function endOf({ state, answer, answeredBy }: Question): string {
  if (state !== "answered") return state;
  const where = answeredBy?.kind === "terminal" ? "in the terminal" : `by ${answeredBy?.name}`;
  return [answer?.option ?? (answer?.text === null ? undefined : "in words"), where].filter(Boolean).join(" ");
}
