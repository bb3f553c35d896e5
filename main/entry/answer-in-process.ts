import { Readable } from "node:stream";
import type { HttpAnswer, InProcessRequest } from "../../cli/render/io.ts";
import type { Relay } from "../relay/relay.ts";

/**
 * Asks the relay of this process without a connection, as a caller at this machine's loopback address does over one.
 * Rejects if the relay ends the request without an answer. `gone` ends it, as a caller does that disconnects.
 */
export function answerInProcess(
  relay: Pick<Relay, "dispatch">,
  { method, path, headers, body }: InProcessRequest,
  gone?: AbortSignal,
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    let answer: InProcessAnswer | undefined;
    const end = relay.dispatch(
      { method, path, headers, body },
      {
        head(status, answered) {
          answer = new InProcessAnswer(status, answered, () => end());
          resolve(answer);
        },
        data: (piece, done) => answer?.receive(piece, done),
        end(isComplete) {
          gone?.removeEventListener("abort", end);
          if (answer === undefined) reject(new Error("the relay gave the request up"));
          else answer.finish(isComplete);
        },
      },
    );
    gone?.addEventListener("abort", end, { once: true });
    if (gone?.aborted === true) end();
  });
}

/** Holds the relay up while nobody reads it. */
class InProcessAnswer extends Readable implements HttpAnswer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly #end: () => void;
  #goOn: (() => void) | undefined;

  constructor(statusCode: number, headers: Readonly<Record<string, string>>, end: () => void) {
    super();
    this.statusCode = statusCode;
    this.headers = headers;
    this.#end = end;
  }

  receive(piece: Buffer, done: () => void): void {
    if (this.push(piece)) done();
    else this.#goOn = done;
  }

  finish(isComplete: boolean): void {
    if (isComplete) this.push(null);
    else this.destroy(new Error("the relay broke the answer off"));
  }

  override _read(): void {
    const goOn = this.#goOn;
    this.#goOn = undefined;
    goOn?.();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#end();
    done(error);
  }
}
