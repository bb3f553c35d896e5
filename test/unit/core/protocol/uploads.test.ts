import fc from "fast-check";
import { expect, test } from "vitest";
import { numberedName, safeFileName } from "../../../../core/protocol/uploads.ts";

test.each([
  ["photo.png", "photo.png"],
  ["Übersicht 2026.pdf", "Übersicht 2026.pdf"],
  [".env", ".env"],
  ["../../etc/passwd", "passwd"],
  ["..\\..\\windows\\system.ini", "system.ini"],
  ["/etc/cron.d/job", "job"],
  ["..", "file"],
  ["", "file"],
  ["a/", "file"],
  ["\u0000", "_"],
  ["a\nrm -rf ~\r", "a_rm -rf ~_"],
  ["\u001b]0;x\u0007.txt", "_]0;x_.txt"],
  ["invoice\u202Efdp.exe", "invoice_fdp.exe"],
  ["-rf", "_rf"],
  ["CON", "_CON"],
  ["nul.txt", "_nul.txt"],
  ["name. . ", "name"],
  ["a:b*c?.txt", "a_b_c_.txt"],
  ["\ud800x", "_x"],
])("the file %j is kept as %j", (given, kept) => {
  expect(safeFileName(given)).toBe(kept);
});

test("a long name is cut between characters and keeps its extension", () => {
  const name = safeFileName(`${"😀".repeat(300)}.tar`);
  expect(name).toMatch(/^(😀)+\.tar$/u);
  expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200);
});

test("whatever the name is given as, it is one part of a path, short, visible, and safe again", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 400 }), (given) => {
      const name = safeFileName(given);
      expect(name).not.toMatch(/[\\/\p{Cc}\p{Cf}\p{Cs}]|^\.{0,2}$|^-|[. ]$/u);
      expect(Buffer.byteLength(numberedName(name, 99))).toBeLessThanOrEqual(255);
      expect(safeFileName(name)).toBe(name);
    }),
  );
});

test("a number stands before the extension", () => {
  expect([1, 2].map((number) => numberedName("a.tar.gz", number))).toEqual(["a.tar.gz", "a.tar (2).gz"]);
  expect(numberedName(".env", 2)).toBe(".env (2)");
});
