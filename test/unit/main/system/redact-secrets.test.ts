import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import {
  type HiddenSecret,
  redactOutput,
  redactSecrets,
  rulesVersion,
  setOwnRules,
} from "../../../../main/system/redact-secrets.ts";
import { steepGrowth } from "../../../support/growth.ts";
import { plantedSecrets } from "../../../support/planted-secrets.ts";

const hideIn = (output: string) => redactOutput(output).text;

describe("a secret is hidden, what stands around it stays, and so do all places", () => {
  test.each(plantedSecrets())("%s", (_, text, secret) => {
    const alone = text.replace(/^key | end$/g, "");
    const escaped = [`{"out":"a\\n${alone}\\n"}`, `"\\u001b[1m${alone}\\u001b[m"`, `/?a=b%26${alone}%26`];
    for (const around of [text, `$ echo ${text}`, `{"env":"${text}"}`, `a\r\n${text}\r\nb`, ...escaped]) {
      const redacted = redactSecrets(around);
      expect(redacted).toHaveLength(around.length);
      for (const line of secret.split("\n")) expect(redacted).not.toContain(line);
      expect(redacted.replaceAll("•", "")).not.toBe(around);
    }
  });
});

test.each([
  String.raw`curl -d "{\"password\":\"Tr0ub4dor3\"}"`,
  String.raw`"{\\\"api_key\\\": \\\"Tr0ub4dor3\\\"}"`,
  "/login?user=me&password%3DTr0ub4dor3",
])("a value is hidden beside its name, also within quotes: %s", (text) => {
  expect(redactSecrets(text)).not.toContain("Tr0ub");
  expect(redactSecrets(text)).toHaveLength(text.length);
});

test.each([
  ['"password": "Abc,1defgh2XYZ", "user": "me 2"', "Abc,1defgh2XYZ"],
  ["DB_PASSWORD='x7K;pQ2&zz'; echo done 2", "x7K;pQ2&zz"],
  ['secret = "three words 4 you"', "three words 4 you"],
  [String.raw`{\"password\": \"Abc,1defgh2XYZ\", \"user\": \"me 2\"}`, "Abc,1defgh2XYZ"],
  [`api_key=${"aB3".repeat(300)}`, "aB3".repeat(300)],
])("a value within quotes is hidden whole, and one without as far as it goes: %s", (text, secret) => {
  expect(redactSecrets(text)).toBe(text.replace(secret, "•".repeat(secret.length)));
});

test.each([
  "password: string",
  "secret=undefined",
  "token count 12345678",
  "task-runner-with-a-very-long-name-2 finished",
  "commit 9cd08170b41a6a2f63a8a1a8b4e2c0f1d5e7a9b3",
  "https://example.org:8080/path@2x.png",
  "user@example.org wrote: see http://localhost:3000/a?b=c",
  "sha512-K3jPqjva8bQndDKJqctnGfwuAxU2n9XNCPtbXVI5JvC7FnQiNg==",
  "id 3374e44a-3626-41a4-8b49-1220ae11de36",
  "-----BEGIN CERTIFICATE-----",
  "basic authentication is required",
  "SKIPPED 12 tests, ACCEPTED 3",
])("%s is no secret", (text) => {
  expect(redactSecrets(text)).toBe(text);
});

test("a key that is cut is hidden as far as it goes, and lines of a key without its beginning too", () => {
  const line = "MIIEpAIBAAKCAQEA7yn3bRHQ5FHMQx2Zr0zq0bZk9Jp7r1mS3Xx1c8Qe2oVt5uWl";
  expect(line).toHaveLength(64);
  expect(redactSecrets(`-----BEGIN RSA PRIVATE KEY-----\n${line}`)).not.toContain("MIIE");
  expect(redactSecrets("-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nlQOYBGabc123")).not.toContain("lQOY");
  expect(redactSecrets(`before\n${line}\nafter`)).toBe(`before\n${"•".repeat(64)}\nafter`);
});

