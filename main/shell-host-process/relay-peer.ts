import { RemoteError, unreachable } from "../../core/protocol/errors.ts";
import type { Listening } from "../shells/shell-host.ts";
import { answerCall } from "./answer-call.ts";
import { calls } from "./calls.ts";
import type { Frame } from "./frame.ts";
import type { FrameSocket } from "./frame-socket.ts";
import { type BatchedFrame, OutputBatch } from "./output-batch.ts";
import { type HostMessage, RelayMessage } from "./protocol.ts";
import type { SessionHosts } from "./session-hosts.ts";

interface Parts {
  readonly hosts: SessionHosts;
  readonly log: (message: string) => void;
  /** The relay wants the host to end. */
  readonly end: () => void;
}

/** The relay that has shown the secret: does what it says, streams what it listens to. */
export class RelayPeer {
  readonly #parts: Parts;
  readonly #wire: FrameSocket;
  readonly #batch = new OutputBatch((batched) => this.#sendBatched(batched));
  readonly #listening = new Map<number, Listening>();
  readonly #stop: () => void;

  constructor(wire: FrameSocket, parts: Parts) {
    this.#parts = parts;
    this.#wire = wire;
    this.#stop = parts.hosts.onEvent((session, event) => {
      if (event.kind !== "lost") this.#send({ type: "event", session, event });
    });
    this.#send({ type: "welcome", pid: process.pid, sessions: parts.hosts.stock() });
  }

  /** Another relay has taken over. */
  dismiss(reason: string): void {
    this.#send({ type: "refused", reason });
    this.#wire.end();
  }

  /** Throws for what is no message of a relay. */
  receive({ head, tail }: Frame): void {
    const message = RelayMessage.parse(head);
    switch (message.type) {
      case "call":
        this.#answer(message.id, async () => {
          const params = calls[message.method].params.parse(message.params);
          if (message.method === "dispose") return this.#parts.hosts.end(message.session);
          if (message.method === "spawn") await this.#parts.hosts.notEnding(message.session);
          return answerCall(this.#parts.hosts.of(message.session), message.method, params);
        });
        break;
      case "write":
        // Refused when the shell has just ended, which the relay hears anyway.
        this.#parts.hosts
          .of(message.session)
          .write(message.shell, tail)
          .catch(() => undefined);
        break;
      case "listen":
        this.#listen(message);
        break;
      case "unlisten":
        this.#listening.get(message.listener)?.stop();
        this.#listening.delete(message.listener);
        break;
      case "ack":
        for (const [listener, bytes] of message.acks) this.#listening.get(listener)?.ack(bytes);
        break;
      case "end":
        this.#parts.end();
        break;
      default:
        unreachable(message);
    }
  }

  /** The connection is down. */
  gone(): void {
    this.#stop();
    for (const listening of this.#listening.values()) listening.stop();
    this.#listening.clear();
  }

  #answer(id: number, run: () => Promise<unknown>): void {
    // In a function of its own, so that what it throws at once is an answer too.
    const answer = async () => run();
    answer().then(
      (result) => this.#send({ type: "done", id, result }),
      (error: unknown) => {
        const known = error instanceof RemoteError ? error : undefined;
        if (known === undefined) this.#parts.log(`a call failed: ${String(error)}`);
        const message = known?.message ?? "The process that holds the shells failed to do this; its log says why.";
        this.#send({ type: "failed", id, code: known?.code ?? "internal", message });
      },
    );
  }

  #listen({ listener, session, shell, from, window }: RelayMessage & { type: "listen" }): void {
    const host = this.#parts.hosts.of(session);
    // It was closed while this was on its way; its end is told by the event.
    if (!host.has(shell)) return;
    const key = `${session} ${shell}`;
    const deliver = (frame: BatchedFrame["frame"]) => this.#batch.add(listener, key, frame);
    this.#listening.get(listener)?.stop();
    this.#listening.set(listener, host.listen(shell, { from, window, deliver }));
  }

  #sendBatched({ to, frame }: BatchedFrame): void {
    switch (frame.kind) {
      case "output":
        this.#wire.send({ type: "output", to, offset: frame.offset } satisfies HostMessage, frame.bytes);
        break;
      case "snapshot": {
        const { snapshot, kind: _, ...rest } = frame;
        this.#wire.send({ type: "snapshot", to, ...rest } satisfies HostMessage, Buffer.from(snapshot));
        break;
      }
      case "end": {
        const { kind: _, ...rest } = frame;
        this.#wire.send({ type: "end", to, ...rest } satisfies HostMessage);
        break;
      }
      default:
        unreachable(frame);
    }
  }

  #send(message: HostMessage): void {
    this.#batch.flush();
    this.#wire.send(message);
  }
}
