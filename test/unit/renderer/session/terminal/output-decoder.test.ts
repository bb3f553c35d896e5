import { expect, test } from "vitest";
import { OutputDecoder } from "../../../../../renderer/session/terminal/output-decoder.ts";

function decoded(...chunks: number[][]): string {
  const decoder = new OutputDecoder();
  return chunks.map((chunk) => decoder.decode(Uint8Array.from(chunk))).join("");
}

test("bytes that are not UTF-8 become a replacement character each", () => {
  expect(decoded([0x61, 0xe4, 0x62])).toBe("a\ufffdb");
  expect(decoded([0x61, 0xa3, 0xa3, 0x62])).toBe("a\ufffd\ufffdb");
});

test("characters are decoded across chunks", () => {
  const bytes = [...new TextEncoder().encode("aé✓😀b")];
  for (let at = 0; at <= bytes.length; at++) expect(decoded(bytes.slice(0, at), bytes.slice(at))).toBe("aé✓😀b");
  expect(decoded(...bytes.map((byte) => [byte]))).toBe("aé✓😀b");
});

test("the rest of a character that began before the first byte is left out", () => {
  expect(decoded([], [0x9c, 0x93, 0x61], [0x93])).toBe("a\ufffd");
});
