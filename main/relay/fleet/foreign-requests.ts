import { EventEmitter } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { z } from "zod";
import { RemoteError } from "../../../core/protocol/errors.ts";
import { MAX_COMMAND_TIMEOUT_MS } from "../../../core/protocol/limits.ts";
import { SessionRecord } from "../../../core/protocol/records.ts";
import { withDeadline } from "../../system/with-deadline.ts";
import type { Principal } from "../access/keys.ts";
import { keyPermit } from "../access/permits/permit.ts";
import { type ForeignSessions, RELAY_HEADER, type Refuse, type UpgradeOutcome } from "../http/foreign-sessions.ts";
import { fleetPeerOf } from "../net/fleet-peer.ts";
import { below } from "../net/origin-guard.ts";
import { sendJson } from "../net/send.ts";
import { type Credential, callOwner, credentialsOf, type ForeignAnswer, type ForeignRequest } from "./call-owner.ts";
import type { Directory, DirectoryMember } from "./directory.ts";
import type { KeptQuestions } from "./kept-questions.ts";
import type { MemberRelay } from "./member-relay.ts";
import { passAnswer, passSocket, readBody } from "./pass-on.ts";
import type { Transport } from "./transport.ts";

/** A relay that is present has this long to list its sessions. */
const LIST_TIMEOUT_MS = 2_000;
/** How a relay answers a request for its own sessions. */
const Listed = z.object({ result: z.array(SessionRecord).max(2_000) });

const STREAM = /^\/v1\/sessions\/[^/?]+\/(?:events|shells\/[^/?]+\/output)(?:\?|$)/;

interface ForeignRequestsOptions {
  readonly relay: Pick<
    MemberRelay,
    "sessions" | "keys" | "metrics" | "tracing" | "basePath" | "commandTimeoutMs" | "user"
  >;
  readonly questions: KeptQuestions;
  readonly directory: Directory;
  readonly transport: Transport;
  /** This relay in the fleet. */
  readonly member: string;
  readonly name: string;
}

/**
 * Where a request belongs: to this relay, to another one, to the list of sessions, or to none that is known. `unread`: this
 * relay has not read the fleet's directory since its start, and the caller's key is none of its own.
 */
type Place = "here" | "list" | "unknown" | "unread" | ForeignPlace;

interface ForeignPlace {
  readonly session: string;
  readonly owner: DirectoryMember;
}

/** The shell whose questions are meant; undefined for those of all shells. */
interface KeptShell {
  readonly shell: number | undefined;
}

/** Every form of the request lists the open ones only: no others are kept. */
const KEPT_QUESTIONS = /^\/v1\/sessions\/[^/?]+\/questions(?:\?(.*))?$/;
const KeptParams = z.strictObject({
  shell: z
    .string()
    .regex(/^\d{1,15}$/)
    .optional(),
  closed: z.enum(["true", "false"]).optional(),
  all: z.enum(["true", "false"]).optional(),
});

/** Passes requests for sessions of other relays on, and lists those sessions. */
export class ForeignRequests implements ForeignSessions, Disposable {
  readonly #options: ForeignRequestsOptions;
  readonly #leaving = new Set<() => void>();

  constructor(options: ForeignRequestsOptions) {
    this.#options = options;
  }

  /** Ends what is under way, and what is open at other relays. */
  [Symbol.dispose](): void {
    for (const leave of this.#leaving) leave();
  }

  isForeign(request: IncomingMessage): boolean {
    return typeof this.#placeOf(request) !== "string";
  }

  answer(request: IncomingMessage, response: ServerResponse, refuse: Refuse): boolean {
    const place = this.#placeOf(request);
    if (place === "here") response.setHeader(RELAY_HEADER, this.#options.name);
    if (place === "list") return this.#answerList(request, response, refuse);
    if (place === "unread") {
      refuse(unread());
      return true;
    }
    if (typeof place === "string") return false;
    const shell = this.#readsKeptQuestions(place, request);
    const answered =
      shell === undefined ? this.#pass(place, request, response) : this.#sendKept(place, shell, response);
    void answered.catch(refuse);
    return true;
  }

  relayOf(session: string): string | undefined {
    const { relay, directory } = this.#options;
    return relay.sessions.find(session) === undefined ? directory.find(session)?.record.name : undefined;
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, { refuse, accepted }: UpgradeOutcome): boolean {
    const place = this.#placeOf(request);
    if (place === "unread") {
      refuse(unread());
      return true;
    }
    if (typeof place === "string") return false;
    const foreign = this.#foreign(request, { upgrade: true });
    this.#call({ ...place, kind: "terminal" }, foreign, socket).then((answer) => {
      if (answer.status === 101) accepted();
      passSocket(answer, socket, head, place.owner.record.name);
    }, refuse);
    return true;
  }

