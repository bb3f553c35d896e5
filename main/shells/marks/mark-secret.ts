import { randomBytes } from "node:crypto";

const ROUNDS = 27;
const WORD = 0x1_0000_0000;

/**
 * The secret that a shell and its host share. From it both compute one nonce for each cycle from prompt to prompt, so
 * that a nonce which is known tells nothing of the next one.
 */
export interface MarkSecret {
  /** The round keys as decimal numbers with spaces between them, as the start-up files of the shells read them. */
  readonly text: string;
  /** The nonce of a cycle, numbered from 1. */
  nonceOf(cycle: number): string;
}

export function createMarkSecret(bytes: Buffer = randomBytes(ROUNDS * 4)): MarkSecret {
  const keys = Array.from({ length: ROUNDS }, (_, round) => bytes.readUInt32LE(round * 4));
  return { text: keys.join(" "), nonceOf: (cycle) => encrypt(cycle, keys) };
}

/**
 * Speck64 (Beaulieu et al., "The SIMON and SPECK Families of Lightweight Block Ciphers", 2013) with independent round
 * keys, written without bit operators as fish has to compute it too. It needs nothing but arithmetic on 32-bit words.
 */
function encrypt(cycle: number, keys: readonly number[]): string {
  let x = 0;
  let y = cycle % WORD;
  for (const key of keys) {
    x = xor((Math.floor(x / 0x100) + (x % 0x100) * 0x1_00_0000 + y) % WORD, key);
    y = xor(((y * 8) % WORD) + Math.floor(y / 0x2000_0000), x);
  }
  return `${x}:${y}`;
}

function xor(one: number, other: number): number {
  return (one ^ other) >>> 0;
}
