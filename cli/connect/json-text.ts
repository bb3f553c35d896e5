import { createScanner, type Node, parseTree } from "jsonc-parser";

/**
 * The text of a JSON document that is changed without a change of anything else in it: line ends, indentation, comments,
 * escapes and numbers stay as they are written. `removeChild` restores the bytes from before `append`: by the whitespace in
 * front of the first child it tells a container that `append` wrote from one that was there and empty.
 */
interface JsonText {
  readonly text: string;
  /** The text with spaces in place of comments: the same offsets, and plain JSON. */
  readonly plain: string;
  /** The outermost value; undefined for a text without one. */
  readonly root: Node | undefined;
}

/** Whether a text has nothing but JSON's white space: what other space there is, `trim` would hide. */
export function isBlank(text: string): boolean {
  return /^[ \t\r\n]*$/.test(text);
}

/** Reads a text that is valid JSON apart from its comments. @throws RangeError for one that is nested too deeply */
export function jsonText(text: string): JsonText {
  const plain = withoutComments(text);
  return { text, plain, root: parseTree(plain) };
}

/** The scanner's kinds of tokens, which exist in its types only. */
const [LINE_COMMENT, BLOCK_COMMENT, END] = [12, 13, 17];

/** The parser's own `stripComments` moves what follows a comment by a character. */
function withoutComments(text: string): string {
  const scanner = createScanner(text);
  const blanks: Edit[] = [];
  for (let kind: number = scanner.scan(); kind !== END; kind = scanner.scan()) {
    if (kind !== LINE_COMMENT && kind !== BLOCK_COMMENT) continue;
    const [start, length] = [scanner.getTokenOffset(), scanner.getTokenLength()];
    blanks.push([start, start + length, " ".repeat(length)]);
  }
  return splice(text, ...blanks);
}

/** Returns the value of an object's property; undefined where there is none. Of one that is written twice the last counts. */
export function propertyOf(object: Node | undefined, name: string): Node | undefined {
  return propertiesOf(object, name).at(-1)?.children?.[1];
}

/** Returns the nodes of an object's properties with this name: two where it is written twice. */
function propertiesOf(object: Node | undefined, name: string): readonly Node[] {
  return childrenOf(object).filter((property) => property.children?.[0]?.value === name);
}

/** Returns the items of an array, or the properties of an object. */
export function childrenOf(container: Node | undefined): readonly Node[] {
  return container?.type === "array" || container?.type === "object" ? (container.children ?? []) : [];
}

/** A value to be written: an item of an array, or a property of an object. */
interface NewChild {
  readonly name?: string;
  readonly value: unknown;
}

/**
 * Returns the text with a further child at the end of a container; without one, with a new object around the child at the
 * text's end. `text` undefined stands for a file that is not there.
 */
export function append(document: JsonText | undefined, container: Node | undefined, child: NewChild): string {
  const style = styleOf(document?.text ?? "");
  if (document === undefined) return `{ ${render(child, 1, style)} }${style.eol}`;
  const { text } = document;
  if (container === undefined) return `${text}{ ${render(child, 1, style)} }`;
  const depth = depthOf(container) + 1;
  const json = render(child, depth, style);
  const line = `${style.eol}${style.indent.repeat(depth)}`;
  const end = container.offset + container.length - 1;
  const last = childrenOf(container).at(-1);
  const after = last === undefined ? container.offset + 1 : endOf(last);
  // Behind comments, because one to the line's end would take the child in.
  const at = endOfText(text, after, end);
  if (last !== undefined) return splice(text, [after, after, ","], [at, at, `${line}${json}`]);
  if (container.parent === undefined) return splice(text, [at, at, `${line}${json}${style.eol}`]);
  return splice(text, [at, at, at === after ? json : `${line}${json}`]);
}

/** Returns a value as it is written in the place of a node. */
export function written({ text }: JsonText, node: Node, value: unknown): string {
  return render({ value }, depthOf(node), styleOf(text));
}

