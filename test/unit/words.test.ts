import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseAst } from "rolldown/parseAst";
import { describe, expect, test } from "vitest";

const renderer = resolve(import.meta.dirname, "../../renderer");

/** Files with texts of their own: words, texts of tests and documents, and names that no language changes. */
const OWN_TEXTS =
  /(^|\/)((setting-|declared-)?words(\.\w+)?\.ts$|words\/)|^session\/dev\/|^ui\/((terminal-(fonts|themes)|settings-doc)|import-theme)\.ts$|^web\/offline-worker\.ts$/;

/** Attributes and properties that a user reads or hears. */
const READ =
  /^(aria-(label|valuetext|description|roledescription|placeholder)|title|placeholder|alt|label|text|help|hint|body|detail|message|buttons)$/;

/** A letter, unless the text is the name of the product alone. */
const LETTER = /^(?!\s*Patchbay\s*$)[^\p{L}]*\p{L}/u;
/** Two words at least; a single one may be the name of a kind. */
const WORDS = /[\p{L}$] \p{L}|\p{L} \$/u;
/** Several words, the first of which begins with a capital. */
const SENTENCE = /^\p{Lu}[\p{L}’']* [\p{L}$“(]/u;

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [key: string]: unknown;
}

const desktop = resolve(import.meta.dirname, "../../main/desktop");
const native = readdirSync(desktop, { recursive: true, encoding: "utf8" })
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => file.endsWith(".ts") && !/^words(\.\w+)?\.ts$/.test(file));

const files = readdirSync(renderer, { recursive: true, encoding: "utf8" })
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => /\.tsx?$/.test(file) && !OWN_TEXTS.test(file));

test("components and their helpers take every text from the words of their area", () => {
  expect(files.length).toBeGreaterThan(100);
  expect(files.flatMap((file) => textsIn(file, readFileSync(resolve(renderer, file), "utf8")))).toEqual([]);
});

test("so do menus, notifications and dialogs; log lines and errors stay where they are", () => {
  const found = native.flatMap((file) => textsIn(file, readFileSync(resolve(desktop, file), "utf8"), false));
  expect(native.length).toBeGreaterThan(30);
  expect(found).toEqual([]);
});

describe("the check sees a text", () => {
  test.each([
    ["between tags", "<p>Nothing runs</p>"],
    ["between tags, beside a value", "<p>{count} shells</p>"],
    ["in braces", '<p>{count === 1 ? "one shell" : words.shells(count)}</p>'],
    ["in an attribute", '<input placeholder="Search" />'],
    ["in an attribute, in braces", '<input aria-label={open ? "Close" : words.open} />'],
    ["in an attribute, as a template", "<i title={`Menu of`} />"],
    ["in a property", '({ label: "Close", run })'],
    ["in a property, as an argument", "({ label: escaped(`waits for you`), run })"],
    ["as a sentence", 'toast("info", "The link is on the clipboard.")'],
    ["as a sentence with a value", `toast(\`Uploading \${name}\`)`],
  ])("%s", (_, source) => {
    expect(textsIn("a.tsx", `const view = ${source};`)).not.toEqual([]);
  });

  test.each([
    "<p>Patchbay</p>",
    "<code>service login</code>",
    '<p className="quiet small" key="a b">{words.empty} · 5 %</p>',
    "<p aria-label={words.shells(count)}>{name}</p>",
    '<Icon name="close" title={describe(shell, "shell")} />',
    'if (event.key === "Enter") throw new Error("The page has no root element.");',
  ])("and none in %s", (source) => {
    expect(textsIn("a.tsx", source)).toEqual([]);
  });
});

/**
 * Returns the texts for users that stand in a source, each with its place.
 * @param sentences whether every sentence is one of them, wherever it stands
 */
function textsIn(file: string, source: string, sentences = true): string[] {
  const found = new Map<number, string>();
  const report = (node: Node, text: string) =>
    found.set(node.start, `${file}:${source.slice(0, node.start).split("\n").length}: ${text.trim()}`);
  const visit = (node: Node): void => {
    if (isCode(node)) return;
    if (node.type === "ImportDeclaration" || /^TS(?!As|Satisfies|NonNull)/.test(node.type)) return;
    if (node.type === "JSXText" && LETTER.test(String(node.value))) report(node, String(node.value));
    for (const shown of shownBy(node)) if (LETTER.test(textOf(shown))) report(shown, textOf(shown));
    if (sentences && SENTENCE.test(textOf(node))) report(node, textOf(node));
    if (!isFault(node)) for (const child of childrenOf(node)) visit(child);
  };
  visit(asNode(parseAst(source, { lang: file.endsWith(".tsx") ? "tsx" : "ts" })) ?? { type: "Program", start: 0 });
  return [...found.values()];
}

/** What is typed is the same in every language. */
function isCode({ openingElement }: Node): boolean {
  const name = asNode(asNode(openingElement)?.name)?.name;
  return name === "code" || name === "kbd";
}

/** An error of the program itself: no user is meant to see it. */
function isFault({ type, argument }: Node): boolean {
  const thrown = asNode(argument);
  return type === "ThrowStatement" && thrown?.type === "NewExpression" && asNode(thrown.callee)?.name === "Error";
}

/** The literals that an attribute, a property or the content of an element may show. */
function shownBy(node: Node): readonly Node[] {
  const name = asNode(node.name) ?? asNode(node.key);
  const isRead = READ.test(String(name?.name ?? name?.value ?? ""));
  if ((node.type === "JSXAttribute" || node.type === "Property") && isRead) return resultsOf(asNode(node.value));
  if (node.type === "JSXElement" || node.type === "JSXFragment")
    return asNodes(node.children).flatMap((child) => (child.type === "JSXExpressionContainer" ? resultsOf(child) : []));
  return [];
}

/** The literals that an expression may result in. */
function resultsOf(node: Node | undefined): readonly Node[] {
  switch (node?.type) {
    case "Literal":
    case "TemplateLiteral":
      return [node];
    case "CallExpression":
      return asNodes(node.arguments)
        .flatMap(resultsOf)
        .filter((one) => WORDS.test(textOf(one)));
    case "ArrayExpression":
      return asNodes(node.elements).flatMap(resultsOf);
    case "JSXExpressionContainer":
    case "ParenthesizedExpression":
      return resultsOf(asNode(node.expression));
    case "ConditionalExpression":
      return [...resultsOf(asNode(node.consequent)), ...resultsOf(asNode(node.alternate))];
    case "LogicalExpression":
    case "BinaryExpression":
      return /^(\+|\|\||\?\?|&&)$/.test(String(node.operator))
        ? [...resultsOf(asNode(node.left)), ...resultsOf(asNode(node.right))]
        : [];
    default:
      return [];
  }
}

/** The text of a literal; `$` stands for what is put in. */
function textOf(node: Node): string {
  if (node.type === "Literal" && typeof node.value === "string") return node.value;
  if (node.type !== "TemplateLiteral") return "";
  return asNodes(node.quasis)
    .map(({ value }) => (isObject(value) ? String(value.cooked) : ""))
    .join("$");
}

function childrenOf(node: Node): readonly Node[] {
  return Object.values(node).flatMap((value) => (Array.isArray(value) ? asNodes(value) : [asNode(value) ?? []].flat()));
}

function asNodes(value: unknown): readonly Node[] {
  return Array.isArray(value) ? value.flatMap((one: unknown) => asNode(one) ?? []) : [];
}

function asNode(value: unknown): Node | undefined {
  return isNode(value) ? value : undefined;
}

function isNode(value: unknown): value is Node {
  return isObject(value) && typeof value.type === "string";
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