test.each([
  ["RSA", 64, ""],
  ["OPENSSH", 70, "\r"],
])("the lines of a key of %s are hidden wherever a part of it begins and ends", (kind, width, end) => {
  const made = (length: number) => [..."aB3+dE/6".repeat(10)].slice(0, length).join("");
  const body = [...Array.from({ length: 20 }, () => made(width)), `${made(width - 33)}==`];
  const key = [`-----BEGIN ${kind} PRIVATE KEY-----`, ...body, `-----END ${kind} PRIVATE KEY-----`];
  const text = ["before 1 + 1 = 2", ...key, "after", ""].join(`${end}\n`);
  for (let from = 0; from >= 0; from = text.indexOf("\n", from) + 1 || -1) {
    for (const part of [text.slice(from), text.slice(from, -200)]) {
      const noted: HiddenSecret[] = [];
      const redacted = redactSecrets(part, (secret) => noted.push(secret));
      expect(redacted).toHaveLength(part.length);
      // Its last line is known by what follows only.
      if (part.endsWith("\n")) expect(redacted).not.toContain(made(20));
      else expect(redacted).not.toContain(made(width));
      for (const { from: at, length } of noted) expect(redacted.slice(at, at + length)).toMatch(/^[•\r\n]+$/);
    }
  }
  expect(redactSecrets("abc\n-----END CERTIFICATE-----")).toBe("abc\n-----END CERTIFICATE-----");
});

describe("a secret that a program breaks over lines", () => {
  const key = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
  const jwt = `eyJhbGciOiJIUzI1NiJ9.eyJ${"a1B2".repeat(20)}.${"c3D4".repeat(10)}`;

  test.each([
    ["in its middle", `${key.slice(0, 20)}\n${key.slice(20)}`, `ghp_${"•".repeat(16)}\n${"•".repeat(20)}`],
    ["in its prefix", `${key.slice(0, 2)}\r\n${key.slice(2)}`, `gh\r\np_${"•".repeat(36)}`],
    ["before its last letters", `${key.slice(0, 38)}\n${key.slice(38)} next`, `ghp_${"•".repeat(34)}\n•• next`],
    ["with an indent", `  ${key.slice(0, 20)}\n  ${key.slice(20)}\n`, `  ghp_${"•".repeat(16)}\n  ${"•".repeat(20)}\n`],
    [
      "in a box",
      `│ ${key.slice(0, 20)} │\r\n│ ${key.slice(20)} │`,
      `│ ghp_${"•".repeat(16)} │\r\n│ ${"•".repeat(20)} │`,
    ],
    ["twice", `${jwt.slice(0, 40)}\n${jwt.slice(40, 80)}\n${jwt.slice(80)}`, undefined],
    [
      "after as much as a key may have",
      "sk-abcdefghij0123456789abcd\nefghij0123\n",
      `sk-${"•".repeat(24)}\n${"•".repeat(10)}\n`,
    ],
    ["where an address has it", "https://me:hunter\n22xyz@example.org", "https://me:••••••\n•••••@example.org"],
  ])("%s", (_, text, expected) => {
    const redacted = redactSecrets(text);
    if (expected !== undefined) expect(redacted).toBe(expected);
    expect(redacted).toHaveLength(text.length);
    expect(redacted.replace(/\s/g, "")).toMatch(/•{10}/);
    expect(redacted).not.toMatch(/[a-z0-9]{12}/i);
  });

  test.each([
    ["the next line's word", `${key}\nroot@vm:~# ls\n`, `ghp_${"•".repeat(36)}\nroot@vm:~# ls\n`],
    ["a short rest of the next line", `${key}\nab12\n`, `ghp_${"•".repeat(36)}\nab12\n`],
    ["a further secret", `${key}\n${key}`, `ghp_${"•".repeat(36)}\nghp_${"•".repeat(36)}`],
    [
      "another divided one",
      `${key.slice(0, 20)}\n${key.slice(20)}\n${key.slice(0, 9)}\n${key.slice(9)}`,
      `ghp_${"•".repeat(16)}\n${"•".repeat(20)}\nghp_${"•".repeat(5)}\n${"•".repeat(31)}`,
    ],
    ["an empty line", `${key.slice(0, 20)}\n\n${key.slice(20)}`, `${key.slice(0, 20)}\n\n${key.slice(20)}`],
    ["lines of words", "task-one\nsk-two\nthree and four\n", "task-one\nsk-two\nthree and four\n"],
  ])("stays apart from %s", (_, text, expected) => {
    expect(redactSecrets(text)).toBe(expected);
  });

  test("in what a terminal was sent", () => {
    const sent = `\x1b[32m${key.slice(0, 20)}\x1b[0m\r\n  \x1b[32m${key.slice(20)}\x1b[0m`;
    expect(hideIn(sent)).toBe(`\x1b[32mghp_${"•".repeat(16)}\x1b[0m\r\n  \x1b[32m${"•".repeat(20)}\x1b[0m`);
  });
});

