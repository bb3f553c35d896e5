import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { isValidElement, type ReactNode } from "react";
import { parseAst } from "rolldown/parseAst";
import { describe, expect, test } from "vitest";
import { methodNames, specs } from "../../core/commands/specs.ts";
import { languages } from "../../core/phrases.ts";
import { listProcedures, onlyReads } from "../../core/procedures/index.ts";
import { settingWords } from "../../core/protocol/setting-words.ts";
import * as desktopGerman from "../../main/desktop/words.de.ts";
import * as desktopJapanese from "../../main/desktop/words.ja.ts";
import * as desktop from "../../main/desktop/words.ts";

const root = resolve(import.meta.dirname, "../..");
const others = languages.filter((language) => language !== "en");

/** Modules of words by their path without `.ts`, and the objects in them that are translated. */
const areas: Readonly<Record<string, readonly string[]>> = {
  "renderer/ui/words": ["words", "roleWords"],
  "renderer/web/words": ["words"],
  "renderer/window/words": ["words"],
  "renderer/login/words": ["words"],
  "renderer/toast/words": ["words"],
  "renderer/settings/words": ["words"],
  "renderer/session/words/index": ["words"],
  "renderer/search/words": ["search"],
  "renderer/tray/words/index": ["words"],
};

/** Words that are the same in another language: names, units, what is typed, and those that German shares with English. */
const SAME = new Set(
  (
    "Aa API Details App Agent Agents Block Browser Budgets Cache Chat Client Code Cursor Enter English Deutsch 日本語 Name Patchbay Person " +
    "Plugin Plugins Port Prompt Prompts Relay Session Shell Shells System Tabs Terminal Text CSV curl admin Info in " +
    "JetBrains Mono ms s min h kB npm test orders nats broker example org NaN In https com hook URL Format Webhooks ntfy Slack Discord"
  ).split(" "),
);

type Tree = Readonly<Record<string, unknown>>;
type Spoken = (...args: unknown[]) => unknown;

describe.each(others)("%s", (language) => {
  test.each(Object.entries(areas))(
    "%s: the same entries, parameters and elements as in English",
    async (file, names) => {
      const english: Tree = await import(join(root, `${file}.ts`));
      const translated: Tree = await import(join(root, `${file}.${language}.ts`));
      for (const name of names) {
        expect(differing(`${file}.${language}.ts`, english[name], translated[name])).toEqual([]);
        expect(same(english[name], translated[name], name)).toEqual([]);
      }
    },
  );

  test("menus, notifications and dialogs of the desktop", () => {
    const translated = { de: desktopGerman, ja: desktopJapanese }[language].words;
    expect(differing(`main/desktop/words.${language}.ts`, desktop.words, translated)).toEqual([]);
    expect(same(desktop.words, translated)).toEqual([]);
  });

  test("settings", async () => {
    const file = `renderer/settings/setting-words.${language}.ts`;
    const translated: Tree = await import(join(root, file));
    expect(differing(file, settingWords, translated.settingWords)).toEqual([]);
    expect(same(settingWords, translated.settingWords)).toEqual([]);
  });

  test("summaries of commands and of operations that change something, and the forms of the palette", async () => {
    const file = `renderer/ui/declared-words.${language}.ts`;
    const { declared }: { declared: Tree } = await import(join(root, file));
    // The interface shows an operation by its audit entry only, and one that reads has none.
    const shown = listProcedures().filter((procedure) => procedure.kind === "command" || !onlyReads(procedure));
    const summaries = shown.map(({ name, spec }) => [name, spec.summary] as const);
    const forms = methodNames.flatMap((name) => {
      const { palette } = specs[name];
      return palette === undefined ? [] : [[name, palette.map(formTexts)] as const];
    });
    const english = { summaries: Object.fromEntries(summaries), forms: Object.fromEntries(forms) };
    expect(differing(file, english, declared)).toEqual([]);
    expect(same(english, declared)).toEqual([]);
  });
});

