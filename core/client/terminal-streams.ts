import type { ShellId } from "../protocol/ids.ts";
import type { ClientLink } from "../protocol/link.ts";

/** Bytes that may be on their way to a listener before it has said that it took them in. */
const WINDOW = 512 * 1024;
/** So much is taken in before the relay hears of it: typing costs no messages, and bulk output few. */
const ACKNOWLEDGE_BYTES = WINDOW / 8;

export interface TerminalListener {
  /** Output in order; call `done` when it has been taken in, so that more may come. */
  bytes(bytes: Uint8Array, done: () => void): void;
  /** Output was lost on the way: clear, draw this screen, and go on with the bytes that follow. */
  missed(bytes: number, snapshot: string): void;
}

interface Stream {
  readonly listener: TerminalListener;
  /** Offset of the next byte wanted; undefined until the first byte tells. */
  cursor: number | undefined;
  /** Bytes taken in that the relay has not heard of. */
  taken: number;
}

/** What a client hears of its shells' output, one stream a shell, resumed at the byte after a reconnect. */
export class TerminalStreams {
  #streams = new Map<ShellId, Stream>();
  #link: ClientLink | undefined;

  /** Asks again for every stream, from where it stands. */
  connect(link: ClientLink): void {
    this.#link = link;
    for (const [shell, stream] of this.#streams) this.#listen(shell, stream);
  }

  disconnect(): void {
    this.#link = undefined;
  }

  /** Starts listening to a shell; a shell has one listener a client. Answers how to stop. */
  listen(shell: ShellId, listener: TerminalListener): () => void {
    const stream: Stream = { listener, cursor: undefined, taken: 0 };
    this.#streams.set(shell, stream);
    this.#listen(shell, stream);
    return () => {
      if (this.#streams.get(shell) !== stream) return;
      this.#streams.delete(shell);
      this.#link?.send({ type: "unlisten", shell });
    };
  }

  receive(shell: ShellId, offset: number, bytes: Uint8Array): void {
    const stream = this.#streams.get(shell);
    if (stream === undefined) return;
    const known = stream.cursor === undefined ? 0 : Math.max(0, stream.cursor - offset);
    stream.cursor = Math.max(stream.cursor ?? 0, offset + bytes.byteLength);
    const link = this.#link;
    const acknowledge = () => this.#taken(shell, stream, bytes.byteLength, link);
    if (known >= bytes.byteLength) acknowledge();
    else stream.listener.bytes(known === 0 ? bytes : bytes.subarray(known), acknowledge);
  }

  missed(shell: ShellId, { bytes, snapshot, offset }: { bytes: number; snapshot: string; offset: number }): void {
    const stream = this.#streams.get(shell);
    if (stream === undefined) return;
    stream.cursor = offset;
    stream.listener.missed(bytes, snapshot);
  }

  /** What came over an earlier link, the relay has stopped counting. */
  #taken(shell: ShellId, stream: Stream, bytes: number, link: ClientLink | undefined): void {
    if (link !== this.#link || this.#streams.get(shell) !== stream) return;
    stream.taken += bytes;
    if (stream.taken < ACKNOWLEDGE_BYTES) return;
    link?.send({ type: "acknowledge", shell, bytes: stream.taken });
    stream.taken = 0;
  }

  #listen(shell: ShellId, stream: Stream): void {
    const { cursor } = stream;
    stream.taken = 0;
    this.#link?.send({ type: "listen", shell, window: WINDOW, ...(cursor === undefined ? {} : { from: cursor }) });
  }
}
