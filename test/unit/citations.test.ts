import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix, resolve } from "node:path";
import { describe, expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const folders = [
  ...["core", "main", "client", "preload", "renderer", "cli", "bin", "tools", "resources"],
  ...["examples", "test", "docs", ".github"],
];
const TEXT = /(^|\/)[^/.]+$|\.(tsx?|mjs|css|html|md|json|svg|ya?ml|xml|plist|sh)$/;
const COMMENT = /\/\*[\s\S]*?\*\/|<!--[\s\S]*?-->|(?:^|\s)(?:\/\/|#).*$/gm;

/** A document with a section (`docs/specification.md §4.1`) or an anchor; a decision record also by its number alone. */
const DOCUMENT =
  /(?<![\w./-])((?:[\w.-]+\/)*[\w-]+\.md|docs\/decisions\/\d{4})(?![\w/-]|\.\w)(?: §(\d[\d.]*\d|\d)|#([\w-]+))?/g;
const LINK = /\]\(([^)\s]+)\)/g;
const SECTION = /^.*§.*$/gm;
const KNOWN_SECTION = /(?:\bRFC \d+|\.md) §/g;

const files = [
  ...readdirSync(root).filter((name) => name.endsWith(".md")),
  ...folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) =>
        posix.join(
          ...join(entry.parentPath, entry.name)
            .slice(root.length + 1)
            .split(/[\\/]/),
        ),
      ),
  ),
].filter((file) => TEXT.test(file) && !file.startsWith("test/fixtures/") && file !== "test/unit/citations.test.ts");

test("every document, section and anchor that sources, tests and documents cite exists in the repository", () => {
  expect(files.length).toBeGreaterThan(1000);
  expect(files.flatMap((file) => brokenCitations(file, readFileSync(join(root, file), "utf8")))).toEqual([]);
});

describe("the check reports", () => {
  test.each([
    ["a document that is gone", "core/a.ts", "/** See docs/gone.md. */"],
    ["a section that is gone", "core/a.ts", "/** See docs/specification.md §77. */"],
    ["a subsection that is gone", "core/a.ts", "// docs/specification.md §4.77"],
    ["an anchor that is gone", "core/a.ts", "// docs/api.md#gone"],
    ["a decision record that is gone", "core/a.ts", "/** Required by docs/decisions/9999. */"],
    ["a document outside of the repository", "core/a.ts", "/** See interface.md. */"],
    ["a path that leaves the repository", "docs/a.md", "[it](../../outside.md)"],
    ["a section of an unnamed document", "core/a.ts", "/** As §4 says. */"],
    ["a document named in a message", "core/a.ts", 'const text = "See docs/gone.md.";'],
    ["a link to a file that is gone", "docs/a.md", "[it](gone.png)"],
    ["a link to an anchor that is gone", "docs/a.md", "[it](api.md#gone)"],
    ["a link to an anchor of the page itself that is gone", "docs/api.md", "[it](#gone)"],
  ])("%s", (_, file, text) => {
    expect(brokenCitations(file, text)).toHaveLength(1);
  });

  test.each([
    ["core/a.ts", "/** See docs/specification.md §4.1 and RFC 8628 §3.5. */"],
    ["core/a.ts", "/** See docs/decisions/0001, docs/api.md#waiting and SECURITY.md. */"],
    ["core/a.ts", 'const name = "notes.md"; // A name in a string is no citation.'],
    ["docs/a.md", "[it](api.md#waiting), [all](../README.md), [web](https://example.org/page.md)"],
  ])("nothing in %s: %s", (file, text) => {
    expect(brokenCitations(file, text)).toEqual([]);
  });
});

