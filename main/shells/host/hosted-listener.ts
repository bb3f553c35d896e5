import type { ListenerFrame, ListenerOptions } from "../flow-control.ts";
import type { Listening } from "../shell-host.ts";
import type { HostConnection } from "./host-connection.ts";

/** A listener's place in a shell's output, from which it goes on when the connection had to be made anew. */
export class HostedListener implements Listening {
  readonly shell: number;
  readonly #options: ListenerOptions;
  readonly #stopped: () => void;
  #next: ListenerOptions["from"];
  #stream: Listening | undefined;

  constructor(shell: number, options: ListenerOptions, stopped: () => void) {
    this.shell = shell;
    this.#options = options;
    this.#next = options.from;
    this.#stopped = stopped;
  }

  /** Streams over this connection from where the last one was cut. */
  streamOver(connection: HostConnection, session: string): void {
    const { window } = this.#options;
    const deliver = (frame: ListenerFrame) => this.#deliver(frame);
    this.#stream = connection.listen(session, this.shell, { from: this.#next, window, deliver });
  }

  ack(bytes: number): void {
    this.#stream?.ack(bytes);
  }

  stop(): void {
    this.#stream?.stop();
    this.#stopped();
  }

  #deliver(frame: ListenerFrame): void {
    this.#next = frame.offset + (frame.kind === "output" ? frame.bytes.length : 0);
    if (frame.kind === "end") this.#stopped();
    this.#options.deliver(frame);
  }
}
