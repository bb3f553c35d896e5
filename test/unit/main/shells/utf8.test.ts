import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeInTurns } from "../../../../main/shells/utf8.ts";

/** As long as a piece, so that every kind of byte comes to stand at a cut. */
const PIECE = 64 * 1024;

test("bytes are decoded in pieces as they are in one, valid or not", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: PIECE - 6, max: PIECE }),
      fc.array(fc.constantFrom(0x61, 0x80, 0xbf, 0xc3, 0xe2, 0xed, 0xf0, 0xf4, 0xff), { minLength: 4, maxLength: 14 }),
      async (before, bytes) => {
        const whole = Buffer.concat([Buffer.alloc(before, "x"), Buffer.from(bytes), Buffer.alloc(PIECE, "é😀")]);
        expect((await decodeInTurns(whole)) === whole.toString()).toBe(true);
      },
    ),
    { numRuns: 300 },
  );
});

test("others have their turn while a long text is decoded", async () => {
  let turns = 0;
  let isOver = false;
  const decoded = decodeInTurns(Buffer.alloc(64 * PIECE, "é")).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await new Promise((resolve) => setImmediate(resolve));
    turns += 1;
  }
  expect(await decoded).toHaveLength(32 * PIECE);
  expect(turns).toBeGreaterThanOrEqual(64);
});
