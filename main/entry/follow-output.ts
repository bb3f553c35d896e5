import type { OutputFollower, OutputSubscription } from "../relay/session/ports.ts";
import { textRuns } from "../shells/plain-text.ts";
import type { ShellHost } from "../shells/shell-host.ts";
import { VtScanner } from "../shells/vt-scanner.ts";
import { signalName } from "../system/signal-names.ts";

const RETURN = 0x0d;

/** Follows a shell's output as text. `plain` leaves escape sequences out and ends lines with a newline alone. */
export function followOutput(
  host: ShellHost,
  id: number,
  { from = "now", window, plain }: { from?: number | "now" | undefined; window: number; plain: boolean },
  follower: OutputFollower,
): OutputSubscription {
  let cutter: Cutter | undefined;
  const give = (piece: Piece) => {
    if (piece.bytes.length === 0) return;
    const text = plain ? plainPiece(piece.bytes) : piece.bytes.toString("utf8");
    follower.text(text, piece.offset, piece.offset + piece.bytes.length);
  };
  const listening = host.listen(id, {
    from,
    window,
    deliver(frame) {
      if (frame.kind === "output") {
        cutter ??= new Cutter(frame.offset, plain);
        give(cutter.push(frame.bytes));
      } else if (frame.kind === "snapshot") {
        const held = cutter?.heldBytes ?? 0;
        cutter = undefined;
        follower.missed(frame.missed, frame.offset);
        // Neither fills the window: the one replaces what came before, the other is never given.
        listening.ack(Buffer.byteLength(frame.snapshot) + held);
      } else {
        if (cutter !== undefined) give(cutter.rest());
        follower.end({
          exitCode: frame.exitCode,
          signal: frame.signal === null ? null : signalName(frame.signal),
        });
      }
    },
  });
  return { acknowledge: (bytes) => listening.ack(bytes), stop: () => listening.stop() };
}

interface Piece {
  readonly bytes: Buffer;
  readonly offset: number;
}

/** Holds back what is not whole yet: half a character, half an escape sequence, for plain text half a line end. */
class Cutter {
  readonly #scanner = new VtScanner();
  readonly #start: number;
  readonly #plain: boolean;
  #held: Buffer = Buffer.alloc(0);
  #given = 0;

  /** `start`: offset of the first byte that will come. */
  constructor(start: number, plain: boolean) {
    this.#start = start;
    this.#plain = plain;
  }

  push(bytes: Buffer): Piece {
    this.#scanner.push(bytes);
    const all = this.#held.length === 0 ? bytes : Buffer.concat([this.#held, bytes]);
    let whole = Math.max(0, this.#scanner.safeEnd - this.#given);
    if (this.#plain && whole > 0 && all[whole - 1] === RETURN) whole -= 1;
    return this.#take(all, whole);
  }

  get heldBytes(): number {
    return this.#held.length;
  }

  rest(): Piece {
    return this.#take(this.#held, this.#held.length);
  }

  #take(all: Buffer, length: number): Piece {
    const offset = this.#start + this.#given;
    this.#held = all.subarray(length);
    this.#given += length;
    return { bytes: all.subarray(0, length), offset };
  }
}

/** A carriage return inside a line stays: what comes after it is not known yet. */
function plainPiece(bytes: Buffer): string {
  const text = textRuns(bytes, 0)
    .map((run) => run.text)
    .join("");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly those are meant
  return text.replace(/\r+\n/g, "\n").replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, "");
}
