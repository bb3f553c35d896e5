import { closestMatch } from "leven";

/** Returns the known name that is most like a misspelt one, ignoring case; undefined when none is near: for "did you mean". */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const wanted = name.slice(0, 60).toLowerCase();
  const lowered = known.map((candidate) => candidate.toLowerCase());
  const best = closestMatch(wanted, lowered, { maxDistance: Math.max(2, Math.floor(wanted.length / 3)) });
  return best === undefined ? undefined : known[lowered.indexOf(best)];
}

/** ` Did you mean …?`, or nothing. */
export function didYouMean(name: string, known: readonly string[]): string {
  const meant = nearest(name, known);
  return meant === undefined ? "" : ` Did you mean ${meant}?`;
}
