import { closestMatch } from "leven";

/** Returns the known name most similar to a misspelt one, ignoring case; undefined if none is similar enough. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const wanted = name.slice(0, 60).toLowerCase();
  const lowered = known.map((candidate) => candidate.toLowerCase());
  const best = closestMatch(wanted, lowered, { maxDistance: Math.max(2, Math.floor(wanted.length / 3)) });
  return best === undefined ? undefined : known[lowered.indexOf(best)];
}

/** Returns ` Did you mean …?` with a leading space, or "". */
export function didYouMean(name: string, known: readonly string[]): string {
  const meant = nearestName(name, known);
  return meant === undefined ? "" : ` Did you mean ${meant}?`;
}