test("a secret is hidden beside colours and within them, and the sequences stay", () => {
  const key = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
  expect(hideIn(`\x1b[1m${key}\x1b[0m`)).toBe(`\x1b[1mghp_${"•".repeat(36)}\x1b[0m`);
  expect(hideIn(`${key.slice(0, 10)}\x1b[31m${key.slice(10)}\x1b[0m`)).toBe(
    `ghp_${"•".repeat(6)}\x1b[31m${"•".repeat(30)}\x1b[0m`,
  );
  for (const within of ["\x1b7", "\x1b]8;;https://example.org\x1b\\", "\x1b]0;title\x07"]) {
    expect(hideIn(`${key.slice(0, 10)}${within}${key.slice(10)}`)).toBe(
      `ghp_${"•".repeat(6)}${within}${"•".repeat(30)}`,
    );
  }
  expect(hideIn(`\x1b]0;${key}\x07`)).toBe(`\x1b]0;ghp_${"•".repeat(36)}\x07`);
  expect(hideIn("\x1b[31mred\x1b(B and \x1b]0;title\x07")).toBe("\x1b[31mred\x1b(B and \x1b]0;title\x07");
});

describe("a secret that was typed key by key is hidden where the shell has drawn it", () => {
  const key = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
  const [first, rest] = [key.slice(0, 20), key.slice(20)];
  const fish = (from: string, letters: string) =>
    [...letters].map((letter, at) => `\x1b[36m${letter}${from}\x1b[${at + 9}C\x1b[30m\x1b(B\x1b[m`).join("");

  test.each([
    ["over the edge by bash", `$ export T=${first} \r${rest}\r\n`],
    ["over the edge by zsh, which draws a letter twice", `$ export T=${first} \r\x1b[K${rest[0]}\r${rest}\r\r\n`],
    ["from the line's beginning by fish", `$ ${fish("\r", key)}\r\n`],
    [
      "over the edge by fish",
      `$ ${fish("\r", first)}\r\r\n\x1b[30m\x1b(B\x1b[m\x1b[A\x1b[78C${fish("\x1b[A\r\r\n", rest)}\r\n`,
    ],
  ])("%s", (_, sent) => {
    const { text, count } = redactOutput(sent);
    expect(text).toHaveLength(sent.length);
    expect(count).toBe(1);
    expect(text.match(/•/g)).toHaveLength(36);
  });

  test("and its place is told", () => {
    const noted: HiddenSecret[] = [];
    const text = `1 %\r2 %\r$ ${first} \r${rest}\r$ ${key}`;
    const redacted = redactSecrets(text, (secret) => noted.push(secret));
    expect(redacted).toBe(`1 %\r2 %\r$ ghp_${"•".repeat(16)} \r${"•".repeat(20)}\r$ ghp_${"•".repeat(36)}`);
    expect(noted.map(({ from, length }) => [text.slice(from, from + 4), length])).toEqual([
      ["abcd", 36],
      ["abcd", 36],
    ]);
  });

  test("but lines that are whole stay apart", () => {
    for (const text of ["ghp_\r\nabcdefghij", "a\r\r\nb", "50 % \r60 % \r\n"]) expect(redactSecrets(text)).toBe(text);
  });
});

test("what a program copies to the clipboard is hidden, and counts", () => {
  for (const end of ["\x07", "\x1b\\"]) {
    const { text, count } = redactOutput(`a\x1b]52;c;${btoa("Tr0ub4dor3")}${end}b\x1b]52;c;?${end}c`);
    expect(text).toBe(`a\x1b]52;c;${"•".repeat(16)}${end}b\x1b]52;c;?${end}c`);
    expect(count).toBe(1);
  }
});

