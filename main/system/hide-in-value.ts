import { isRecord } from "../../core/protocol/json-value.ts";
import { runAtOnce, runInTurns, type Steps } from "./in-turns.ts";
import { BESIDE, hideInPieces, hideSecrets } from "./redact-part.ts";

/** Hides secrets in a text, whose length stays. */
type Hide = (text: string) => string;

/**
 * Returns a copy of a JSON value without the secrets in its texts, each of which keeps its length. Others have their turn
 * between texts, and between the pieces of a long one.
 */
export async function withoutSecretsIn<T>(value: T, hide: Hide = hideSecrets): Promise<T> {
  const copy = structuredClone({ value });
  await runInTurns(hideIn(copy, hide));
  return copy.value;
}

/** Returns at once what `withoutSecretsIn` resolves to, for a value whose size is bounded, such as an event. */
export function withoutSecretsAtOnce<T>(value: T, hide: Hide): T {
  const copy = structuredClone({ value });
  runAtOnce(hideIn(copy, hide));
  return copy.value;
}

function* hideIn(value: unknown, hide: Hide): Steps<void> {
  // A list of what is still to be looked through: values may be nested deeper than calls may.
  const open = [value];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (Array.isArray(one)) {
      for (const [at, item] of one.entries()) {
        if (typeof item === "string") one[at] = yield* hideInPieces(item, hide);
        else open.push(item ?? false);
        yield;
      }
    } else if (isRecord(one)) {
      for (const [name, item] of Object.entries(one)) {
        if (typeof item === "string") one[name] = hideNamed(name, yield* hideInPieces(item, hide));
        else open.push(item ?? false);
        yield;
      }
    }
  }
}

/** Hides what is a secret beside its name: `{ "password": "…" }`. A longer text is none. */
function hideNamed(name: string, text: string): string {
  const lead = `"${name}":"`;
  return hideSecrets(`${lead}${text.slice(0, BESIDE)}"`).slice(lead.length, -1) + text.slice(BESIDE);
}
