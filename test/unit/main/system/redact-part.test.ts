import { expect, test } from "vitest";
import { runAtOnce } from "../../../../main/system/in-turns.ts";
import {
  hideInPieces,
  hideSecrets,
  hideSecretsInCut,
  redactPart,
  withoutLastWord,
} from "../../../../main/system/redact-part.ts";

const TOKEN = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
const TEXT = `the token is ${TOKEN} and\npassword = hunter22\nthe end`;
const HIDDEN = "the token is ghp_•••••••••••••••••••••••••••••••••••• and\npassword = ••••••••\nthe end";

test("hides a secret also where a part begins or ends within it", () => {
  expect(hideSecrets(TEXT)).toBe(HIDDEN);
  for (let at = 0; at <= TEXT.length; at++) {
    const [before, after] = [TEXT.slice(0, at), TEXT.slice(at)];
    expect(redactPart(before, { after })).toBe(HIDDEN.slice(0, at));
    expect(redactPart(after, { before })).toBe(HIDDEN.slice(at));
  }
});

test("shows nothing of a secret whose beginning is not known, nor of one that is still to end", () => {
  for (let at = 14; at < TEXT.indexOf(" and"); at++) {
    const [beginning, rest] = [TEXT.slice(0, at), TEXT.slice(at)];
    expect(redactPart(rest, { isBegun: true })).not.toMatch(/[a-z0-9]{3}.*and/);
    expect(redactPart(beginning, { goesOn: true })).toMatch(/^the token is •*(?:ghp_)?•*$/);
  }
  expect(redactPart(TEXT, { isBegun: true })).toMatch(/^••• ••••• •• •+ •••\npassword = ••••••••\nthe end$/);
});

test("leaves a whole last line, a prompt and the sequences of a terminal as they are", () => {
  expect(withoutLastWord("one two\n")).toBe("one two\n");
  expect(withoutLastWord("dev@machine:~$ ")).toBe("dev@machine:~$ ");
  expect(withoutLastWord("Password:")).toBe("Password:");
  expect(withoutLastWord("one two\x1b[0m\x1b[K")).toBe("one •••\x1b[0m\x1b[K");
  expect(redactPart("abc\x1b[31mdef\x1b[0m ghi\nnext\n", { isBegun: true })).toBe("•••\x1b[31m•••\x1b[0m •••\nnext\n");
  expect(withoutLastWord("")).toBe("");
  for (const mark of ["\x1b]133;B\x07", "\x1b]0;a b\x07", "\x1b]8;;http://a\x1b\\"]) {
    expect(withoutLastWord(`dev@machine:~$ ${mark}`)).toBe(`dev@machine:~$ ${mark}`);
    expect(withoutLastWord(`one two${mark}`)).toBe(`one •••${mark}`);
    expect(redactPart(`${mark}abc${mark}\nnext\n`, { isBegun: true })).toBe(`${mark}•••${mark}\nnext\n`);
  }
});

test("looks through a long text in pieces, none of which divides a secret", () => {
  const long = `${TOKEN} `.repeat(8000);
  const lengths: number[] = [];
  const hide = (text: string) => {
    lengths.push(text.length);
    return hideSecrets(text);
  };
  expect(runAtOnce(hideInPieces(long, hide))).toBe(hideSecrets(long));
  expect(lengths.length).toBeGreaterThan(4);
  expect(Math.max(...lengths)).toBeLessThan(long.length / 3);
  expect(redactPart(long, { before: "x ", after: " y" })).toBe(hideSecrets(long));
});

test("hides secrets within colours too", () => {
  const text = `\x1b[1m${TOKEN.slice(0, 9)}\x1b[31m${TOKEN.slice(9)}\x1b[0m`;
  expect(hideSecrets(text)).toHaveLength(text.length);
  expect(hideSecrets(text)).not.toContain(TOKEN.slice(9));
});

test("hides a long word before the ellipsis of a text that was cut, and no other", () => {
  const half = TOKEN.slice(0, 20);
  for (const mark of ["…", "… [9000 characters cut]", "\n… 12 more characters"]) {
    expect(hideSecretsInCut(`the token is ${half}${mark}`)).toBe(`the token is ${"•".repeat(20)}${mark}`);
    expect(hideSecretsInCut(`it goes on${mark}`)).toBe(`it goes on${mark}`);
  }
  const whole = `one… two ${"three ".repeat(20)}`;
  expect(hideSecretsInCut(whole)).toBe(whole);
  expect(hideSecretsInCut(`${half} `)).toBe(`${half} `);
});
