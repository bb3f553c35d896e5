const LONGEST = 4096;
const TOKENS = [...'{}[]":,\n\0\x1b\\;+/?&=.*-019 '].concat([
  "null",
  "true",
  "1e999",
  "-1",
  "__proto__",
  "\\u0000",
  "\x1b]133;",
  "../../",
  "%2e",
  "ü😀",
]);

/** Returns a seeded random generator (mulberry32), so that findings are reproducible. */
export function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** Applies one to eight changes: a byte, a piece removed, doubled or moved, a token, a piece of another input. */
export function mutate(input: Buffer, other: Buffer, random: (below: number) => number): Buffer {
  let bytes = input;
  for (let left = 1 + random(8); left > 0; left -= 1) bytes = changed(bytes, other, random);
  return bytes.subarray(0, LONGEST);
}

function changed(bytes: Buffer, other: Buffer, random: (below: number) => number): Buffer {
  const at = random(bytes.length + 1);
  const until = Math.min(bytes.length, at + 1 + random(32));
  const [before, piece, after] = [bytes.subarray(0, at), bytes.subarray(at, until), bytes.subarray(until)];
  switch (random(7)) {
    case 0:
      return Buffer.concat([before, Buffer.from([random(256)]), bytes.subarray(at + 1)]);
    case 1:
      return Buffer.concat([before, after]);
    case 2:
      return Buffer.concat([before, piece, piece, after]);
    case 3:
      return Buffer.concat([after, piece, before]);
    case 4:
      return Buffer.concat([before, Buffer.from(String(random(2) === 0 ? random(1e9) : -random(100))), after]);
    case 5: {
      const start = random(other.length + 1);
      return Buffer.concat([before, other.subarray(start, start + random(256)), after]);
    }
    default:
      return Buffer.concat([before, Buffer.from(TOKENS[random(TOKENS.length)] ?? ""), after]);
  }
}
