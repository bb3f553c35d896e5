import { setTimeout as delay } from "node:timers/promises";
import { jetstream } from "@nats-io/jetstream";
import { type KV, Kvm } from "@nats-io/kv";
import { connect, type NatsConnection } from "@nats-io/transport-node";
import { isLoopbackHost } from "../../system/listeners/loopback-addresses.ts";
import type { Log } from "../../system/log.ts";
import { FleetError } from "../net/fleet-peer.ts";
import type { FleetCredentials } from "./credentials.ts";
import { ENTRY_TTL_MS } from "./directory.ts";
import { QUESTIONS_TTL_MS } from "./kept-questions.ts";

/** First delay before another attempt to connect, and the longest; each is multiplied by a random factor. */
const RETRY_MS = { first: 250, longest: 10_000 };
const PING_EVERY_MS = 5_000;
/** A broker that does not take what is sent to it does not delay the end of the connection for longer. */
const FLUSH_MS = 1_000;

interface BrokerOptions {
  readonly urls: readonly string[];
  readonly credentials: FleetCredentials;
  readonly log: Log;
  /** Called at each connection, the first one too, and when it is lost. */
  readonly onConnected: (connected: boolean) => void;
  /** Called when an attempt to connect fails, with the reason in a sentence for the user. */
  readonly onProblem: (sentence: string) => void;
}

/** The connection of a relay to the broker of its fleet. It is opened in the background and again whenever it is lost. */
export class Broker {
  readonly connection: NatsConnection;
  readonly subjects: Subjects;
  #connected = true;
  #problem: string | undefined;

  private constructor(connection: NatsConnection, outage: Outage, { credentials, log, onConnected }: BrokerOptions) {
    this.connection = connection;
    this.subjects = new Subjects(credentials);
    void this.#watch(log, (isConnected) => {
      outage.note(isConnected);
      onConnected(isConnected);
    });
  }

  /** Connects; resolves when the broker has accepted the relay. Stops trying when the signal is aborted. */
  static async connect(options: BrokerOptions, signal: AbortSignal): Promise<Broker> {
    const { urls, credentials, log, onProblem } = options;
    const isTls = checkTransport(urls, credentials);
    const outage = new Outage();
    for (let attempt = 0; ; attempt++) {
      signal.throwIfAborted();
      try {
        const connection = await connect({
          servers: [...urls],
          authenticator: credentials.authenticator,
          inboxPrefix: `${new Subjects(credentials).inbox}.nats`,
          name: `patchbay ${credentials.name}`,
          ...(isTls ? { tls: credentials.ca === undefined ? {} : { ca: credentials.ca } } : {}),
          maxReconnectAttempts: -1,
          ignoreAuthErrorAbort: true,
          reconnectDelayHandler: () => outage.delay(),
          pingInterval: PING_EVERY_MS,
          maxPingOut: 2,
          timeout: 5_000,
        });
        return new Broker(connection, outage, options);
      } catch (error) {
        log.warn("the fleet's broker cannot be reached; it is tried again", { error: String(error) });
        onProblem(describeFailure(error, urls));
        await delay(retryDelay(attempt), undefined, { signal }).catch(() => undefined);
      }
    }
  }

  get isConnected(): boolean {
    return this.#connected;
  }

  /** Why the connection is down or restricted; undefined while all is well. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Returns the fleet's directory, which the first member creates. */
  openDirectory(): Promise<KV> {
    return this.#openBucket(this.subjects.bucket, ENTRY_TTL_MS);
  }

  /** Returns where relays keep their open questions, which the first member creates. */
  openQuestions(): Promise<KV> {
    return this.#openBucket(this.subjects.questions, QUESTIONS_TTL_MS);
  }

  /**
   * Opens a bucket. Any member can have created it, and could have made it keep or pass on what others send.
   *
   * @throws FleetError for a bucket that holds more than its own entries
   */
  async #openBucket(name: string, ttl: number): Promise<KV> {
    const kv = await new Kvm(jetstream(this.connection)).create(name, { history: 1, ttl });
    const { streamInfo } = await kv.status();
    const { subjects = [], sources = [], mirror, republish, subject_transform: transform } = streamInfo.config;
    const isOwn = subjects.length === 1 && subjects[0] === `$KV.${name}.>` && sources.length === 0;
    if (isOwn && mirror == null && republish == null && transform == null) return kv;
    throw new FleetError(
      `The bucket ${name} of the fleet's broker was made by something else than Patchbay, to keep or pass on other messages: remove it on the broker's machine (\`nats stream rm KV_${name}\`), remove the member that made it, then start this relay again.`,
    );
  }

  /** Sends what is still to be sent, if the broker takes it, and closes the connection. */
  async close(): Promise<void> {
    if (this.#connected && !this.connection.isClosed()) {
      await Promise.race([this.connection.flush().catch(() => undefined), delay(FLUSH_MS, undefined, { ref: false })]);
    }
    await this.connection.close();
  }

  async #watch(log: Log, onConnected: (connected: boolean) => void): Promise<void> {
    for await (const status of this.connection.status()) {
      if (status.type === "disconnect" || status.type === "reconnect") {
        this.#connected = status.type === "reconnect";
        this.#problem = this.#connected ? undefined : "the connection to the broker is lost; it is tried again";
        log.info(this.#connected ? "the fleet's broker is connected again" : "the fleet's broker is gone");
        onConnected(this.#connected);
      } else if (status.type === "error") {
        this.#problem = status.error.message;
        log.warn("the fleet's broker refuses something", { error: status.error.message });
      }
    }
  }
}

