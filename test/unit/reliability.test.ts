import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";

const page = resolve(import.meta.dirname, "../../docs/reliability.md");
const text = readFileSync(page, "utf8");
const DEFINITION = /^\[([a-z0-9-]+)\]: (\S+) "(.+)"$/gm;
const definitions = [...text.matchAll(DEFINITION)].map(([, name = "", file = "", title = ""]) => ({
  name,
  file,
  title,
}));
const prose = text.replace(DEFINITION, "");
const referenceIn = /\[\[([a-z0-9-]+)\]\]/g;

test("each test that docs/reliability.md names exists under its title, and each named title is cited", () => {
  expect(definitions.length).toBeGreaterThan(60);
  for (const { file, title } of definitions) {
    const source = resolve(page, "..", file);
    expect([file, existsSync(source)]).toEqual([file, true]);
    expect([file, title, titlesIn(readFileSync(source, "utf8")).some((known) => known.includes(title))]).toEqual([
      file,
      title,
      true,
    ]);
  }
  const cited = new Set([...prose.matchAll(referenceIn)].map(([, name]) => name));
  expect([...cited].toSorted()).toEqual(definitions.map(({ name }) => name).toSorted());
});

test("each row, paragraph and list item of docs/reliability.md that makes a claim names a test", () => {
  const claims = prose
    .split(/\n(?:\n+|(?=[-|] ?))/)
    .map((block) => block.trim())
    .filter((block) => block !== "" && !/^(#|\|---|\| f|A name in brackets)/.test(block));
  expect(claims.length).toBeGreaterThan(40);
  expect(claims.filter((claim) => !claim.includes("[["))).toEqual([]);
});

/** The titles of tests and groups of tests, as the source writes them; they may follow the table of `each`. */
function titlesIn(source: string): string[] {
  const title = /(?:\b(?:test|describe)\b[^\n]*?\(|\](?: as const)?\)\()\s*(["`])((?:(?!\1)[^\n\\]|\\.)*)\1/g;
  return [...source.matchAll(title)].map(([, , text = ""]) => text);
}
