import type { KV } from "@nats-io/kv";
import type { Subscription } from "@nats-io/transport-node";
import type { FleetMachine, FleetStatus } from "../../../core/protocol/fleet.ts";
import type { Question } from "../../../core/protocol/questions.ts";
import type { SessionRecord } from "../../../core/protocol/records.ts";
import type { Log } from "../../system/log.ts";
import type { Principal } from "../access/keys.ts";
import type { ForeignSessions } from "../http/foreign-sessions.ts";
import { FleetError } from "../net/fleet-peer.ts";
import type { RelayFleet } from "../relay.ts";
import { Broker, parseBrokerUrls, Subjects } from "./broker.ts";
import { type FleetCredentials, readCredentials } from "./credentials.ts";
import { Directory, type DirectoryMember } from "./directory.ts";
import { ForeignRequests } from "./foreign-requests.ts";
import { KeptQuestions } from "./kept-questions.ts";
import type { MemberRelay } from "./member-relay.ts";
import { RequestCheck } from "./request-check.ts";
import { RequestServer } from "./serve-requests.ts";
import { Transport } from "./transport.ts";
import { decodeRequest } from "./wire.ts";

interface FleetOptions {
  readonly urls: readonly string[];
  readonly credentials: FleetCredentials;
  readonly relay: MemberRelay;
  readonly log: Log;
}

/**
 * Reads the settings of a fleet, before anything is started with them. Throws a FleetError.
 *
 * @param url addresses of the broker, separated by commas
 */
export function readFleetSetting({ url, credentialsFile }: { readonly url: string; readonly credentialsFile: string }) {
  return { urls: parseBrokerUrls(url), credentials: readCredentials(credentialsFile) };
}

/**
 * A relay's membership of a fleet: it serves its sessions to the other relays, and passes requests for theirs on. It joins
 * in the background, and again whenever the broker is lost.
 */
export class Fleet implements RelayFleet, AsyncDisposable {
  readonly foreign: ForeignSessions;
  readonly #options: FleetOptions;
  readonly #subjects: Subjects;
  readonly #directory: Directory;
  readonly #questions: KeptQuestions;
  readonly #server: RequestServer;
  readonly #check: RequestCheck;
  readonly #transport: Transport;
  readonly #requests: ForeignRequests;
  readonly #closing = new AbortController();
  readonly #served = new Map<string, Subscription>();
  /** Resolves when the relay has joined, or an attempt to has failed. */
  readonly attempted: Promise<void>;
  #attempted: () => void = () => undefined;
  /** Why the broker was not reached, while it never was. */
  #problem = "the broker has not accepted the relay yet";
  readonly #unsubscribe: () => void;
  #broker: Broker | undefined;