/** The subjects of one owner's fleet. Everything of it is below one prefix, which the broker's permissions name. */
export class Subjects {
  readonly #prefix: string;
  readonly #member: string;
  readonly bucket: string;
  /** The bucket of open questions. */
  readonly questions: string;

  constructor({ owner, member }: Pick<FleetCredentials, "owner" | "member">) {
    this.#prefix = `patchbay.v1.${owner}`;
    this.#member = member;
    this.bucket = `patchbay_${owner}`;
    this.questions = `patchbay_${owner}_questions`;
  }

  /** What is sent to this relay alone: answers, and the upward direction of streams. */
  get inbox(): string {
    return `${this.#prefix}.reply.${this.#member}`;
  }

  /** All requests for a session, or for a relay itself. */
  all(place: string): string {
    return `${this.#prefix}.${place}.*`;
  }

  request(place: string, kind: "command" | "events" | "terminal"): string {
    return `${this.#prefix}.${place}.${kind}`;
  }

  reply(member: string, token: string): string {
    return `${this.#prefix}.reply.${member}.${token}`;
  }
}

/** Parses the addresses of `--fleet`, separated by commas. Throws a FleetError. */
export function parseBrokerUrls(text: string): string[] {
  const urls = text.split(",").map((url) => url.trim());
  for (const url of urls) {
    const parsed = URL.canParse(url) ? new URL(url) : undefined;
    if (parsed === undefined || !/^(nats|tls):$/.test(parsed.protocol) || parsed.hostname === "") {
      throw new FleetError(`--fleet: expected an address such as nats://192.0.2.7:4222, got ${JSON.stringify(url)}.`);
    }
    if (parsed.username !== "" || parsed.password !== "") {
      throw new FleetError("--fleet: the address holds a password: give the credentials with --fleet-creds.");
    }
  }
  return urls;
}

/**
 * Returns whether TLS is required: everywhere but on loopback. A broker on loopback with a certificate of its own is
 * reached over TLS too.
 */
function checkTransport(urls: readonly string[], { ca }: FleetCredentials): boolean {
  return ca !== undefined || !urls.every((url) => isLoopbackHost(new URL(url).hostname));
}

/** Says why a connection to the broker failed, and what to do. */
function describeFailure(error: unknown, urls: readonly string[]): string {
  const at = urls.join(",");
  const { name, message, cause } = error instanceof Error ? error : new Error(String(error));
  const reason = [error, cause].flatMap((one) => codeOf(one) ?? [])[0] ?? name;
  if (reason === "AuthorizationError") {
    return "the broker refuses these credentials: add them to its configuration (`service fleet add`), and have it read that";
  }
  if (/CERT|SELF_SIGNED|SSL|TLS|EPROTO/.test(reason)) {
    return `TLS to ${at} failed (${message}): the credentials are of another fleet, or the broker's certificate does not name this address`;
  }
  if (reason === "ECONNREFUSED") return `no broker answers at ${at}: start it, or check the address`;
  if (reason === "ENOTFOUND" || reason === "EAI_AGAIN")
    return `no machine is known by the name in ${at}: check the address`;
  if (reason === "TimeoutError") return `the broker at ${at} does not answer: check the address and the firewall`;
  return `the broker at ${at} cannot be reached (${message})`;
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/**
 * Paces the attempts to connect again: the longer the broker has been away, the longer a relay waits, so that a broker which
 * cannot admit all relays at once is not kept from admitting any.
 */
export class Outage {
  readonly #now: () => number;
  #since: number | undefined;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  note(isConnected: boolean): void {
    this.#since = isConnected ? undefined : (this.#since ?? this.#now());
  }

  /** Milliseconds until the next attempt: about half as long as the outage has lasted. */
  delay(): number {
    const lasted = this.#since === undefined ? 0 : this.#now() - this.#since;
    return Math.max(RETRY_MS.first, Math.min(RETRY_MS.longest, lasted / 2)) * (0.5 + Math.random());
  }
}

function retryDelay(attempt: number): number {
  return Math.min(RETRY_MS.longest, RETRY_MS.first * 2 ** attempt) * (0.5 + Math.random());
}
