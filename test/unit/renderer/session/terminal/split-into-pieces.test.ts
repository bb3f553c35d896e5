import fc from "fast-check";
import { expect, test } from "vitest";
import { splitIntoPieces } from "../../../../../renderer/session/terminal/split-into-pieces.ts";

test("pieces are bounded, never split a character, and join to the whole text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), fc.integer({ min: 2, max: 20 }), (text, bound) => {
      const pieces = splitIntoPieces(text, bound);
      expect(pieces.join("")).toBe(text);
      for (const piece of pieces) {
        expect(piece.length).toBeGreaterThan(0);
        expect(piece.length).toBeLessThanOrEqual(bound);
        // encodeURIComponent refuses a lone surrogate.
        expect(() => encodeURIComponent(piece)).not.toThrow();
      }
    }),
    { numRuns: 1000 },
  );
});
