import { isRecord } from "../../core/protocol/json-value.ts";

const INCOMPLETE = "Not everything up to now is indexed yet: the same search finds more later.";

/** Sentences about what a search does not find, by the state of the recording. */
const NOT_RECORDED: Readonly<Record<string, string>> = {
  unasked:
    "Output, commands and conversations with agents are found once the history is recorded: `service history on`.",
  off: "What shells print now is not found, because recording is off: `service history on`.",
  excepted: "What the shells of this session print now is not found: `service history session on` records it.",
  locked: "Output is neither recorded nor found: the key of the history is in a keychain that does not answer.",
};

/**
 * Returns the list in the result of an operation, and what is to be said beside it. A relay of another version may answer
 * the list itself.
 *
 * @param field the field that has the list; undefined: the result is one
 */
export function listIn(result: unknown, field: string | undefined): { list: unknown; notice: string | undefined } {
  if (field === undefined || !isRecord(result) || !(field in result)) return { list: result, notice: undefined };
  const notes = [
    ...(result.complete === false ? [INCOMPLETE] : []),
    ...(typeof result.recording === "string" ? [NOT_RECORDED[result.recording] ?? ""] : []),
  ];
  return { list: result[field], notice: notes.join(" ").trim() || undefined };
}