  constructor(options: FleetOptions) {
    const { relay, credentials, log } = options;
    const { member, name } = credentials;
    this.#options = options;
    this.#subjects = new Subjects(credentials);
    this.#directory = new Directory({ member, log, onChange: () => this.#serveSessions() });
    this.#transport = new Transport(this.#subjects, member);
    this.#check = new RequestCheck(relay.keys, () => this.#directory.now());
    this.#server = new RequestServer({
      transport: this.#transport,
      relay,
      nameOf: (other) => this.#directory.nameOf(other),
    });
    this.#questions = new KeptQuestions({ member, sessions: relay.sessions, log });
    this.#requests = new ForeignRequests({
      relay,
      questions: this.#questions,
      member,
      name,
      directory: this.#directory,
      transport: this.#transport,
    });
    this.foreign = this.#requests;
    this.attempted = new Promise((resolve) => {
      this.#attempted = resolve;
    });
    this.#unsubscribe = relay.sessions.onChange(() => this.#announce());
    this.#announce();
    void this.#connect();
  }

  sessionsFor(principal: Principal): Promise<readonly SessionRecord[]> {
    return this.#requests.sessionsFor(principal);
  }

  status(): FleetStatus {
    const { urls, credentials, relay } = this.#options;
    const { member: own, owner, name } = credentials;
    const broker = this.#broker;
    const self = { member: own, record: this.#record(), isPresent: true, lastSeen: 0 };
    return {
      state: broker === undefined ? "connecting" : broker.isConnected ? "joined" : "disconnected",
      broker: urls.join(","),
      owner,
      name,
      problem: broker === undefined ? this.#problem : (broker.problem ?? null),
      members: [self, ...this.#directory.others()].map((one) => describeMember(one, own)),
      conflicts: relay.sessions.all().flatMap(({ id }) => (this.#directory.isServedHere(id) ? [] : [id])),
    };
  }

  others(): FleetMachine[] {
    return this.#directory.others().map(({ member, isPresent, lastSeen, record: { name, version, sessions } }) => ({
      name,
      member,
      isPresent,
      lastSeen: new Date(lastSeen).toISOString(),
      version,
      sessions: sessions.map(({ id, name }) => ({ id, name })),
    }));
  }

  keptQuestions(member: string): Promise<readonly Question[]> {
    return this.#questions.read(member);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    this.#unsubscribe();
    this.#server.close();
    this.#requests[Symbol.dispose]();
    await this.#questions.flush();
    this.#questions[Symbol.dispose]();
    await this.#directory.leave();
    this.#directory[Symbol.dispose]();
    await this.#broker?.close();
  }

  async #connect(): Promise<void> {
    const { urls, credentials, log } = this.#options;
    const onConnected = (isConnected: boolean) => {
      if (isConnected) void this.#openDirectory();
      else this.#suspend();
    };
    const onProblem = (sentence: string) => {
      this.#problem = sentence;
      this.#attempted();
    };
    try {
      const broker = await Broker.connect({ urls, credentials, log, onConnected, onProblem }, this.#closing.signal);
      if (this.#closing.signal.aborted) return await broker.close();
      this.#broker = broker;
      void broker.connection.closed().then(() => this.#reconnect());
      this.#served.clear();
      this.#transport.attach(broker);
      this.#serve(credentials.member);
      await this.#openDirectory();
      this.#attempted();
      log.info("joined the fleet", { broker: urls.join(","), owner: credentials.owner });
    } catch (error) {
      if (!this.#closing.signal.aborted) log.error("the fleet cannot be joined", { error });
    }
  }

  /** The library has given the connection up, as after an error that it cannot mend: another one is opened. */
  #reconnect(): void {
    this.#suspend();
    if (!this.#closing.signal.aborted) void this.#connect();
  }

  #suspend(): void {
    this.#directory.suspend();
    this.#questions.suspend();
  }

  /** A broker whose configuration is of an earlier version has no place for them. */
  async #questionsBucket(broker: Broker): Promise<KV | undefined> {
    try {
      return await broker.openQuestions();
    } catch (error) {
      if (error instanceof FleetError) throw error;
      const advice = "open questions cannot be read while their relay is away: write the broker's configuration again";
      this.#options.log.warn(advice, { error: String(error) });
      return undefined;
    }
  }

  /** Tries until the directory is open, or the broker is lost again. */
  async #openDirectory(): Promise<void> {
    const { log } = this.#options;
    for (let failures = 0; this.#broker?.isConnected && !this.#closing.signal.aborted; failures++) {
      try {
        // Both before anything is asked or answered: a bucket that is not ours could keep it.
        const questions = await this.#questionsBucket(this.#broker);
        await this.#directory.open(await this.#broker.openDirectory());
        this.#serveSessions();
        if (questions !== undefined && this.#broker.isConnected) this.#questions.open(questions);
        return;
      } catch (error) {
        log.warn("the fleet's directory cannot be opened; it is tried again", { error: String(error) });
        await new Promise((resolve) => setTimeout(resolve, Math.min(5_000, 200 * 2 ** failures)));
      }
    }
  }

  #record(): Omit<DirectoryMember["record"], "joinedAt"> & { joinedAt: number } {
    const { credentials, relay } = this.#options;
    const sessions = relay.sessions.all().map(({ id, owner, state }) => {
      const { name, createdAt } = state.now.session;
      return { id, name, owner, createdAt };
    });
    return { name: credentials.name, version: relay.version, joinedAt: 0, sessions };
  }

  #announce(): void {
    const { joinedAt: _, ...record } = this.#record();
    this.#directory.announce(record);
    this.#serveSessions();
  }

  /** Subscribes for the sessions that this relay is to serve, and for no others. */
  #serveSessions(): void {
    const { relay, credentials } = this.#options;
    const served = new Set<string>([
      credentials.member,
      ...relay.sessions.all().flatMap(({ id }) => (this.#directory.isServedHere(id) ? [id] : [])),
    ]);
    for (const [place, subscription] of this.#served) {
      if (served.has(place)) continue;
      subscription.unsubscribe();
      this.#served.delete(place);
    }
    for (const place of served) this.#serve(place);
  }

  #serve(place: string): void {
    const connection = this.#broker?.connection;
    if (connection === undefined || connection.isClosed() || this.#served.has(place)) return;
    // The queue lets one relay only have a request, also while two relays believe that they serve its session.
    const subscription = connection.subscribe(this.#subjects.all(place), {
      queue: "relay",
      callback: (error, { data }) => {
        if (error === null) this.#execute(place, data);
      },
    });
    this.#served.set(place, subscription);
  }

  #execute(place: string, data: Uint8Array): void {
    const piece = decodeRequest(data);
    const isOwn = piece !== undefined && isPathOf(place, piece.head.path, this.#options.credentials.member);
    const checked = this.#check.take(isOwn ? piece : undefined);
    if (checked === undefined) return;
    if (typeof checked !== "string") {
      if (this.#server.serve(checked)) this.#options.relay.metrics.fleetRequest("in", "ok");
      else this.#refuse("busy");
    } else {
      if (checked === "repeated" && piece !== undefined) this.#server.repeat(piece.head);
      this.#refuse(checked);
    }
  }

  #refuse(reason: string): void {
    this.#options.relay.metrics.fleetRequest("in", "refused");
    this.#options.log.debug("a request of the fleet was not executed", { reason });
  }
}

/** Returns whether a request may come by a subject: one of a session for that session only. */
function isPathOf(place: string, path: string, member: string): boolean {
  if (place === member) return path === "/v1/sessions";
  const start = `/v1/sessions/${place}`;
  return path.startsWith(start) && /^(?:$|[/?])/.test(path.slice(start.length));
}

function describeMember(
  { member, record, isPresent, lastSeen }: DirectoryMember,
  own: string,
): FleetStatus["members"][number] {
  return {
    name: record.name,
    member,
    state: isPresent ? "present" : "away",
    awaySince: isPresent ? null : new Date(lastSeen).toISOString(),
    version: record.version,
    sessions: record.sessions.length,
    isSelf: member === own,
  };
}
