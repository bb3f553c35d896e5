import { hkdfSync } from "node:crypto";
import { FIRST_DENSE, isDense } from "../../../core/protocol/searchable.ts";
import type { MasterKey } from "../history/segment.ts";

/** Bits of a filter. Of 4 KiB of a source, a build or a log about a third are set. */
export const FILTER_BITS = 1 << 14;
const MASK = FILTER_BITS - 1;
/** Form of the filters, another one whenever other bits stand for a text: indexes of before are made anew. */
export const FILTER_FORM = 3;
/** Characters of runs; a text that is shorter than the shortest is not in a filter. Of two, one is dense. */
const PAIR = 2;
const SHORT = 3;
const MIDDLE = 4;
const LONG = 7;
/** Bits of each text with a run of two: without them a third of all texts in scripts of letters would have to be read for one. */
const DENSE_BITS = 4;
const SEEDS = 8;
/** Of a long text so many bits are compared, from all of its parts; more of them hardly narrow it down. */
const MOST_BITS = 24;

/**
 * Makes Bloom filters: the filter of a text has the bits of each text that it holds, in any case, and seldom those of
 * another one. Three bits stand for each run of three characters, and one for each run of four and of seven, which tells
 * `const function` from the two words in different lines. One more stands for each run of two of which one is dense, and some
 * for having any of these, so that text in scripts of letters has neither. Which bits depends on a key, so a filter tells little
 * to who has only the file.
 */
export class TextFilter {
  readonly #seeds: Int32Array;
  /** Bits of each text with a run of two. */
  readonly #dense: readonly number[];

  constructor({ bytes }: MasterKey) {
    const length = (SEEDS + DENSE_BITS) * 4;
    const seeds = new Int32Array(hkdfSync("sha256", bytes, "", "patchbay history filter", length));
    // Odd factors lose no bit.
    this.#seeds = seeds.subarray(0, SEEDS).map((seed) => seed | 1);
    this.#dense = Array.from(seeds.subarray(SEEDS), (seed) => seed & MASK);
  }

  /** Returns the filter of a text of at most about 8,000 characters: with more, most bits are set. */
  filterOf(text: string): Uint8Array {
    return new Uint8Array(this.#addRuns(newFilter(), text, LONG).buffer);
  }

  /** Returns the bits that the filter of a text has which holds all of these texts; none if each is too short. */
  bitsOf(texts: readonly string[]): number[] {
    const chosen = new Set<number>();
    const ofRuns = (longest: number) =>
      setBits(texts.reduce((filter, text) => this.#addRuns(filter, text, longest), newFilter()));
    const [short, middle, long] = [new Set(ofRuns(SHORT)), new Set(ofRuns(MIDDLE)), ofRuns(LONG)];
    const parts = [long.filter((bit) => !middle.has(bit)), [...middle].filter((bit) => !short.has(bit)), [...short]];
    // Longer runs are rarer: fewer of them leave nothing to look for.
    for (const of of parts) for (const bit of spread(of, MOST_BITS - chosen.size)) chosen.add(bit);
    return [...chosen];
  }

  /** Sets the bits of all runs that are not longer than `longest`, in one pass: each character of all output comes here. */
  #addRuns(filter: Int32Array, text: string, longest: number): Int32Array {
    const [a = 1, b = 1, c = 1, d = 1, mix = 1, first = 1, second = 1, other = 1] = this.#seeds;
    let [third, before, last] = [0, 0, 0];
    /** Hashes of the runs of four that end one, two and three characters before. */
    let [middle1, middle2, middle3] = [0, 0, 0];
    let hasPair = false;
    for (let at = 0; at < text.length; at++) {
      const character = FOLDED[text.charCodeAt(at)] ?? 0;
      const short = mixed(Math.imul(before, a) ^ Math.imul(last, b) ^ Math.imul(character, c), mix);
      const middle = mixed(short ^ Math.imul(third, d), mix);
      // The first comparison is all that other scripts cost.
      if ((character | last) >= FIRST_DENSE && at >= PAIR - 1 && (isDense(character) || isDense(last))) {
        setBit(filter, mixed(Math.imul(last, b) ^ Math.imul(character, d), mix) & MASK);
        hasPair = true;
      }
      if (at >= SHORT - 1) {
        setBit(filter, short & MASK);
        setBit(filter, (short >>> 14) & MASK);
        setBit(filter, Math.imul(short, other) >>> 18);
        if (at >= MIDDLE - 1 && longest >= MIDDLE) setBit(filter, middle & MASK);
        if (at >= LONG - 1 && longest >= LONG) {
          setBit(filter, mixed(Math.imul(middle3, first) ^ Math.imul(middle, second), mix) & MASK);
        }
      }
      middle3 = middle2;
      middle2 = middle1;
      middle1 = middle;
      third = before;
      before = last;
      last = character;
    }
    if (hasPair) for (const bit of this.#dense) setBit(filter, bit);
    return filter;
  }
}

function newFilter(): Int32Array {
  return new Int32Array(FILTER_BITS / 32);
}

function setBits(filter: Int32Array): number[] {
  const bits: number[] = [];
  for (let at = 0; at < filter.length; at++) {
    for (let rest = filter[at] ?? 0; rest !== 0; rest &= rest - 1) bits.push(at * 32 + 31 - Math.clz32(rest & -rest));
  }
  return bits;
}

/** Returns at most so many of a list, from all of its parts. */
function spread(all: readonly number[], most: number): number[] {
  const step = Math.max(1, all.length / most);
  return Array.from({ length: Math.min(most, all.length) }, (_, index) => all[Math.floor(index * step)] ?? 0);
}

function setBit(filter: Int32Array, bit: number): void {
  filter[bit >>> 5] = (filter[bit >>> 5] ?? 0) | (1 << (bit & 31));
}

/** Lets each bit of a hash depend on all that is above it. */
function mixed(hash: number, factor: number): number {
  const folded = Math.imul(hash ^ (hash >>> 15), factor);
  return folded ^ (folded >>> 13);
}

/**
 * Each character as one that is the same for all that a search in any case takes for it, such as `k`, `K` and the sign of
 * Kelvin. Those beyond 16 bits differ by their first half only.
 */
const FOLDED = Uint16Array.from({ length: 0x10000 }, (_, code) => {
  if (code >= 0xdc00 && code < 0xe000) return 0xdc00;
  const upper = String.fromCharCode(code).toUpperCase();
  const lower = (upper.length === 1 ? upper : String.fromCharCode(code)).toLowerCase();
  return lower.length === 1 ? lower.charCodeAt(0) : code;
});
