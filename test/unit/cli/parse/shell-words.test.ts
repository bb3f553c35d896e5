import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { shellWords } from "../../../../cli/parse/shell-words.ts";

test.each<[line: string, words: string[]]>([
  ["htop -d 5", ["htop", "-d", "5"]],
  ["  a\t b  ", ["a", "b"]],
  [`sh -c 'echo "x y"'`, ["sh", "-c", 'echo "x y"']],
  [`a "b 'c' \\"d\\" \\n" e\\ f`, ["a", `b 'c' "d" \\n`, "e f"]],
  [`'' ""`, ["", ""]],
  [`a'b'"c"d`, ["abcd"]],
  ["a | b > c && d", ["a", "|", "b", ">", "c", "&&", "d"]],
  ["echo $HOME *", ["echo", "$HOME", "*"]],
  ["a\\\nb", ["ab"]],
  ["end\\", ["end\\"]],
])("%j", (line, words) => expect(shellWords(line, "--exec")).toEqual(words));

test.each(["'open", '"open', "", "   "])("refuses %j", (line) => {
  expect(() => shellWords(line, "--exec")).toThrow(expect.objectContaining({ exitCode: 2 }));
});

test("splits as sh does what sh does not expand", () => {
  const piece = fc.constantFrom("a", "b ", " ", "'", '"', "\\", "\\\\", "x\ty", "''", '"q r"', "é");
  const lines = fc.sample(fc.array(piece, { maxLength: 12 }), { numRuns: 150, seed: 7 }).map((parts) => parts.join(""));
  for (const line of lines) {
    let words: string[];
    try {
      words = shellWords(line, "x");
    } catch {
      continue;
    }
    // At the very end of a line shells differ in what a backslash is.
    if (/(^|[^\\])(\\\\)*\\$/.test(line)) continue;
    const shell = spawnSync("sh", ["-c", `printf '%s\\0' ${line}`], { encoding: "utf8" });
    expect([line, words]).toEqual([line, shell.stdout.split("\0").slice(0, -1)]);
  }
});
