import { CountedBody } from "../net/counted-body.ts";

/**
 * The body of an answer that the protocol's library writes, a message at a time. It takes each message at once, because only
 * what it holds counts as unread by the caller: the library keeps any number of messages for a slow reader.
 */
export class AnswerBody extends CountedBody {
  readonly #messages: ReadableStreamDefaultReader<Uint8Array>;

  constructor(messages: ReadableStream<Uint8Array>) {
    super();
    this.#messages = messages.getReader();
    this.#take().catch((error) => this.destroy(error));
  }

  override get unsent(): number {
    return this.readableLength;
  }

  override _read(): void {
    // Messages are taken as they come.
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#messages.cancel().then(() => done(error), done);
  }

  async #take(): Promise<void> {
    for (let next = await this.#messages.read(); !next.done; next = await this.#messages.read()) this.push(next.value);
    this.push(null);
  }
}
