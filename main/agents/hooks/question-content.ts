import { createHash } from "node:crypto";
import { type QuestionDetail, type QuestionRisk, questionLimits } from "../../../core/protocol/questions.ts";
import { firstUnits } from "../../../core/protocol/shown-line.ts";
import { hasOtherSpaces, hides, line } from "./question-text.ts";
import { joinRisks } from "./risk.ts";

/** What a tool call would do, in the parts that a question shows. Together they are the whole of its input. */
export interface ToolContent {
  readonly text?: string | undefined;
  readonly command?: string | undefined;
  readonly files?: readonly string[] | undefined;
  readonly diff?: string | undefined;
  /** What no other part shows. */
  readonly input?: Readonly<Record<string, unknown>> | undefined;
}

/** A tool call as a question shows it. */
interface ShownContent {
  readonly text: string;
  readonly detail: QuestionDetail;
  /** False where something of it does not fit into a question, and so is answered where all of it can be read. */
  readonly isWhole: boolean;
  /** Returns an estimate of its risk together with what the reader cannot see. */
  readonly risk: (estimate: QuestionRisk) => QuestionRisk;
}

/** A text as a question shows it. */
interface ShownText {
  readonly text: string;
  readonly isWhole: boolean;
  /** It has characters that act or show nothing. */
  readonly hides: boolean;
}

/** Room for the line that says what was cut. */
const NOTE_LENGTH = 40;

/** Returns the parts of a tool call for a question: bounded, visible, and with a line that says how much was cut. */
export function showContent({ text, command, files = [], diff, input = {} }: ToolContent): ShownContent {
  const json = Object.keys(input).length === 0 ? undefined : visibleJson(input);
  const parts = {
    text: shownText(text ?? "", "text"),
    ...(command !== undefined && { command: withSpaces(shownText(command, "command"), command) }),
    ...(diff !== undefined && { diff: shownText(diff, "diff") }),
    ...(json !== undefined && { input: shownText(json, "input") }),
  };
  const paths = files.map(shownPath);
  const all = [parts.text, parts.command, parts.diff, parts.input, ...paths].filter((part) => part !== undefined);
  const isWhole = all.every((part) => part.isWhole) && files.length <= questionLimits.files;
  const unseen: QuestionRisk[] = [];
  if (!isWhole) unseen.push({ level: "high", reasons: ["longer than what is shown"] });
  if (all.some(({ hides }) => hides)) unseen.push({ level: "high", reasons: ["has characters that are not shown"] });
  return {
    text: parts.text.text,
    detail: {
      ...(parts.command && { command: parts.command.text }),
      ...(paths.length > 0 && { files: shownFiles(paths) }),
      ...(parts.diff && { diff: parts.diff.text }),
      ...(parts.input && { input: parts.input.text }),
    },
    isWhole,
    risk: (estimate) => joinRisks(estimate, ...unseen),
  };
}

/** Returns the entries of a tool's input that have no part of their own in a question: those that `shown` has no value for. */
export function otherEntries<Value>(
  input: Readonly<Record<string, Value>>,
  shown: Readonly<Record<string, unknown>>,
): Record<string, Value> {
  const names = new Set(Object.keys(shown).filter((name) => shown[name] !== undefined));
  return Object.fromEntries(Object.entries(input).filter(([name]) => !names.has(name)));
}

/** Returns the lines that a change removes and adds, each with its sign. */
export function changedLines(before: string, after: string): string {
  const marked = (sign: string, text: string) => text.split("\n").map((each) => `${sign}${each}`);
  return [...(before === "" ? [] : marked("-", before)), ...marked("+", after)].join("\n");
}

/** Names an event by all that it holds: two events with the same name are the same, as far as numbers are told apart here (to 2^53). */
export function nameOfEvent(event: unknown): string {
  return createHash("sha256")
    .update(JSON.stringify(event) ?? "")
    .digest("hex");
}

function shownText(text: string, limit: "text" | "command" | "diff" | "input"): ShownText {
  const plain = text.replace(/[^\P{Cc}\n\t]/gu, " ").replace(/\p{Cf}/gu, "");
  return { ...cut(plain, questionLimits[limit]), hides: hides(text) };
}

function shownPath(path: string): ShownText {
  const shown = {
    text: line(path, questionLimits.path),
    isWhole: path.length <= questionLimits.path,
    hides: hides(path),
  };
  return withSpaces(shown, path);
}

function withSpaces(shown: ShownText, given: string): ShownText {
  return { ...shown, hides: shown.hides || hasOtherSpaces(given) };
}

function shownFiles(paths: readonly ShownText[]): string[] {
  const texts = paths.map(({ text }) => text);
  if (texts.length <= questionLimits.files) return texts;
  const kept = texts.slice(0, questionLimits.files - 1);
  return [...kept, `… ${texts.length - kept.length} more files`];
}

/** Cuts a text at the end of a line where it can, and says how much is left. */
function cut(text: string, most: number): Pick<ShownText, "text" | "isWhole"> {
  if (text.length <= most) return { text, isWhole: true };
  const end = text.lastIndexOf("\n", most - NOTE_LENGTH);
  if (end > most / 2) {
    const left = text.slice(end + 1).split("\n").length;
    return { text: `${text.slice(0, end)}\n… ${left} more ${left === 1 ? "line" : "lines"}`, isWhole: false };
  }
  const noteOf = (kept: number) => `\n… ${text.length - kept} more characters`;
  const kept = most - noteOf(most - NOTE_LENGTH).length;
  return { text: `${firstUnits(text, kept)}${noteOf(kept)}`, isWhole: false };
}

/** JSON with a line for each entry, in which a character that shows nothing stands by its number. */
function visibleJson(value: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(value).map(([name, entry]) => ` ${JSON.stringify(name)}: ${JSON.stringify(entry)}`);
  return `{\n${entries.join(",\n")}\n}`.replace(UNDRAWN, (character) =>
    character
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}

/** Characters that show nothing, and those that act on a terminal beside the ones that JSON writes by their numbers anyway. */
const UNDRAWN = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u007f-\u009f\u2028\u2029\u2800]/gu;
