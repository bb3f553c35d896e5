import { z } from "zod";
import { errorText } from "../core/protocol/error-text.ts";
import { RemoteError } from "../core/protocol/errors.ts";
import type { FleetMachine } from "../core/protocol/fleet.ts";
import { SessionId } from "../core/protocol/ids.ts";
import {
  LOCAL_MACHINE,
  type MachineOverview,
  type MachineQuestion,
  type MachineRef,
  remoteTokenVariable,
} from "../core/protocol/machines.ts";
import type { MachineAnswer, MachineShell } from "../core/protocol/other-machines.ts";
import { Question, questionLimits } from "../core/protocol/questions.ts";
import type { TokenStore } from "../main/system/keychain.ts";
import { withDeadline } from "../main/system/with-deadline.ts";
import {
  type Machine as AskedMachine,
  askMachine,
  clientOf,
  type MachineAnswer as MachineReply,
  remoteMachine,
} from "./ask-machines.ts";
import { ClientError, isKeyProblem, RelayUnreachable, refusing } from "./errors.ts";
import { checkKey } from "./find-key.ts";
import type { Machine, Machines } from "./machines.ts";
import { askAdmission, describeRefusal, openSession, type SessionAddress } from "./open-session.ts";
import { RemoteClient } from "./remote-client.ts";
import { AWAY_AFTER_MS, checkReachable, findRemoteKey, peerOf, userOf } from "./remote-machine.ts";
import { type Remote, Remotes, remoteKeyAccount } from "./remotes.ts";
import { checkResult } from "./service-error.ts";
import { agentsOf, listSessions, type OpenSession, questionsOf, type SessionRows } from "./session-rows.ts";

interface MachinesOptions {
  /** The data folder, which keeps the remotes. */
  readonly data: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly keychain: TokenStore;
  /** Base address of the relay of this machine, by which the sessions of the fleet are reached. */
  readonly url: () => string;
  /** The other relays of the fleet. */
  readonly fleet: () => readonly FleetMachine[];
  /** The open questions that the broker keeps of a relay of the fleet that is away. */
  readonly keptQuestions: (member: string) => Promise<readonly Question[]>;
}

/** What the panel shows of an agent: a machine may be of another version, or no relay at all. */
const Agent = z.object({
  session: z.string(),
  shellId: z.int(),
  agentType: z.string(),
  state: z.string().default(""),
  tokenUsage: z.object({ cost: z.number().min(0) }).optional(),
});

/** The relay of this machine waits this long for another one of the fleet, in seconds. */
const PASS_ON_TIMEOUT_S = 2;
/** A machine is not believed: it may list any number of questions, of any length. */
const MAX_QUESTIONS = 200;
/** The most of a machine's answers to one look, in bytes, and of its questions: this relay reads them. Hundreds of agents take less. */
const MAX_ANSWER_BYTES = 2 * 1024 * 1024;
const { title, text, command, diff, input, files, path, options, label, screen } = questionLimits;
/** All limits of a question together, twice for what JSON escapes. */
const MAX_QUESTION_LENGTH = 2 * (title + text + command + diff + input + files * path + options * label + screen);
const Questions = z.array(Question);

interface Listed {
  readonly sessions: readonly { readonly id: string; readonly name: string }[];
  readonly agents: readonly Readonly<Record<string, unknown>>[];
  readonly questions: readonly SessionRows[];
  readonly isCut?: boolean;
}

/** The remotes of a data folder, and the other relays of the fleet that its relay is in. */
export class KnownMachines implements Machines {
  readonly #options: MachinesOptions;
  readonly #remotes: Remotes;

  constructor(options: MachinesOptions) {
    this.#options = options;
    this.#remotes = new Remotes(options.data);
  }

