import type { FollowOptions, OutputFollower, OutputSubscription, ShellHost } from "../../core/protocol/shell-host.ts";
import { type TextRun, TextRuns } from "./plain-text.ts";
import { VtScanner } from "./vt-scanner.ts";

const RETURN = 0x0d;

/** Follows a shell's output as text. `plain` leaves escape sequences out and ends lines with a newline alone. */
export function followOutput(
  host: ShellHost,
  shell: number,
  { from, window, plain }: FollowOptions,
  follower: OutputFollower,
): OutputSubscription {
  let cutter: Cutter | undefined;
  const runs = new TextRuns();
  const give = (piece: Piece) => {
    if (piece.bytes.length === 0) return;
    const text = plain ? plainPiece(runs.read(piece.bytes, piece.offset)) : piece.bytes.toString("utf8");
    follower.text(text, piece.offset, piece.offset + piece.bytes.length);
  };
  const subscription = host.subscribe(shell, {
    from: from ?? "now",
    window,
    deliver(frame) {
      if (frame.kind === "output") {
        cutter ??= new Cutter(frame.offset, plain);
        const { buffer, byteOffset, length } = frame.bytes;
        give(cutter.push(Buffer.from(buffer, byteOffset, length)));
      } else if (frame.kind === "snapshot") {
        const held = cutter?.heldBytes ?? 0;
        cutter = undefined;
        follower.missed(frame.missed, frame.offset);
        // The follower is given neither the snapshot nor what was held back, so it cannot acknowledge them.
        subscription.acknowledge(Buffer.byteLength(frame.snapshot) + held);
      } else {
        if (cutter !== undefined) give(cutter.rest());
        follower.end({ exitCode: frame.exitCode, signal: frame.signal });
      }
    },
  });
  return subscription;
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
function plainPiece(runs: readonly TextRun[]): string {
  const text = runs.map((run) => run.text).join("");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly those are meant
  return text.replace(/(?<!\r)\r+\n/g, "\n").replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, "");
}
