import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { maskCredentials, maskedStart, maskSecrets } from "../../../../main/system/mask-secrets.ts";
import { steepGrowth } from "../../../support/growth.ts";
import { plantedSecrets } from "../../../support/planted-secrets.ts";

const SECRET = `pbk_${"aB3-_".repeat(6)}`;

describe("maskSecrets", () => {
  test.each([
    [`a ${SECRET} b`, "a pbk_[hidden] b"],
    [`${SECRET},${SECRET}`, "pbk_[hidden],pbk_[hidden]"],
    ["pb_short", "pb_short"],
    ["pb_0123456789abcde", "pb_0123456789abcde"],
    ["pb_0123456789abcdef", "pb_[hidden]"],
  ])("of %s", (text, masked) => {
    expect(maskSecrets(text)).toBe(masked);
  });
});

describe("maskCredentials", () => {
  test.each([
    ["see https://example.test/a/b", "see https://example.test/a/b"],
    ["https://ann:pw@example.test/a", "https://[hidden]@example.test/a"],
    ["https://ann:p@w@example.test/a", "https://[hidden]@example.test/a"],
    ["nats+tls://token@h:4222 and ws://h/?k=v#f", "nats+tls://[hidden]@h:4222 and ws://h/?[hidden]#[hidden]"],
    [
      "https://a.test/x?y=1 then https://u:p@b.test#z",
      "https://a.test/x?[hidden] then https://[hidden]@b.test#[hidden]",
    ],
    [`https://a.test/${SECRET}/page`, "https://a.test/pbk_[hidden]/page"],
    ["no address: a.b.c", "no address: a.b.c"],
  ])("of %s", (text, masked) => {
    expect(maskCredentials(text)).toBe(masked);
  });
});

describe("maskedStart", () => {
  test("leaves a short text as it is, and cuts a long one", () => {
    expect(maskedStart("short", 200, "…")).toBe("short");
    expect(maskedStart("a".repeat(200), 200, "…")).toBe("a".repeat(200));
    expect(maskedStart("a".repeat(201), 200, "…")).toBe(`${"a".repeat(200)}…`);
    expect(maskedStart("b ".repeat(50_000), 3, "…")).toBe("b b…");
  });

  // Secrets before it shrink, so what stands at the end of the masked piece is shown.
  test("hides a credential wherever the cut falls in it, also where the text before it shrinks", () => {
    const shrinks = `${`pb_${"s".repeat(900)}`} `;
    for (const credential of [
      SECRET,
      "https://ann:topsecretword@example.test/",
      "a://x/?topsecretword=topsecretword",
    ]) {
      for (let shift = 0; shift < 100; shift++) {
        const text = `${shrinks}${".".repeat(shift)} ${credential} ${"z".repeat(500)}`;
        expect(maskedStart(text, 200), `${credential} after ${shift}`).not.toMatch(/aB3|topsecret|ann/);
        const word = `${shrinks}${"-".repeat(540 + shift)}:${credential}${"z".repeat(600)}`;
        expect(maskedStart(word, 1000), `${credential} in a word after ${shift}`).not.toMatch(/aB3|topsecret|ann/);
      }
    }
  });

  test.each(plantedSecrets())("hides a secret of another service that the cut divides: %s", (_, planted, secret) => {
    for (let shown = 8; shown < secret.length; shown += 7) {
      const before = " ".repeat(1000 - planted.indexOf(secret) - shown);
      expect(maskedStart(`${before}${planted} ${"z".repeat(500)}`, 1000)).not.toContain(secret.slice(0, 8));
    }
  });

  test("shows only what masking the whole text shows, but for what the cut makes unsure", () => {
    const piece = fc.constantFrom(
      SECRET,
      "https://u:pw@h/p?q#f",
      "word ",
      "a.a.",
      " ",
      "pb_",
      "://",
      "@",
      "x".repeat(70),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const text = pieces.join(" ");
        const shown = maskedStart(text, 200);
        expect(shown).not.toContain("aB3");
        if (text.length <= 1000) expect(shown).toBe(maskCredentials(text).slice(0, 200));
      }),
    );
  });
});

test.each([
  ["words with dots", "a."],
  ["schemes without an end", "a+b-c."],
  ["ends of schemes", "://"],
  ["addresses with users", "a://b@"],
  ["addresses without an end", "a://b"],
  ["fragments", "a://#"],
  ["starts of secrets", "pb_"],
  ["starts of secrets, apart", "pb_ "],
  ["starts of secrets with hyphens", "-pb_a"],
])("masking takes linear time for %s", async (_name, unit) => {
  const text = (size: number) => unit.repeat(size / unit.length);
  expect(await steepGrowth((size) => maskCredentials(text(size)), 1 << 20)).toBeUndefined();
});