test("every module of words is among those that are compared", () => {
  const found = readdirSync(join(root, "renderer"), { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => /(^|\/)([\w-]*words(\/\w+)?)\.ts$/.test(file));
  const spoken = found.filter((file) => readFileSync(join(root, "renderer", file), "utf8").includes("\nspoken("));
  expect(spoken.map((file) => `renderer/${file.replace(/\.ts$/, "")}`).toSorted()).toEqual(
    [...Object.keys(areas), "renderer/ui/declared-words"].toSorted(),
  );
});

describe("the comparison sees", () => {
  const english = { a: "One", b: (name: string) => `Open ${name}`, c: { d: "Two" } };

  test("a missing entry, one too many, another kind, and fewer parameters", () => {
    const found = (translated: object) => differing("words.de.ts", english, translated);
    expect(found({ a: "Eins", b: (name: string) => name, c: {} })).toEqual([
      "words.de.ts: c.d: expected text, found no entry",
    ]);
    expect(found({ a: "Eins", b: "Öffnen", c: { d: "Zwei" } })).toEqual([
      "words.de.ts: b: expected function of 1, found text",
    ]);
    expect(found({ a: "Eins", b: () => "Öffnen", c: { d: "Zwei", e: "Drei" } })).toEqual([
      "words.de.ts: b: expected function of 1, found function of 0",
      "words.de.ts: c.e: expected no entry, found text",
    ]);
  });

  test("what was not translated", () => {
    expect(same(english, { a: "Eins", b: (name: string) => `Open ${name}`, c: { d: "Two" } })).toEqual(["b", "c.d"]);
  });
});

/** A component reads a word where it shows it: what a module reads while it loads stays English. */
test("no module reads a word while it loads", async () => {
  const read = await Promise.all(
    ["renderer", "main/desktop"].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
        .map((file) => `${folder}/${file.replaceAll("\\", "/")}`)
        .filter((file) => /\.tsx?$/.test(file) && !/words(\.\w+)?\.ts$|\/words\//.test(file))
        .map(readWhileLoading),
    ),
  );
  expect(read.flat()).toEqual([]);
});

/** What a form of the palette says. */
function formTexts({ title, submit, fields }: NonNullable<(typeof specs)[keyof typeof specs]["palette"]>[number]) {
  const said = Object.entries(fields).map(([name, field]) => {
    const { label, help, choices } = field ?? { label: "" };
    return [name, { label, ...(help !== undefined && { help }), ...(choices !== undefined && { choices }) }];
  });
  return { title, submit, fields: Object.fromEntries(said) };
}

/** Returns the entries that a translation lacks, has besides English, or has in another form, each with its file. */
function differing(file: string, english: unknown, translated: unknown): readonly string[] {
  const [one, other] = [shapeOf(english), shapeOf(translated)];
  return [...new Set([...Object.keys(one), ...Object.keys(other)])]
    .filter((path) => one[path] !== other[path])
    .map((path) => `${file}: ${path}: expected ${one[path] ?? "no entry"}, found ${other[path] ?? "no entry"}`);
}

/** The entries of words by their path: a text, or a function with its number of parameters and the elements that it takes. */
function shapeOf(words: unknown): Tree {
  return Object.fromEntries(
    entriesOf(words).map(([path, value]) => [
      path,
      typeof value === "function" ? shapeOfFunction(value as Spoken) : "text",
    ]),
  );
}

function shapeOfFunction(word: Spoken): string {
  const slots = slotsOf(word);
  return slots.length > 0 ? `sentence with ${slots.join(", ")}` : `function of ${word.length}`;
}

/** The elements that a sentence puts in; none for a function of values. */
function slotsOf(word: Spoken): readonly string[] {
  const taken = new Set<string>();
  const recorder = new Proxy(
    {},
    {
      get: (_, name) => {
        if (typeof name === "string" && /^[a-z]+$/i.test(name)) taken.add(name);
        return "";
      },
    },
  );
  try {
    return isValidElement(word(recorder)) ? [...taken].toSorted() : [];
  } catch {
    return [];
  }
}

/** The paths of the entries that say in another language what they say in English. */
function same(english: unknown, translated: unknown, at = ""): readonly string[] {
  const theirs = new Map(entriesOf(translated, at));
  return entriesOf(english, at)
    .filter(([path, value]) => {
      const [one, other] = [said(value), said(theirs.get(path))];
      return one === other && (one.match(/\p{L}+/gu) ?? []).some((word) => !SAME.has(word));
    })
    .map(([path]) => path);
}

/** What an entry says, with marks in the place of values. */
function said(word: unknown): string {
  if (typeof word !== "function") return String(word);
  try {
    const marks = Array.from({ length: word.length }, (_, index) => `⟨${index}⟩`);
    return textOf((word as Spoken)(...marks) as ReactNode);
  } catch {
    return "";
  }
}

function textOf(node: ReactNode): string {
  if (Array.isArray(node)) return node.map(textOf).join("");
  return isValidElement<{ children?: ReactNode }>(node) ? textOf(node.props.children) : String(node ?? "");
}

function entriesOf(words: unknown, at = ""): readonly (readonly [string, unknown])[] {
  if (typeof words !== "object" || words === null) return [[at, words]];
  return Object.entries(words).flatMap(([key, value]) => entriesOf(value, at === "" ? key : `${at}.${key}`));
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [key: string]: unknown;
}

/** The places in a module at which a word is read outside of every function; a group of words may have a name of its own. */
async function readWhileLoading(file: string): Promise<readonly string[]> {
  const source = readFileSync(join(root, file), "utf8");
  const program = parseAst(source, { lang: file.endsWith(".tsx") ? "tsx" : "ts" }) as unknown as Node;
  const body = program.body as readonly Node[];
  const known = new Map<string, unknown>();
  for (const node of body) {
    const { source: from, specifiers } = node as { source?: { value: string }; specifiers?: readonly Node[] };
    if (node.type !== "ImportDeclaration" || !/(^|\/)[\w-]*words(\/\w+)?\.ts$/.test(from?.value ?? "")) continue;
    const module: Tree = await import(resolve(join(root, file), "..", from?.value ?? ""));
    for (const { local, imported } of (specifiers ?? []) as unknown as readonly Record<string, { name: string }>[])
      known.set(local?.name ?? "", module[imported?.name ?? ""]);
  }
  if (known.size === 0) return [];
  const found: string[] = [];
  const visit = (node: Node): void => {
    if (/Function|^ImportDeclaration$|^TS(?!As|Satisfies|NonNull)|^(Method|Property)Definition$/.test(node.type))
      return;
    const path = node.type === "MemberExpression" || node.type === "Identifier" ? pathOf(node) : undefined;
    if (path !== undefined && known.has(path[0] ?? "")) {
      const read = path
        .slice(1)
        .reduce<unknown>((at, key) => (at as Tree | undefined)?.[key], known.get(path[0] ?? ""));
      if (typeof read !== "object") found.push(`${file}: ${path.join(".")}`);
      return;
    }
    for (const child of childrenOf(node)) visit(child);
  };
  for (const node of body) {
    const [declared] = (node.declarations ?? []) as readonly { id: { name?: string }; init?: Node | null }[];
    const path = declared?.init == null ? undefined : pathOf(declared.init);
    if (path !== undefined && known.has(path[0] ?? "") && declared?.id.name !== undefined)
      known.set(
        declared.id.name,
        path.slice(1).reduce<unknown>((at, key) => (at as Tree | undefined)?.[key], known.get(path[0] ?? "")),
      );
    visit(node);
  }
  return found;
}

/** The names of a chain of properties: `words.bar.open`; undefined for another expression. */
function pathOf(node: Node): readonly string[] | undefined {
  if (node.type === "Identifier") return [String(node.name)];
  if (node.type !== "MemberExpression" || node.computed === true) return undefined;
  const before = pathOf(node.object as Node);
  return before && [...before, String((node.property as Node).name)];
}

function childrenOf(node: Node): readonly Node[] {
  return Object.entries(node)
    .filter(([key]) => key !== "key" || node.computed === true)
    .flatMap(([, value]) => (Array.isArray(value) ? value : [value]))
    .filter((value): value is Node => typeof value === "object" && value !== null && "type" in value);
}
