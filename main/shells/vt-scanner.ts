import { OscPayload } from "./osc-payload.ts";
import { characterLength, isContinuation } from "./utf8.ts";

/**
 * What a scanner reports. Offsets are absolute byte positions in the whole output: `offset` is the first byte of the
 * sequence, `end` the byte after it.
 */
export interface VtSink {
  /** An operating system command, without its introducer and terminator, decoded as UTF-8. */
  osc?(payload: string, offset: number, end: number): void;
  /** The bell as a character of its own, not as the end of an OSC. */
  bell?(offset: number): void;
  /** A DEC private mode was set or reset (`CSI ? mode h` or `l`). */
  mode?(mode: number, on: boolean, offset: number, end: number): void;
  /** A control sequence that may ask the terminal something (`CSI … n`, `c` or `q`), without its introducer. */
  request?(sequence: string, offset: number, end: number): void;
  /** Bytes `from` to `to` of the pushed buffer are text: C0 controls and characters, no sequence. */
  text?(bytes: Buffer, from: number, to: number): void;
}

/** Where a scanner stands: enough to go on from the same byte with another scanner. */
export interface VtState {
  readonly position: number;
  readonly phase: Phase;
  readonly sequenceStart: number;
  readonly need: number;
  readonly characterStart: number;
  readonly characterLead: number;
}

/** A sequence longer than this is no longer held together: readers must make progress through endless ones. */
export const MAX_HELD_BYTES = 16 * 1024;

type Phase = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7;
const GROUND = 0;
const ESCAPE = 1;
const ESCAPE_INTERMEDIATE = 2;
const CSI = 3;
const CSI_PRIVATE = 4;
const OSC = 5;
/** DCS, SOS, PM and APC: skipped up to their terminator. */
const STRING = 6;
/** An ESC inside an OSC or a string: with a backslash it is the terminator, otherwise a sequence of its own. */
const STRING_ESCAPE = 7;

/** The last bytes of the sequences that ask: `n`, `c`, `q`. */
const REQUESTS: ReadonlySet<number> = new Set([0x6e, 0x63, 0x71]);
const MAX_REQUEST_BYTES = 16;

const BEL = 0x07;
const CAN = 0x18;
const SUB = 0x1a;
const ESC = 0x1b;
const BACKSLASH = 0x5c;
/** In UTF-8 the C1 controls are C2 80 to C2 9F. C2 is never a continuation byte, so it can be looked for alone. */
const C1_LEAD = 0xc2;
const C1_ST = 0x9c;
/** Text is looked through byte by byte for so long before a native search pays. */
const LOOK_BYTES = 48;

/** The parsing of ECMA-48 control sequences over UTF-8 bytes, any chunking, bounded memory; follows what xterm.js does. */
export class VtScanner {
  readonly #sink: VtSink;
  #position = 0;
  #phase: Phase = GROUND;
  #sequenceStart = 0;
  #need = 0;
  #characterStart = 0;
  #characterLead = 0;
  #number = 0;
  #numbers: number[] = [];
  readonly #payload = new OscPayload();
  /** The control sequence that the last pushes left open, as far as a request can be long. */
  #openSequence = "";
  #nextEscape = -1;
  #nextBell = -1;
  #nextC1 = -1;

  constructor(sink: VtSink = {}) {
    this.#sink = sink;
  }

  /** Bytes seen so far. */
  get position(): number {
    return this.#position;
  }