  find({ via, machine }: MachineRef): Machine | undefined {
    if (via === "fleet") {
      const member = this.#options.fleet().find(({ name }) => name === machine);
      return member && new FleetMember(member, this.#options);
    }
    const remote = this.#remotes.find(machine);
    return remote === undefined || "damaged" in remote ? undefined : new RemoteMachine(remote, this.#options);
  }

  named(machine: string): Machine | undefined {
    return this.find({ via: "remote", machine }) ?? this.find({ via: "fleet", machine });
  }

  /** Asks every machine for its sessions, agents and questions, as `--all` of these words does. */
  async list(): Promise<MachineOverview[]> {
    const remotes = this.#remotes
      .list()
      .flatMap((remote) => ("damaged" in remote ? [] : [new RemoteMachine(remote, this.#options)]));
    const members = this.#options.fleet().map((member) => new FleetMember(member, this.#options));
    return Promise.all(
      [...remotes, ...members].map(async (machine) => ({
        ...describe(await machine.list()),
        via: machine.ref.via,
        keepsKey: await machine.keepsKey(),
      })),
    );
  }
}

type Shared = Pick<MachinesOptions, "env" | "keychain" | "url" | "data" | "keptQuestions">;

abstract class KnownMachine implements Machine {
  abstract readonly ref: MachineRef;
  abstract readonly id: string;
  abstract readonly url: string;
  abstract readonly lastSeen: string;
  protected readonly shared: Shared;

  constructor(shared: Shared) {
    this.shared = shared;
  }

  /** @throws ClientError `no_key` where there is none */
  protected abstract key(): Promise<string>;
  /** Its sessions, agents and questions, as far as they can be known now. */
  abstract list(): Promise<MachineReply<Listed>>;
  /** The machine with this app's key. */
  protected abstract machine(): AskedMachine;
  /** Rejects with an Error for the user where the machine cannot be asked now: then nothing was sent to it. */
  protected abstract checkPresent(session: string): Promise<void>;
  protected abstract address(session: string, key: string): SessionAddress;

  /** The machine for one look, or one request. */
  protected asked(): AskedMachine {
    const machine = this.machine();
    return { ...machine, peer: { ...machine.peer, allowance: { left: MAX_ANSWER_BYTES } } };
  }

  async hasKey(): Promise<boolean> {
    return (await this.#findKey()) !== undefined;
  }

  /** Whether a key is kept that this app can delete. */
  async keepsKey(): Promise<boolean> {
    return (await this.shared.keychain.get(this.id)) !== undefined;
  }

  async connect(session: string) {
    const key = await this.#findKey();
    if (key === undefined) {
      return { refused: `No key for ${this.ref.machine} is kept on this machine.`, needsKey: true };
    }
    return openSession(this.address(session, key));
  }

  async findSession(wanted: string): Promise<{ id: SessionId; name: string }> {
    const { machine } = this.ref;
    const { value, state, problem = `${machine} does not answer.` } = await this.list();
    const found =
      value?.sessions.find(({ id }) => id === wanted) ?? value?.sessions.find(({ name }) => name === wanted);
    const id = SessionId.safeParse(found?.id).data;
    if (found !== undefined && id !== undefined) return { id, name: found.name };
    if (value === undefined) throw new RemoteError(state === "away" ? "relay_away" : "invalid_request", problem);
    throw new RemoteError("unknown_session", `${machine} has no session ${wanted.slice(0, 64)}.`);
  }

  answerQuestion(answer: MachineAnswer): Promise<Question> {
    return refusing(async () => {
      const client = await this.#clientFor(answer.session);
      return checkResult(Question, await client.askOperation("answerQuestion", answer), this.url);
    });
  }

  questionsOf({ session, shell }: MachineShell): Promise<readonly Question[]> {
    return refusing(async () => {
      const client = await this.#clientFor(session);
      const asked = await client.askOperation("getQuestions", { session, shell, closed: true });
      return checkResult(Questions, asked, this.url);
    });
  }

  async takeKey(key: string, session: string | undefined): Promise<void> {
    const refused = await refusing(() => this.tryKey(checkKey(key, "The key"), session));
    if (refused !== undefined) throw new RemoteError("invalid_params", refused);
    await this.shared.keychain.set(this.id, key);
  }

  async forgetKey(): Promise<void> {
    await this.shared.keychain.delete(this.id);
  }

  /** Returns why the machine does not accept a key; undefined if it does. */
  protected async tryKey(key: string, session: string | undefined): Promise<string | undefined> {
    if (session === undefined) return `${this.ref.machine} has no session to try the key with.`;
    const admission = await askAdmission(this.address(session, key));
    return admission === "admitted" ? undefined : admission.refused;
  }

  async #clientFor(session: string): Promise<RemoteClient> {
    await this.checkPresent(session);
    return clientOf(this.asked(), { session });
  }

  async #findKey(): Promise<string | undefined> {
    try {
      return await this.key();
    } catch (error) {
      if (error instanceof ClientError && isKeyProblem(error)) return undefined;
      throw error;
    }
  }
}

class RemoteMachine extends KnownMachine {
  readonly ref: MachineRef;
  readonly id: string;
  readonly url: string;
  readonly lastSeen: string;
  readonly #remote: Remote;

  constructor(remote: Remote, shared: Shared) {
    super(shared);
    this.#remote = remote;
    this.ref = { via: "remote", machine: remote.name };
    this.id = remoteKeyAccount(remote);
    this.url = remote.url;
    this.lastSeen = remote.lastSeen;
  }

  list(): Promise<MachineReply<Listed>> {
    return askMachine(this.asked(), async (client, machine) => listIn(client, await listSessions(client), machine));
  }

  protected machine(): AskedMachine {
    const { data, env } = this.shared;
    return { ...remoteMachine(this.#remote, { env, remotes: new Remotes(data) }), key: () => this.key() };
  }

  protected async checkPresent(): Promise<void> {
    await checkReachable(this.#remote, this.shared);
  }

  override async takeKey(key: string, session: string | undefined): Promise<void> {
    const variable = remoteTokenVariable(this.#remote.name);
    if ((this.shared.env[variable] ?? "") !== "") {
      throw new RemoteError(
        "invalid_params",
        `${variable} is set and comes before the keychain: change the key there.`,
      );
    }
    await super.takeKey(key, session);
  }

  protected async key(): Promise<string> {
    const { env, keychain } = this.shared;
    return (await findRemoteKey(this.#remote, { env, kept: (account) => keychain.get(account) })).token;
  }

  protected address(session: string, key: string): SessionAddress {
    return { url: this.url, session, key, peer: peerOf(this.#remote) };
  }

  protected override async tryKey(key: string, session: string | undefined): Promise<string | undefined> {
    if (session !== undefined) return super.tryKey(key, session);
    try {
      await userOf(new RemoteClient({ url: this.url, token: key, remote: peerOf(this.#remote) }));
      return undefined;
    } catch (error) {
      if (isKeyProblem(error)) return describeRefusal(this.#remote.name);
      return errorText(error);
    }
  }
}

/** A relay of the fleet. It is reached by the relay of this machine, which passes a proof of the key on, and not the key. */
class FleetMember extends KnownMachine {
  readonly ref: MachineRef;
  readonly id: string;
  readonly lastSeen: string;
  readonly #member: FleetMachine;

  constructor(member: FleetMachine, shared: Shared) {
    super(shared);
    this.#member = member;
    this.ref = { via: "fleet", machine: member.name };
    this.id = `fleet:${member.member}`;
    this.lastSeen = member.lastSeen;
  }

  get url(): string {
    return this.shared.url();
  }

  async list(): Promise<MachineReply<Listed>> {
    const { name, isPresent, version, sessions, lastSeen } = this.#member;
    const known = { machine: name, url: this.url, version };
    if (!isPresent) {
      const value = { sessions, agents: [], questions: await this.#keptQuestions() };
      return { ...known, value, state: "away", awaySince: lastSeen, key: "unknown" };
    }
    // The directory does not tell which sessions have a client.
    const places = sessions.map((session) => ({ ...session, userCount: 1 }));
    const [answer, kept] = await Promise.all([
      askMachine(this.asked(), (client, machine) => listIn(client, places, machine).catch(asAbsence)),
      // Read at the same time: one that does not answer is known to be away within 3 s all the same.
      this.#keptQuestions(),
    ]);
    const problem = answer.key === "rejected" ? { problem: describeRefusal(name) } : {};
    const value = { sessions, agents: [], questions: answer.state === "away" ? kept : [] };
    return { ...known, value, ...answer, ...problem, version };
  }

  protected machine(): AskedMachine {
    const { name, lastSeen } = this.#member;
    // It is the relay of this machine that is called.
    const peer = { name: LOCAL_MACHINE };
    return { name, url: this.url, lastSeen, peer, servedBy: name, key: () => this.key(), noteSeen: () => undefined };
  }

  protected async checkPresent(session: string): Promise<void> {
    const { name, isPresent } = this.#member;
    if (!isPresent) throw new RemoteError("relay_away", `${name} is away.`);
    // A request that reads shows which relay serves the session, and that the key is valid there.
    const client = await clientOf(this.asked(), { session, timeout: PASS_ON_TIMEOUT_S });
    await client.askOperation("getQuestions", {});
  }

  /** None where the broker does not answer in time: the machine is listed as away all the same. */
  async #keptQuestions(): Promise<SessionRows[]> {
    const { member, sessions } = this.#member;
    const late = () => new Error("the broker does not answer");
    const kept = await withDeadline(this.shared.keptQuestions(member), AWAY_AFTER_MS, late).catch(() => []);
    return sessions.map((session) => ({
      session: { ...session, userCount: 0 },
      rows: kept.filter((question) => question.session === session.id),
    }));
  }

  protected async key(): Promise<string> {
    const kept = await this.shared.keychain.get(this.id);
    if (kept !== undefined) return kept;
    throw new ClientError("no_key", `No key for ${this.ref.machine} is kept on this machine.`);
  }

  protected address(session: string, key: string): SessionAddress {
    return { url: this.url, session, key, peer: { name: this.#member.name }, servedBy: this.#member.name };
  }

  protected override tryKey(key: string, session = this.#member.sessions[0]?.id): Promise<string | undefined> {
    return super.tryKey(key, session);
  }
}

/** The relay of this machine answers for one of the fleet that does not. @throws RelayUnreachable, or the error itself */
function asAbsence(error: unknown): never {
  if (error instanceof RemoteError && error.code === "relay_away") {
    throw new RelayUnreachable(error.message, { cause: error });
  }
  throw error;
}

/** Lists what is in the sessions. Questions are read apart: however much a shell asks, it hides no session and no agent. */
async function listIn(client: RemoteClient, sessions: readonly OpenSession[], { peer }: AskedMachine): Promise<Listed> {
  const allowance = { left: MAX_ANSWER_BYTES };
  const asking = questionsOf(client.with({ remote: { ...peer, allowance } }), sessions, allowance);
  const [agents, questions] = await Promise.all([agentsOf(client, sessions), asking]);
  return { sessions, agents, questions, isCut: allowance.left < 0 };
}

function describe({ value, ...report }: MachineReply<Listed>): Omit<MachineOverview, "via" | "keepsKey"> {
  const agents = (value?.agents ?? []).flatMap((row) => Agent.safeParse(row).data ?? []);
  const problem = `${report.machine} has more questions than are read at once: open its sessions to see all of them.`;
  return {
    ...report,
    ...(value?.isCut === true && { problem }),
    sessions: (value?.sessions ?? []).map(({ id, name }) => ({ id, name })),
    agents: agents.map(({ tokenUsage, ...agent }) => ({ ...agent, cost: tokenUsage?.cost })),
    cost: agents.reduce((sum, { tokenUsage }) => sum + (tokenUsage?.cost ?? 0), 0),
    questions: (value?.questions ?? []).flatMap(readQuestions).slice(0, MAX_QUESTIONS),
  };
}

/** A question counts as one of the session that was asked, whatever it says itself. */
function readQuestions({ session: { id, name }, rows }: SessionRows): MachineQuestion[] {
  return rows.slice(0, MAX_QUESTIONS).flatMap((row) => {
    const question = Question.safeParse({ ...row, session: id }).data;
    const fits = question !== undefined && JSON.stringify(question).length <= MAX_QUESTION_LENGTH;
    return fits ? [{ session: name, question }] : [];
  });
}
