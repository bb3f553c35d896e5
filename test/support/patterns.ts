import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseAst } from "rolldown/parseAst";

const checkout = resolve(import.meta.dirname, "../..");
/** The folders of the product. */
const FOLDERS = ["bin", "core", "main", "client", "cli", "preload", "renderer"];
/** Says above a pattern why it may take super-linear time, or what its callers do about that. */
const REASON = /^\s*(?:\/\/|\/?\*+) ?Bounded pattern: (\S.{19,})$/;

export interface FoundPattern {
  readonly file: string;
  readonly line: number;
  readonly flags: string;
  /** Undefined where it is not known before the program runs. */
  readonly source: string | undefined;
  /** Why it is exempt. */
  readonly reason: string | undefined;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** Returns every regular expression of the product's source files. */
export function productPatterns(): FoundPattern[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(checkout, folder), { recursive: true, encoding: "utf8" })
      .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
      .filter((file) => /\.(tsx?|m?js)$/.test(file) && !file.endsWith(".d.ts"))
      .flatMap((file) => patternsIn(file, readFileSync(join(checkout, file), "utf8"))),
  );
}

/** Returns the regular expressions of a source text: literals, and what is given to `RegExp`. */
export function patternsIn(file: string, text: string): FoundPattern[] {
  const program = parseAst(text, { lang: file.endsWith("x") ? "tsx" : "ts" }) as unknown as Node;
  const found: FoundPattern[] = [];
  const constants = new Map<string, Node>();
  const lines = text.split("\n");
  const add = ({ start }: Node, source: string | undefined, flags: string) => {
    const line = text.slice(0, start).split("\n").length;
    found.push({ file, line, source, flags, reason: reasonAbove(lines, line) });
  };
  visit(program, (node) => {
    if (node.type === "VariableDeclarator" && isNode(node.init) && isNode(node.id))
      constants.set(nameOf(node.id), node.init);
  });
  visit(program, (node) => {
    if (isLiteral(node)) add(node, node.regex.pattern, node.regex.flags);
    const { callee, arguments: given } = node;
    if ((node.type !== "NewExpression" && node.type !== "CallExpression") || !isNode(callee)) return;
    if (nameOf(callee) !== "RegExp" || !Array.isArray(given)) return;
    const [source, flags] = given.map((one) => (isNode(one) ? textOf(one, constants) : undefined));
    add(node, source, flags ?? "");
  });
  return found;
}

/** The reason in the comment lines directly above a line. */
function reasonAbove(lines: readonly string[], line: number): string | undefined {
  for (let at = line - 2; /^\s*(?:\/\/|\/?\*)/.test(lines[at] ?? ""); at--) {
    const reason = REASON.exec(lines[at] ?? "")?.[1];
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** The value of an expression of constant texts; undefined for any other. */
function textOf(node: Node, constants: ReadonlyMap<string, Node>): string | undefined {
  if (node.type === "Literal" && typeof node.value === "string") return node.value;
  if (node.type === "Identifier") {
    const value = constants.get(nameOf(node));
    return value === undefined ? undefined : textOf(value, constants);
  }
  if (node.type === "TaggedTemplateExpression" && isNode(node.quasi)) return templateOf(node.quasi, "raw", constants);
  if (node.type === "TemplateLiteral") return templateOf(node, "cooked", constants);
  return node.type === "CallExpression" ? joinedOf(node, constants) : undefined;
}

function templateOf(
  { quasis, expressions }: Node,
  form: "raw" | "cooked",
  constants: ReadonlyMap<string, Node>,
): string | undefined {
  if (!Array.isArray(quasis) || !Array.isArray(expressions)) return undefined;
  const parts = quasis.flatMap((quasi: { value: { raw: string; cooked: string } }, index) => {
    const value: unknown = expressions[index];
    return [quasi.value[form], isNode(value) ? textOf(value, constants) : ""];
  });
  return parts.includes(undefined) ? undefined : parts.join("");
}

/** `[…].join("|")` */
function joinedOf({ callee, arguments: given }: Node, constants: ReadonlyMap<string, Node>): string | undefined {
  if (!isNode(callee) || !isNode(callee.object) || !isNode(callee.property) || !Array.isArray(given)) return undefined;
  const { elements } = callee.object;
  if (nameOf(callee.property) !== "join" || !Array.isArray(elements)) return undefined;
  const texts = [...elements, ...given].map((one) => (isNode(one) ? textOf(one, constants) : undefined));
  return texts.includes(undefined) ? undefined : texts.slice(0, -1).join(texts.at(-1));
}

function visit(value: unknown, see: (node: Node) => void): void {
  if (Array.isArray(value)) for (const one of value) visit(one, see);
  else if (isNode(value)) {
    see(value);
    for (const part of Object.values(value)) visit(part, see);
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}

function isLiteral(
  node: Node,
): node is Node & { readonly regex: { readonly pattern: string; readonly flags: string } } {
  return node.type === "Literal" && typeof node.regex === "object" && node.regex !== null;
}

function nameOf(node: Node): string {
  return typeof node.name === "string" ? node.name : "";
}