  /** Returns the sessions of other relays that accept the caller's key, and those of relays that are away. */
  async sessionsFor(principal: Principal): Promise<readonly SessionRecord[]> {
    const digest = this.#options.relay.keys.digestOf(principal);
    if (digest === undefined || principal.shell !== undefined) return [];
    const { listed, away } = await this.#listOthers([{ scheme: principal.scheme, digest }]);
    // A relay that is away cannot judge the key, so its sessions are shown to callers with all rights of the owner only.
    return keyPermit(principal) === undefined ? [...listed, ...away] : listed;
  }

  /** The one place that decides whose session a request is for. */
  #placeOf(request: IncomingMessage): Place {
    const { url = "/", method, headers } = request;
    const { relay, directory } = this.#options;
    // What another relay has passed on goes no further.
    if (fleetPeerOf(request) !== undefined) return "unknown";
    const path = below(url, relay.basePath);
    if (!path.startsWith("/v1/sessions")) return "unknown";
    const [, session] = /^\/v1\/sessions\/([^/?]+)/.exec(path) ?? [];
    if (session === undefined) return method === "GET" && path === "/v1/sessions" ? "list" : "unknown";
    if (relay.sessions.find(session) !== undefined) return "here";
    const owner = directory.find(session);
    if (owner !== undefined) return { session, owner };
    const token = headers["x-service-token"];
    const isRead = directory.now() !== undefined;
    return !isRead && typeof token === "string" && relay.keys.verify(token, "api") === undefined ? "unread" : "unknown";
  }

  /**
   * Returns which shell's questions a request is for that this relay answers in place of one that is away; undefined for
   * any other request. That relay cannot judge its own keys, so it needs a key of this one, with all rights of its owner.
   */
  #readsKeptQuestions({ owner }: ForeignPlace, { method, url = "/", headers }: IncomingMessage): KeptShell | undefined {
    const { relay } = this.#options;
    const token = headers["x-service-token"];
    const list = KEPT_QUESTIONS.exec(below(url, relay.basePath));
    if (owner.isPresent || method !== "GET" || list === null || typeof token !== "string") return undefined;
    const params = KeptParams.safeParse(Object.fromEntries(new URLSearchParams(list[1]))).data;
    if (params === undefined) return undefined;
    const caller = relay.keys.verify(token, "api");
    const hasAllRights = caller?.user === relay.user && caller.shell === undefined && keyPermit(caller) === undefined;
    return hasAllRights ? { shell: params.shell === undefined ? undefined : Number(params.shell) } : undefined;
  }

  async #sendKept({ session, owner }: ForeignPlace, { shell }: KeptShell, response: ServerResponse): Promise<void> {
    const kept = (await this.#options.questions.read(owner.member)).filter((one) => one.session === session);
    const since = new Date(owner.lastSeen).toISOString();
    const result = kept.filter(({ shellId }) => shell === undefined || shellId === shell);
    sendJson(response, { result }, { [RELAY_HEADER]: owner.record.name, "X-Service-Away-Since": since });
  }

  async #pass({ session, owner }: ForeignPlace, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const read = await readBody(request);
    if (read === undefined) return;
    const foreign = this.#foreign(request, read);
    const kind = STREAM.test(foreign.path) ? "events" : "command";
    // Also for the refusal when that relay does not answer.
    response.setHeader(RELAY_HEADER, owner.record.name);
    const answer = await this.#call({ session, owner, kind }, foreign, response);
    passAnswer(answer, response, owner.record.name);
  }

  #foreign(
    { method = "GET", url = "/", headers }: IncomingMessage,
    { body = Buffer.alloc(0), isCut = false, upgrade = false }: ForeignContent,
  ): ForeignRequest {
    const { basePath, tracing } = this.#options.relay;
    const traceparent = tracing.traceparent();
    return {
      method,
      path: below(url, basePath),
      headers: traceparent === undefined ? headers : { ...headers, traceparent },
      isCut,
      credentials: credentialsOf(headers),
      body,
      upgrade,
    };
  }

  async #call(
    { session, owner, kind }: { session: string; owner: DirectoryMember; kind: "command" | "events" | "terminal" },
    request: ForeignRequest,
    caller: EventEmitter | undefined,
    timeoutMs = timeoutOf(request, this.#options.relay.commandTimeoutMs),
  ): Promise<ForeignAnswer> {
    const { member, transport, directory, relay } = this.#options;
    try {
      const answer = await callOwner(request, {
        member,
        owner: owner.member,
        name: owner.record.name,
        transport,
        publish: (piece, token) => transport.request(session, kind, piece, token),
        now: () => directory.now(),
        timeoutMs,
        caller,
        leaving: this.#leaving,
      });
      relay.metrics.fleetRequest("out", "ok");
      return answer;
    } catch (error) {
      relay.metrics.fleetRequest("out", "lost");
      throw error;
    }
  }

  /** Lists for a key that this relay does not know; a relay of the fleet may. */
  #answerList(request: IncomingMessage, response: ServerResponse, refuse: Refuse): boolean {
    const key = request.headers["x-service-token"];
    if (typeof key !== "string" || this.#options.relay.keys.verify(key, "api") !== undefined) return false;
    this.#listOthers(credentialsOf({ "x-service-token": key })).then(({ listed, isAccepted }) => {
      if (isAccepted) sendJson(response, { result: listed });
      else refuse(undefined);
    }, refuse);
    return true;
  }

  async #listOthers(credentials: readonly Credential[]): Promise<ListedSessions> {
    const others = this.#options.directory.others();
    const lists = await Promise.all(
      others.map((owner) => (owner.isPresent ? this.#listOf(owner, credentials) : "away")),
    );
    return {
      listed: lists.flatMap((list, index) => (Array.isArray(list) ? withRelay(list, others[index]) : [])),
      away: others.flatMap((owner, index) => (lists[index] === "away" ? awaySessions(owner) : [])),
      isAccepted: lists.some(Array.isArray),
    };
  }

  async #listOf(
    owner: DirectoryMember,
    credentials: readonly Credential[],
  ): Promise<SessionRecord[] | "away" | "refused"> {
    const path = "/v1/sessions";
    const request = {
      method: "GET",
      path,
      headers: {},
      credentials,
      body: Buffer.alloc(0),
      isCut: false,
      upgrade: false,
    };
    const place = { session: owner.member, owner, kind: "command" } as const;
    const asker = new EventEmitter();
    try {
      // In all, whatever it says while it works: who asks this relay waits for a list no longer than that.
      const late = () => new RemoteError("relay_away", `${owner.record.name} did not list its sessions in time.`);
      const asked = this.#call(place, request, asker, LIST_TIMEOUT_MS);
      const { status, body } = await withDeadline(asked, LIST_TIMEOUT_MS, late);
      if (!Buffer.isBuffer(body)) body.destroy();
      if (status !== 200 || !Buffer.isBuffer(body)) return "refused";
      return Listed.parse(JSON.parse(body.toString("utf8"))).result;
    } catch {
      return "away";
    } finally {
      // One that comes later has no reader.
      asker.emit("close");
    }
  }
}

