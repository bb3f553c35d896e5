import type { ClientFrame } from "../../../core/protocol/frames.ts";
import type { ClientId, ShellId } from "../../../core/protocol/ids.ts";
import type { RelayLink } from "../../../core/protocol/link.ts";
import type { OutputSubscription } from "../../../core/protocol/shell-host.ts";
import type { SessionShells } from "./shells.ts";
import type { TerminalAnswers } from "./terminal-answers.ts";

type ListenFrame = ClientFrame & { type: "listen" };

interface ClientOutputOptions {
  readonly link: Pick<RelayLink, "send">;
  readonly client: ClientId;
  readonly host: Pick<SessionShells["host"], "has" | "read" | "subscribe">;
  readonly answers: Pick<TerminalAnswers, "answers" | "withoutAnswered">;
}

/** The output of shells that a client listens to, as fast as the client acknowledges it. */
export class ClientOutput implements Disposable {
  readonly #options: ClientOutputOptions;
  readonly #subscriptions = new Map<ShellId, OutputSubscription>();
  /** Requests for output that is not subscribed to yet. */
  readonly #openings = new Map<ShellId, ListenFrame>();
  /** Shells the end of whose output is being read. */
  readonly #reading = new Set<ShellId>();

  constructor(options: ClientOutputOptions) {
    this.#options = options;
  }

  /** Tells whether it listens to a shell. */
  has(shell: ShellId): boolean {
    return this.#subscriptions.has(shell);
  }

  /** Listens to a shell anew, in place of what it has heard so far. */
  listen(request: ListenFrame): void {
    const { shell } = request;
    this.unlisten(shell);
    if (!this.#options.host.has(shell)) return;
    if (request.quiet === undefined) this.#subscribe(request, 0);
    else void this.#subscribeQuietly(request);
  }

  acknowledge(shell: ShellId, bytes: number): void {
    this.#subscriptions.get(shell)?.acknowledge(bytes);
  }

  unlisten(shell: ShellId): void {
    this.#openings.delete(shell);
    this.#subscriptions.get(shell)?.stop();
    this.#subscriptions.delete(shell);
  }

  [Symbol.dispose](): void {
    for (const shell of [...this.#openings.keys(), ...this.#subscriptions.keys()]) this.unlisten(shell);
  }

  /** Subscribes once it is known where the output ends: what is printed before that is not the client's to answer. */
  async #subscribeQuietly(request: ListenFrame): Promise<void> {
    const { shell } = request;
    const { host } = this.#options;
    this.#openings.set(shell, request);
    // One reading at a time, however often the client asks: the newest request counts.
    if (this.#reading.has(shell)) return;
    this.#reading.add(shell);
    try {
      for (let newest = this.#openings.get(shell); newest !== undefined; newest = this.#openings.get(shell)) {
        const reading = host.read({ shell, since: Number.MAX_SAFE_INTEGER });
        const end = await reading.then((read) => read.end).catch(() => 0);
        if (this.#openings.get(shell) !== newest) continue;
        this.#openings.delete(shell);
        if (host.has(shell)) this.#subscribe(newest, end);
      }
    } finally {
      this.#reading.delete(shell);
    }
  }

  /** @param answeredTo offset up to which the client answers no queries of programs */
  #subscribe({ shell, from, window, quiet: knowsQuiet }: ListenFrame, answeredTo: number): void {
    const { link, client, answers, host } = this.#options;
    const send = (offset: number, bytes: Uint8Array) => {
      const quiet = knowsQuiet === true && (offset < answeredTo || !answers.answers(client, shell));
      if (bytes.length > 0) link.send({ type: "bytes", shell, offset, bytes, quiet });
    };
    let owed = 0;
    const subscription = host.subscribe(shell, {
      from: from ?? 0,
      window,
      deliver(frame) {
        if (frame.kind === "output") {
          owed += frame.bytes.length;
          const bytes = answers.withoutAnswered(shell, frame.offset, frame.bytes);
          const old = Math.min(Math.max(0, answeredTo - frame.offset), bytes.length);
          send(frame.offset, bytes.subarray(0, old));
          send(frame.offset + old, bytes.subarray(old));
        } else if (frame.kind === "snapshot") {
          const { missed: bytes, snapshot, offset } = frame;
          link.send({ type: "missed", shell, bytes, snapshot, offset });
          // A snapshot replaces what came before it, so it does not fill the window.
          subscription.acknowledge(Buffer.byteLength(snapshot));
        }
      },
    });
    // More than was delivered would count as bytes of the connection that the shells of all sessions share.
    const acknowledge = (bytes: number) => {
      const due = Math.min(bytes, owed);
      owed -= due;
      subscription.acknowledge(due);
    };
    this.#subscriptions.set(shell, { acknowledge, stop: () => subscription.stop() });
  }
}
