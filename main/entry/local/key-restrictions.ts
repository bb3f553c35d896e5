import type { KeyRestrictions } from "../../../core/protocol/key-restrictions.ts";
import { nearestName } from "../../../core/protocol/nearest.ts";
import { fitsPattern, patternNames } from "../../relay/access/permits/method-pattern.ts";
import { UsageError } from "../options/options.ts";

/** How far a new key is to reach, from the words of the command line. Throws a UsageError. */
export function keyRestrictions(words: {
  readonly "read-only": boolean;
  readonly "own-shells": boolean;
  readonly methods?: string | undefined;
}): KeyRestrictions {
  return {
    ...(words["read-only"] ? { readOnly: true } : {}),
    ...(words["own-shells"] ? { ownShells: true } : {}),
    ...(words.methods === undefined ? {} : { methods: patternsOf(words.methods) }),
  };
}

/** A pattern that fits nothing is a mistake that would only be seen when the key is refused. */
function patternsOf(text: string): string[] {
  const names = patternNames();
  const patterns = [...new Set(text.split(",").map((pattern) => pattern.trim()))].filter((pattern) => pattern !== "");
  if (patterns.length === 0) throw new UsageError("--methods: expected names such as 'getShells,list*', got none.");
  for (const pattern of patterns) {
    if (names.some((name) => fitsPattern(name, pattern))) continue;
    const meant = nearestName(pattern.replaceAll("*", ""), names);
    const offer = meant === undefined ? "" : ` Did you mean ${meant}?`;
    throw new UsageError(`--methods: no method fits ${JSON.stringify(pattern)}.${offer}`);
  }
  return patterns;
}
