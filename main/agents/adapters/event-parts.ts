import { z } from "zod";
import type { AgentEvent } from "../../../core/protocol/agent-records.ts";
import type { MessageImage } from "../../../core/protocol/conversations.ts";
import type { EventDetails, TranscriptEvent, TranscriptNote, TranscriptSink } from "./adapter.ts";

/** A tool's result can be megabytes; truncated text says so. */
const TEXT_LIMIT = 8192;

type Data = AgentEvent["data"];

/** Creates an event or a note with its whole text and data. `at` must be an ISO time with Z. */
export function agentEvent<T extends (TranscriptEvent | TranscriptNote)["type"]>(
  id: string,
  type: T,
  at: string,
  text: string,
  data: Data = {},
  details: EventDetails = {},
): Omit<TranscriptEvent, "type"> & { readonly type: T } {
  return { id, type, at, text, data, ...details };
}

/** Passes an event or a note to the reader. */
export function tell(sink: TranscriptSink, told: TranscriptEvent | TranscriptNote): void {
  if (isNote(told)) sink.note?.(told);
  else sink.event(told);
}

function isNote(told: TranscriptEvent | TranscriptNote): told is TranscriptNote {
  return told.type === "note";
}

/** Returns an event as callers get it, with its text and data truncated. */
export function shownEvent({ id, type, at, text, data }: TranscriptEvent): AgentEvent {
  return { id, type, at, text: cut(text), data: "input" in data ? { ...data, input: cutInput(data.input) } : data };
}

/** A tool's arguments as JSON. */
export function toolInput(input: unknown): Data[string] {
  return z.json().safeParse(input).data ?? null;
}

/** The arguments, or the beginning of their JSON where they are very long. */
function cutInput(input: Data[string] = null): Data[string] {
  const text = JSON.stringify(input);
  return text.length <= TEXT_LIMIT ? input : cut(text);
}

/** Returns an image that a transcript holds as base64, by its kind and size. */
export function storedImage(mediaType: string | undefined, base64: string): MessageImage {
  const padding = base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0;
  return { mediaType: mediaType ?? "", bytes: Math.max(0, Math.floor((base64.length * 3) / 4) - padding) };
}

/** Returns an image by its address; one that is a `data:` address is stored in it. */
export function linkedImage(address: string): MessageImage {
  const comma = address.indexOf(",");
  if (!address.startsWith(DATA) || comma === -1) return { mediaType: "", place: address.slice(0, MAX_PLACE) };
  const [mediaType] = address.slice(DATA.length, comma).split(";", 1);
  return storedImage(mediaType, address.slice(comma + 1));
}

const DATA = "data:";
const MAX_PLACE = 4096;

/** The text of a content field: a string, or an array of blocks of which those with text count. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  const texts = content.map((block: unknown) => TextBlock.safeParse(block).data?.text ?? "");
  return texts.filter((text) => text !== "").join("\n");
}

function cut(text: string): string {
  if (text.length <= TEXT_LIMIT) return text;
  const end = /[\uD800-\uDBFF]/.test(text.charAt(TEXT_LIMIT - 1)) ? TEXT_LIMIT - 1 : TEXT_LIMIT;
  return `${text.slice(0, end)}… [${text.length - end} characters cut]`;
}

const TextBlock = z.object({ text: z.string() });

/** Keeps a transcript's times usable: ISO with Z, and the last good one where a record has none or nonsense. */
export class TranscriptClock {
  #last = "1970-01-01T00:00:00.000Z";

  at(timestamp: unknown): string {
    if (typeof timestamp === "string") this.#last = isoTime(timestamp) ?? this.#last;
    return this.#last;
  }
}

/** Milliseconds since 1970, up to the last time that ISO 8601 writes with a year of four digits. */
export const EpochMs = z
  .number()
  .min(0)
  .max(Date.UTC(9999, 11, 31, 23, 59, 59, 999));

/** Returns the time as ISO with Z; undefined for no time, or one that `EpochMs` does not hold. */
function isoTime(text: string): string | undefined {
  if (PLAIN_ISO.test(text)) return text;
  const time = EpochMs.safeParse(Date.parse(text)).data;
  if (time === undefined) return undefined;
  const iso = new Date(time).toISOString();
  // Of the days that not every month has, those that this one has.
  return ISO.test(text) && text.startsWith(iso.slice(0, 10)) ? text : iso;
}

/** On a day that every month has. */
const PLAIN_ISO = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|1\d|2[0-8])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?Z$/;
const ISO = /^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?Z$/;