  /** The last place at which the bytes so far may be cut: outside characters and sequences, or inside an overlong one. */
  get safeEnd(): number {
    const complete = this.#need > 0 ? this.#characterStart : this.#position;
    if (this.#phase === GROUND) return complete;
    if (this.#position - this.#sequenceStart <= MAX_HELD_BYTES) return this.#sequenceStart;
    return this.#phase === STRING_ESCAPE ? complete - 1 : complete;
  }

  /** The kind of string that the bytes so far leave open: an operating system command, which a bell ends, or another. */
  get openString(): "osc" | "other" | undefined {
    if (this.#phase === OSC) return "osc";
    return this.#phase === STRING || this.#phase === STRING_ESCAPE ? "other" : undefined;
  }

  save(): VtState {
    return {
      position: this.#position,
      phase: this.#phase,
      sequenceStart: this.#sequenceStart,
      need: this.#need,
      characterStart: this.#characterStart,
      characterLead: this.#characterLead,
    };
  }

  /** Goes on from a saved place; what an unfinished sequence had collected is lost, so use it to find boundaries. */
  restore(state: VtState): void {
    this.#position = state.position;
    this.#phase = state.phase;
    this.#sequenceStart = state.sequenceStart;
    this.#need = state.need;
    this.#characterStart = state.characterStart;
    this.#characterLead = state.characterLead;
    this.#payload.drop();
  }

  push(bytes: Buffer): void {
    if (bytes.length === 0) return;
    const resumed = this.#need > 0 ? this.#resumeCharacter(bytes) : 0;
    this.#nextEscape = this.#nextBell = this.#nextC1 = -1;
    const stillOpen = this.#need > 0;
    let at = resumed;
    while (at < bytes.length) at = this.#step(bytes, at);
    if (this.#phase === OSC) this.#payload.take(bytes, bytes.length);
    this.#openSequence = this.#phase === CSI || this.#phase === CSI_PRIVATE ? this.#sequence(bytes, bytes.length) : "";
    this.#position += bytes.length;
    if (!stillOpen) this.#findOpenCharacter(bytes, resumed);
  }

  /** Takes the continuation bytes of a character that the last push left open; C2 may turn out to be a C1 control. */
  #resumeCharacter(bytes: Buffer): number {
    const first = bytes[0] ?? 0;
    if (this.#characterLead === C1_LEAD) {
      this.#need = 0;
      if (this.#phase === GROUND && introducedBy(first) !== undefined) {
        this.#enter(introducedBy(first) ?? GROUND, this.#characterStart, 1);
        return 1;
      }
      if ((this.#phase === OSC || this.#phase === STRING) && first === C1_ST) {
        this.#finishString(this.#position + 1, 1);
        return 1;
      }
      return isContinuation(first) ? 1 : 0;
    }
    let at = 0;
    while (this.#need > 0 && at < bytes.length && isContinuation(bytes[at] ?? 0)) {
      this.#need--;
      at++;
    }
    if (at < bytes.length) this.#need = 0;
    return at;
  }

  #step(bytes: Buffer, at: number): number {
    switch (this.#phase) {
      case GROUND:
        return this.#scanText(bytes, at);
      case ESCAPE:
      case ESCAPE_INTERMEDIATE:
        return this.#scanEscape(bytes, at);
      case CSI:
        return this.#scanCsi(bytes, at);
      case CSI_PRIVATE:
        return this.#scanPrivateCsi(bytes, at);
      case STRING_ESCAPE:
        return this.#scanStringEscape(bytes, at);
      default:
        return this.#scanString(bytes, at);
    }
  }

  #scanText(bytes: Buffer, from: number): number {
    const length = bytes.length;
    let at = from;
    let looked = 0;
    while (at < length) {
      if (looked++ === LOOK_BYTES) {
        looked = 0;
        at = this.#nextControl(bytes, at);
        if (at === length) break;
      }
      const byte = bytes[at];
      if (byte === ESC) {
        this.#text(bytes, from, at);
        this.#enter(ESCAPE, this.#position + at, at + 1);
        return at + 1;
      }
      if (byte === BEL) {
        this.#text(bytes, from, at);
        this.#sink.bell?.(this.#position + at);
        return at + 1;
      }
      if (byte === C1_LEAD) {
        const phase = introducedBy(bytes[at + 1] ?? 0);
        if (phase !== undefined) {
          this.#text(bytes, from, at);
          this.#enter(phase, this.#position + at, at + 2);
          return at + 2;
        }
      }
      at++;
    }
    this.#text(bytes, from, length);
    return length;
  }

  /** The next byte that may end a run of text. Native search, and no byte is searched twice for the same thing. */
  #nextControl(bytes: Buffer, from: number): number {
    if (this.#nextEscape < from) this.#nextEscape = found(bytes, ESC, from);
    if (this.#nextBell < from) this.#nextBell = found(bytes, BEL, from);
    if (this.#nextC1 < from) this.#nextC1 = found(bytes, C1_LEAD, from);
    return Math.min(this.#nextEscape, this.#nextBell, this.#nextC1);
  }

  #text(bytes: Buffer, from: number, to: number): void {
    if (to > from && this.#sink.text !== undefined) this.#sink.text(bytes, from, to);
  }

  #enter(phase: Phase, offset: number, payloadFrom: number): void {
    this.#phase = phase;
    this.#sequenceStart = offset;
    this.#need = 0;
    if (phase === OSC) this.#payload.begin(payloadFrom);
  }

  #scanEscape(bytes: Buffer, at: number): number {
    const byte = bytes[at] ?? 0;
    if (byte === ESC) return this.#restart(at);
    if (byte === CAN || byte === SUB) return this.#toGround(at + 1);
    if (byte < 0x20 || byte === 0x7f) return at + 1;
    if (byte < 0x30) {
      this.#phase = ESCAPE_INTERMEDIATE;
      return at + 1;
    }
    if (byte >= 0x80) return this.#toGround(at);
    const phase = this.#phase === ESCAPE ? introducedBy(byte + 0x40) : undefined;
    if (phase === undefined) return this.#toGround(at + 1);
    this.#enter(phase, this.#sequenceStart, at + 1);
    return at + 1;
  }

  #scanCsi(bytes: Buffer, from: number): number {
    const length = bytes.length;
    let at = from;
    if (this.#position + at === this.#sequenceStart + 2 && bytes[at] === 0x3f) {
      this.#phase = CSI_PRIVATE;
      this.#number = 0;
      this.#numbers = [];
      return at + 1;
    }
    for (; at < length; at++) {
      const byte = bytes[at] ?? 0;
      if (byte >= 0x80) return this.#toGround(at);
      if (byte >= 0x40 && byte < 0x7f) {
        this.#reportRequest(byte, bytes, at + 1);
        return this.#toGround(at + 1);
      }
      if (byte === ESC) return this.#restart(at);
      if (byte === CAN || byte === SUB) return this.#toGround(at + 1);
    }
    return at;
  }

  #reportRequest(final: number, bytes: Buffer, end: number): void {
    if (this.#sink.request === undefined || !REQUESTS.has(final)) return;
    this.#sink.request(this.#sequence(bytes, end), this.#sequenceStart, this.#position + end);
  }

  /** The bytes after the introducer of the open sequence, up to `end` of the pushed ones. */
  #sequence(bytes: Buffer, end: number): string {
    const from = this.#sequenceStart + 2 - this.#position;
    const head = from < 0 ? this.#openSequence : "";
    return head + bytes.toString("latin1", Math.max(0, from), Math.min(end, Math.max(0, from) + MAX_REQUEST_BYTES));
  }

  #scanPrivateCsi(bytes: Buffer, at: number): number {
    const byte = bytes[at] ?? 0;
    if (byte === ESC) return this.#restart(at);
    if (byte === CAN || byte === SUB) return this.#toGround(at + 1);
    if (byte >= 0x30 && byte <= 0x39) this.#number = Math.min(this.#number * 10 + byte - 0x30, 0xffff);
    else if (byte === 0x3b) this.#nextNumber();
    else if (byte >= 0x80) return this.#toGround(at);
    else if (byte >= 0x40 && byte < 0x7f) {
      this.#nextNumber();
      this.#reportModes(byte, this.#position + at + 1);
      this.#reportRequest(byte, bytes, at + 1);
      return this.#toGround(at + 1);
    }
    return at + 1;
  }