/** Returns the text with other JSON in the place of a node. */
export function replace({ text }: JsonText, node: Node, json: string): string {
  return splice(text, [node.offset, endOf(node), json]);
}

/**
 * Returns the text without an item or property, and without what `append` wrote for it: its comma and line, and the
 * containers that it was put into. Undefined where the file itself was written by `append`.
 * @param keep - a container that stays although it is empty then
 */
export function removeChild(document: JsonText, child: Node, keep?: Node): string | undefined {
  const { text, plain } = document;
  const container = child.parent;
  if (container === undefined) return text;
  const children = childrenOf(container);
  const index = children.indexOf(child);
  const [before, next] = [children[index - 1], children[index + 1]];
  const from = before === undefined ? container.offset + 1 : endOf(before);
  const start = endOfText(text, from, child.offset);
  if (before !== undefined) {
    const comma = from + plain.slice(from, child.offset).indexOf(",");
    return splice(text, [comma, comma + 1, ""], [Math.max(start, comma + 1), endOf(child), ""]);
  }
  if (next !== undefined) {
    const comma = endOf(child) + plain.slice(endOf(child), next.offset).indexOf(",");
    const space = text.slice(comma + 1, next.offset);
    const gap = space.length - space.trimStart().length;
    return splice(text, [child.offset, endOf(child), ""], [comma, comma + 1 + gap, ""]);
  }
  const lead = text.slice(start, child.offset);
  if (container.parent === undefined) return withoutOnly(document, container, child, start);
  const isWritten = start === from && lead.includes("\n");
  if (!isWritten || container === keep) return splice(text, [start, endOf(child), ""]);
  const owner = container.parent.type === "property" ? container.parent : container;
  return removeChild(document, owner, keep);
}

/** Removes the only child of the outermost object. */
function withoutOnly({ text }: JsonText, root: Node, child: Node, start: number): string | undefined {
  const [prefix, suffix] = [text.slice(0, root.offset), text.slice(endOf(root))];
  const [lead, trail] = [text.slice(root.offset + 1, child.offset), text.slice(endOf(child), endOf(root) - 1)];
  if (lead === " " && trail === " " && isBlank(prefix)) {
    if (suffix === "") return prefix;
    if (prefix === "" && suffix === "\n") return undefined;
  }
  const eol = /^\r?\n/.exec(text.slice(endOf(child)))?.[0] ?? "";
  return splice(text, [start, endOf(child) + eol.length, ""]);
}

/** Returns the end of the part of a text between two offsets without the white space at its end. */
function endOfText(text: string, from: number, to: number): number {
  let end = to;
  while (end > from && isBlank(text.charAt(end - 1))) end--;
  return end;
}

type Edit = readonly [start: number, end: number, text: string];

/** Replaces parts of a text; the edits are in order. */
function splice(text: string, ...edits: readonly Edit[]): string {
  let [result, at] = ["", 0];
  for (const [start, end, put] of edits) {
    result += text.slice(at, start) + put;
    at = end;
  }
  return result + text.slice(at);
}

interface Style {
  readonly eol: string;
  readonly indent: string;
}

function styleOf(text: string): Style {
  const eol = /\r?\n/.exec(text)?.[0] ?? "\n";
  return { eol, indent: /^[ \t]+(?=")/m.exec(text)?.[0] ?? "  " };
}

function render({ name, value }: NewChild, depth: number, { eol, indent }: Style): string {
  const lines = JSON.stringify(value, undefined, indent).split("\n");
  const json = lines.join(`${eol}${indent.repeat(depth)}`);
  return name === undefined ? json : `${JSON.stringify(name)}: ${json}`;
}

/** Counts the objects and arrays around a node. */
function depthOf(node: Node): number {
  let depth = 0;
  for (let at = node.parent; at !== undefined; at = at.parent) if (at.type !== "property") depth++;
  return depth;
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}