test("every decision record is numbered, dated, complete and listed with its title", () => {
  const folder = join(root, "docs/decisions");
  const index = readFileSync(join(folder, "README.md"), "utf8");
  const records = readdirSync(folder).filter((name) => name !== "README.md");
  expect(records.length).toBeGreaterThan(15);
  // Records that are under review at the same time have their numbers already, so one may be missing for a while.
  expect(new Set(records.map((name) => name.slice(0, 4))).size).toBe(records.length);
  for (const name of records) {
    const number = name.slice(0, 4);
    const text = readFileSync(join(folder, name), "utf8");
    const title = /^# (\d{4})\. (.+)$/m.exec(text);
    expect({ name, number: title?.[1] }).toEqual({ name: expect.stringMatching(`^${number}-`), number });
    expect(text).toMatch(/^Date: \d{4}-\d{2}-\d{2}\. Status: /m);
    expect(headings(text).slice(1)).toEqual(["Context", "Decision", "Alternatives"]);
    expect(index).toContain(`| [${number}](${name}) | ${title?.[2]} |`);
  }
});

/** Returns a line for each citation in the text of a file whose target does not exist. */
function brokenCitations(file: string, text: string): string[] {
  const wrong = (what: string) => `${file}: ${what}`;
  const isDocument = file.endsWith(".md");
  const prose = isDocument ? text.replace(LINK, "]()").replace(/```[\s\S]*?```|https?:\S+/g, "") : comments(text);
  const named = isDocument ? prose : `${prose}\n${text.match(/(?<![\w./-])docs\/[\w/-]+\.md\b[^"`\n]*/g)?.join("\n")}`;
  return [
    ...[...new Set([...named.matchAll(DOCUMENT)].map(([all]) => all))].filter((one) => !isKnown(file, one)).map(wrong),
    ...(isDocument ? [...text.matchAll(LINK)].filter(([, to = ""]) => !leadsSomewhere(file, to)) : []).map(([all]) =>
      wrong(all),
    ),
    ...[...prose.matchAll(SECTION)]
      .filter(([line]) => line.replace(KNOWN_SECTION, "").includes("§"))
      .map(([line]) => wrong(line.trim())),
  ];
}

/** Whether a document that the file names exists, from the root, beside the file, in `docs` or `docs/reference`, with the cited section. */
function isKnown(file: string, citation: string): boolean {
  const [, name = "", section, anchor] = citation.matchAll(DOCUMENT).next().value ?? [];
  const candidates = [
    name,
    posix.join(posix.dirname(file), name),
    posix.join("docs", name),
    posix.join("docs/reference", name),
  ].map(pathOf);
  const found = candidates.find((path) => !path.startsWith("..") && existsSync(join(root, path)));
  if (found === undefined) return false;
  const titles = headings(readFileSync(join(root, found), "utf8"));
  if (section !== undefined)
    return titles.some((title) => title.startsWith(`${section}. `) || title.startsWith(`${section} `));
  return anchor === undefined || titles.map(slug).includes(anchor);
}

/** Whether a link of a document leads to a file of the repository, and to a heading where it has an anchor. */
function leadsSomewhere(file: string, link: string): boolean {
  if (/^(https?|mailto):/.test(link)) return true;
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? file : posix.join(posix.dirname(file), path);
  if (target.startsWith("..") || !existsSync(join(root, target))) return false;
  return (
    anchor === undefined ||
    headings(readFileSync(join(root, target), "utf8"))
      .map(slug)
      .includes(anchor)
  );
}

/** `docs/decisions/0001` stands for the record of that number. */
function pathOf(name: string): string {
  if (!/\/\d{4}$/.test(name)) return name;
  const folder = join(root, dirname(name));
  const record = existsSync(folder)
    ? readdirSync(folder).find((one) => one.startsWith(`${posix.basename(name)}-`))
    : undefined;
  return record === undefined ? name : posix.join(dirname(name), record);
}

function headings(text: string): string[] {
  return [...text.replace(/```[\s\S]*?```/g, "").matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) => title);
}

/** The anchor that GitHub gives a heading. */
function slug(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}

function comments(text: string): string {
  return (text.match(COMMENT) ?? []).join("\n").replace(/https?:\S+/g, "");
}
