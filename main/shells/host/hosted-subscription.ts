import type { OutputFrame, OutputSubscription, SubscribeOptions } from "../../../core/protocol/shell-host.ts";
import type { HostConnection } from "./host-connection.ts";

/** A subscription that resumes where it was cut when the connection to the host is made anew. */
export class HostedSubscription implements OutputSubscription {
  readonly shell: number;
  readonly #options: SubscribeOptions;
  readonly #stopped: () => void;
  #next: SubscribeOptions["from"];
  #current: OutputSubscription | undefined;

  constructor(shell: number, options: SubscribeOptions, stopped: () => void) {
    this.shell = shell;
    this.#options = options;
    this.#next = options.from;
    this.#stopped = stopped;
  }

  /** Subscribes over this connection, from where the last one was cut. */
  resume(connection: HostConnection, session: string): void {
    const { window } = this.#options;
    const deliver = (frame: OutputFrame) => this.#deliver(frame);
    this.#current = connection.subscribe(session, this.shell, { from: this.#next, window, deliver });
  }

  acknowledge(bytes: number): void {
    this.#current?.acknowledge(bytes);
  }

  stop(): void {
    this.#current?.stop();
    this.#stopped();
  }

  #deliver(frame: OutputFrame): void {
    this.#next = frame.offset + (frame.kind === "output" ? frame.bytes.length : 0);
    if (frame.kind === "end") this.#stopped();
    this.#options.deliver(frame);
  }
}