  #nextNumber(): void {
    if (this.#numbers.length < 16) this.#numbers.push(this.#number);
    this.#number = 0;
  }

  #reportModes(final: number, end: number): void {
    if (final !== 0x68 && final !== 0x6c) return;
    for (const mode of this.#numbers) this.#sink.mode?.(mode, final === 0x68, this.#sequenceStart, end);
  }

  #scanString(bytes: Buffer, from: number): number {
    const length = bytes.length;
    for (let at = from; at < length; at++) {
      const byte = bytes[at];
      if (byte === ESC) {
        if (this.#phase === OSC) this.#payload.take(bytes, at);
        this.#phase = STRING_ESCAPE;
        return at + 1;
      }
      if (byte === BEL && this.#phase === OSC) return this.#endStringAt(bytes, at, 1);
      if (byte === C1_LEAD && bytes[at + 1] === C1_ST) return this.#endStringAt(bytes, at, 2);
      if (byte === CAN || byte === SUB) return this.#toGround(at + 1);
    }
    return length;
  }

  #endStringAt(bytes: Buffer, at: number, terminatorBytes: number): number {
    if (this.#phase === OSC) this.#payload.take(bytes, at);
    this.#finishString(this.#position + at + terminatorBytes, 0);
    return at + terminatorBytes;
  }

  #scanStringEscape(bytes: Buffer, at: number): number {
    const terminated = bytes[at] === BACKSLASH;
    const started = this.#position + at - 1;
    this.#finishString(terminated ? started + 2 : started, 0);
    if (terminated) return at + 1;
    this.#enter(ESCAPE, started, at);
    return at;
  }

  #finishString(end: number, surplusBytes: number): void {
    const offset = this.#sequenceStart;
    const payload = this.#payload.text(surplusBytes);
    this.#toGround(0);
    if (payload !== undefined) this.#sink.osc?.(payload, offset, end);
  }

  #toGround(next: number): number {
    this.#phase = GROUND;
    this.#payload.drop();
    return next;
  }

  #restart(at: number): number {
    this.#enter(ESCAPE, this.#position + at, at + 1);
    return at + 1;
  }

  /** Looks back from the end of the push for a character whose last bytes have not come yet. */
  #findOpenCharacter(bytes: Buffer, from: number): void {
    this.#need = 0;
    if (this.#phase !== GROUND && this.#phase !== OSC && this.#phase !== STRING) return;
    const earliest = Math.max(from, bytes.length - 3);
    for (let at = bytes.length - 1; at >= earliest; at--) {
      const byte = bytes[at] ?? 0;
      if (isContinuation(byte)) continue;
      const missing = characterLength(byte) - (bytes.length - at);
      if (missing > 0) {
        this.#need = missing;
        this.#characterStart = this.#position - bytes.length + at;
        this.#characterLead = byte;
      }
      return;
    }
  }
}

/** The phase that a C1 control begins, if it begins one. */
function introducedBy(c1: number): Phase | undefined {
  switch (c1) {
    case 0x9b:
      return CSI;
    case 0x9d:
      return OSC;
    case 0x90:
    case 0x98:
    case 0x9e:
    case 0x9f:
      return STRING;
    default:
      return undefined;
  }
}

function found(bytes: Buffer, byte: number, from: number): number {
  const at = bytes.indexOf(byte, from);
  return at < 0 ? bytes.length : at;
}
