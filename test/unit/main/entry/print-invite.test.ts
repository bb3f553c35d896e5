import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { RemoteError } from "../../../../core/protocol/errors.ts";
import { inviteText } from "../../../../main/entry/print-invite.ts";

const HERE = "http://127.0.0.1:7717/s/abcdefghijklmnop#pbi_secret";
const ELSEWHERE = "https://192.0.2.7:7718/s/abcdefghijklmnop#pbi_secret";
const expiresAt = new Date(0).toISOString();

test("the link is printed; without an address for other machines, how to get one, and no code", async () => {
  const text = await inviteText(async () => ({ urls: [HERE], expiresAt }), true);
  expect(text).toContain(`  ${HERE}\n`);
  expect(text).toContain("--listen 0.0.0.0");
  expect(text).not.toMatch(/[█▀▄]/);
});

test.each([true, false])("a code for phones is square, and coloured on a terminal only: %s", async (onTerminal) => {
  const text = await inviteText(async () => ({ urls: [HERE, ELSEWHERE], expiresAt }), onTerminal);
  expect(text).toContain(`  ${ELSEWHERE}\n`);
  const lines = text.split("\n").filter((line) => /[█▀▄]/.test(line));
  // Two rows of the code stand in one line.
  const plain = lines.map((line) => stripVTControlCharacters(line).slice(2));
  expect(new Set(plain.map(({ length }) => length)).size).toBe(1);
  expect(plain[0]?.length).toBeGreaterThan(30);
  expect(Math.ceil((plain[0]?.length ?? 0) / 2)).toBe(lines.length);
  expect(lines.every((line) => line.includes("\u001b[38;5;231;48;5;16m") === onTerminal)).toBe(true);
  // Narrow enough for 80 columns.
  expect(plain[0]?.length).toBeLessThan(76);
});

test("a relay that can create no invite says why, and goes on", async () => {
  const refuse = () => Promise.reject(new RemoteError("storage_failed", "The disk is full."));
  expect(await inviteText(refuse, true)).toBe("No invite link: The disk is full.\n");
});
