import type { Broker, Subjects } from "./broker.ts";

/** Carries the messages between relays over the broker's connection, and gives each to what waits for it. */
export class Transport {
  readonly #subjects: Subjects;
  readonly #member: string;
  readonly #listeners = new Map<string, (data: Uint8Array) => void>();
  #broker: Broker | undefined;

  constructor(subjects: Subjects, member: string) {
    this.#subjects = subjects;
    this.#member = member;
  }

  /** Uses a connection. It stays the same when the broker is away for a while. */
  attach(broker: Broker): void {
    this.#broker = broker;
    broker.connection.subscribe(this.#subjects.reply(this.#member, "*"), {
      callback: (error, { subject, data }) => {
        if (error === null) this.#listeners.get(subject.slice(subject.lastIndexOf(".") + 1))?.(data);
      },
    });
  }

  /** Sends bytes to one end of a request. They are lost while the broker is away. */
  send(member: string, token: string, data: Uint8Array): void {
    this.#publish(this.#subjects.reply(member, token), data);
  }

  /** Sends a request to the relay that serves a place, with the token that its answer goes to. Returns false while the broker is away. */
  request(place: string, kind: "command" | "events" | "terminal", data: Uint8Array, token: string): boolean {
    return this.#publish(this.#subjects.request(place, kind), data, this.#subjects.reply(this.#member, token));
  }

  /** Receives what is sent to a token of this relay. Returns a function that stops. */
  receive(token: string, listener: (data: Uint8Array) => void): () => void {
    this.#listeners.set(token, listener);
    return () => void this.#listeners.delete(token);
  }

  /** The library would keep what is published while it is disconnected, and send it when its caller has given up. */
  #publish(subject: string, data: Uint8Array, reply?: string): boolean {
    if (this.#broker?.isConnected !== true || this.#broker.connection.isClosed()) return false;
    this.#broker.connection.publish(subject, data, reply === undefined ? {} : { reply });
    return true;
  }
}