test("the first line of a key alone hides no more than a key can have", () => {
  const line = "MIIEpAIBAAKCAQEA7yn3";
  const text = redactSecrets(`-----BEGIN PRIVATE KEY-----\n${`${line}\n`.repeat(3000)}the end`);
  expect(text).toMatch(/•\n•/);
  expect(text.endsWith(`${line}\nthe end`)).toBe(true);
});

describe("the first line of a key alone hides what may be of the key, and not what follows", () => {
  const line = "MIIEpAIBAAKCAQEA7yn3bRHQ5FHMQx2Zr0zq0bZk9Jp7r1mS3Xx1c8Qe2oVt5uWl";
  const shown = "2026-03-01T00:02:30.331Z worker[2] $ node -r dotenv/config tu_script.js";

  test.each([
    ["in a log", "12:00 w[2] -----BEGIN RSA PRIVATE KEY-----", [`12:00 w[2] ${line}`, "12:00 w[2] aB3="]],
    [
      "with headers",
      "-----BEGIN RSA PRIVATE KEY-----",
      ["Proc-Type: 4,ENCRYPTED", "DEK-Info: AES-128-CBC,0A1B", "", line],
    ],
    ["with a checksum", "-----BEGIN PGP PRIVATE KEY BLOCK-----", ["", line, "lQOYBGabc123", "=aB1c"]],
    ["in quotes", '  "-----BEGIN PRIVATE KEY-----\\n" +', [`  "${line}\\n" +`, '  "aB3=\\n" +']],
    ["in one line", `{"key":"-----BEGIN PRIVATE KEY-----\\n${line}\\naB3=\\n`, []],
    ["in a box", "│ -----BEGIN PRIVATE KEY----- │", [`│ ${line} │`, "│ aB3= │"]],
    ["in a narrow box", "│ -----BEGIN PRIVATE KEY----- │", ["│ MIIEpAIBAAKC │", "│ yn3bRHQ5FHMQ │"]],
    ["beside another program", "-----BEGIN PRIVATE KEY-----", [line, "another program says that", line]],
  ])("%s", (_, first, lines) => {
    const secrets = [line, "MIIEpAIB", "yn3bRHQ5", "aB3=", "lQOY", "=aB1c"];
    for (const end of ["\n", "\r\n"]) {
      const text = [first, ...lines, shown, shown, ""].join(end);
      const redacted = redactSecrets(text);
      expect(redacted).toHaveLength(text.length);
      for (const secret of secrets) expect(redacted).not.toContain(secret);
      expect(redacted.endsWith([shown, shown, ""].join(end))).toBe(true);
      expect(redactSecrets(redacted)).toBe(redacted);
    }
  });

  test("also lines that stand apart from the others", () => {
    const others = `${shown}\n`.repeat(30);
    const text = `a | -----BEGIN PRIVATE KEY-----\n${others}a | ${line}\n${others}a | ${line}\n${shown}\n`;
    const noted: HiddenSecret[] = [];
    const redacted = redactSecrets(text, (secret) => noted.push(secret));
    expect(redacted).not.toContain(line);
    expect(redacted).toHaveLength(text.length);
    expect(redacted.split("\n").filter((one) => one === shown)).toHaveLength(61);
    expect(noted.map(({ from, length }) => text.slice(from, from + length))).toEqual([`a | ${line}`, `a | ${line}`]);
  });

  test("a short one with its last line in the same line", () => {
    const text = String.raw`KEY="-----BEGIN RSA PRIVATE KEY-----\nKh9NV...\n-----END RSA PRIVATE KEY-----\n"`;
    const redacted = redactSecrets(`${text}\n${shown}\nab12\n`);
    expect(redacted).not.toContain("Kh9NV");
    expect(redacted.endsWith(`-----END RSA PRIVATE KEY-----\\n"\n${shown}\nab12\n`)).toBe(true);
  });

  test("in colours", () => {
    const text = `\x1b[32m-----BEGIN PRIVATE KEY-----\x1b[m\n\x1b[32m${line}\x1b[m\n\x1b[32maB3=\x1b[m\n${shown}\n`;
    const redacted = hideIn(text);
    for (const secret of ["MIIE", "aB3="]) expect(redacted).not.toContain(secret);
    expect(redacted.endsWith(`\n${shown}\n`)).toBe(true);
  });

  test("where a text names it only", () => {
    const lines = ['const HEAD = "-----BEGIN PRIVATE KEY-----";', "return text.indexOf(HEAD, 1);", shown, shown, ""];
    const text = lines.join("\n");
    const noted: HiddenSecret[] = [];
    const redacted = redactSecrets(text, (secret) => noted.push(secret));
    expect(redacted.slice(redacted.indexOf("\n"))).toBe(text.slice(text.indexOf("\n")));
    expect(noted).toHaveLength(1);
    noted.length = 0;
    redactSecrets(`-----BEGIN PRIVATE KEY-----\r\n${shown}\r\n`, (secret) => noted.push(secret));
    expect(noted).toEqual([]);
  });
});