/** A page that was open at this relay before its start asks again. */
function unread(): RemoteError {
  const sentence =
    "This relay has not joined its fleet yet, and does not know the sessions of other relays: try again.";
  return new RemoteError("relay_away", sentence);
}

interface ForeignContent {
  readonly body?: Buffer;
  readonly isCut?: boolean;
  readonly upgrade?: boolean;
}

interface ListedSessions {
  readonly listed: readonly SessionRecord[];
  readonly away: readonly SessionRecord[];
  /** Whether any relay accepts the key. */
  readonly isAccepted: boolean;
}

function withRelay(sessions: readonly SessionRecord[], owner: DirectoryMember | undefined): SessionRecord[] {
  const { name = "" } = owner?.record ?? {};
  const claimed = new Set(owner?.record.sessions.map(({ id }) => id));
  return sessions.filter(({ id }) => claimed.has(id)).map((session) => ({ ...session, relay: name }));
}

function awaySessions({ record, lastSeen }: DirectoryMember): SessionRecord[] {
  const away = { relay: record.name, awaySince: new Date(lastSeen).toISOString(), userCount: 0, shellCount: 0 };
  return record.sessions.flatMap((session) => SessionRecord.safeParse({ ...session, ...away }).data ?? []);
}

/** Returns how long the other relay has to begin: the caller's `X-Service-Timeout`, which that relay validates. */
function timeoutOf({ headers }: ForeignRequest, usual: number): number {
  const ms = Number(headers["x-service-timeout"]) * 1000;
  return ms > 0 && ms <= MAX_COMMAND_TIMEOUT_MS ? ms : Math.min(usual, MAX_COMMAND_TIMEOUT_MS);
}
