/** Follows ESC or C2 in the two introducers that matter: DCS and OSC, as two bytes or as a C1 control in UTF-8. */
type Phase = "text" | "escape" | "c1" | "dcs" | "osc";

const ESC = 0x1b;
const C1_LEAD = 0xc2;
const SEMICOLON = 0x3b;
const ZERO = 0x30;
const NINE = 0x39;
const SIXEL = 0x71;
/** What an OSC with an image of iTerm2's protocol begins with: whole, or in parts. */
const FILES = ["1337;File=", "1337;MultipartFile="].map((text) => new TextEncoder().encode(text));

/**
 * Finds the beginning of an image (sixel, iTerm2) in a terminal's output, in any chunking. What only resembles one, for
 * example within another sequence, may count too.
 */
export class ImageIntroducer {
  #phase: Phase = "text";
  #matched = 0;
  #files = FILES;

  /** Returns whether an image begins in these bytes, or began in earlier ones and is known only now. */
  isIn(bytes: Uint8Array): boolean {
    for (const byte of bytes) if (this.#step(byte)) return true;
    return false;
  }

  #step(byte: number): boolean {
    switch (this.#phase) {
      case "text":
        break;
      case "escape":
        if (this.#enter(byte, "P".charCodeAt(0), "]".charCodeAt(0))) return false;
        break;
      case "c1":
        if (this.#enter(byte, 0x90, 0x9d)) return false;
        break;
      case "dcs":
        if (byte === SIXEL) return true;
        if (byte === SEMICOLON || (byte >= ZERO && byte <= NINE)) return false;
        break;
      case "osc":
        this.#files = this.#files.filter((file) => file[this.#matched] === byte);
        if (this.#files.length === 0) break;
        this.#matched += 1;
        return this.#files.some(({ length }) => length === this.#matched);
    }
    this.#phase = byte === ESC ? "escape" : byte === C1_LEAD ? "c1" : "text";
    return false;
  }

  /** Returns whether the byte introduces a DCS or an OSC. */
  #enter(byte: number, dcs: number, osc: number): boolean {
    if (byte !== dcs && byte !== osc) return false;
    this.#phase = byte === dcs ? "dcs" : "osc";
    this.#matched = 0;
    this.#files = FILES;
    return true;
  }
}