test("a text takes linear time, and what is hidden stays hidden", async () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 300 }), (text) => {
      const once = redactSecrets(text);
      expect(once).toHaveLength(text.length);
      expect(redactSecrets(once)).toBe(once);
    }),
  );
  for (const hostile of [
    "://a:",
    "-----BEGIN ",
    "-----BEGIN PRIVATE KEY-----",
    "-----BEGIN PRIVATE KEY-----\n",
    "-----BEGIN PRIVATE KEY-----\n\n\n",
    "-----END PRIVATE KEY-----",
    "-----END PRIVATE KEY-----\n",
    "aB3\n-----END PRIVATE KEY-----",
    "eyJ",
    "password=",
    "sk-",
    "bearer ",
    "xoxb-",
    "a".repeat(64),
    "sk-a1\n",
    "a\n",
    "\r",
    "sk-a1 \r",
    "a\ra\r",
  ]) {
    const redact = (size: number) => redactSecrets(hostile.repeat(Math.ceil(size / hostile.length)));
    expect(await steepGrowth(redact, 200_000), hostile).toBeUndefined();
  }
});

test("what was hidden is told by rule and place, once, and counted in output", () => {
  const key = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
  const noted: HiddenSecret[] = [];
  const text = `a ${key}\npassword=Tr0ub4dor3xyz\n-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----`;
  const redacted = redactSecrets(text, (secret) => noted.push(secret));
  expect(noted.map(({ rule, from, length }) => [rule, text.slice(from, from + length)])).toEqual([
    ["private key", "\nMIIE\n"],
    ["GitHub", key.slice(4)],
    ["assignment", "Tr0ub4dor3xyz"],
  ]);
  const again: HiddenSecret[] = [];
  redactSecrets(redacted, (secret) => again.push(secret));
  expect(again.filter(({ rule }) => rule !== "private key")).toEqual([]);
  expect(redactOutput(`\x1b[1m${key}\x1b[0m and ${key.slice(0, 9)}\x1b[31m${key.slice(9)}`).count).toBe(2);
  expect(redactOutput("nothing").count).toBe(0);
});

describe("the user's own rules", () => {
  afterEach(() => setOwnRules({}));

  test("hide what they find, or what their first group finds, in this thread", () => {
    const version = rulesVersion();
    setOwnRules({ ticket: "ACME-[0-9]{6}", pin: "(?i)pin is ([0-9]+)" });
    expect(rulesVersion()).not.toBe(version);
    const noted: HiddenSecret[] = [];
    expect(redactSecrets("ACME-123456, Pin is 4711.", (secret) => noted.push(secret))).toBe(
      "•••••••••••, Pin is ••••.",
    );
    expect(noted).toEqual([
      { rule: "ticket", from: 0, length: 11 },
      { rule: "pin", from: 20, length: 4 },
    ]);
    expect(hideIn("ACME-\x1b[1m123456\x1b[m")).toBe("•••••\x1b[1m••••••\x1b[m");
    setOwnRules({});
    expect(rulesVersion()).toBe(version);
    expect(redactSecrets("ACME-123456")).toBe("ACME-123456");
  });

  test.each(["(", "x*", "", "(?:a{30}){30}"])("%j is refused", (pattern) => {
    expect(() => setOwnRules({ bad: pattern })).toThrow(/^params\.pattern: expected/);
  });

  test("take linear time whatever they are", async () => {
    setOwnRules({ hostile: "(x+x+)+y" });
    expect(await steepGrowth((size) => redactSecrets("x".repeat(size)), 32_768)).toBeUndefined();
  });
});
