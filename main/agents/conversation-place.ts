/**
 * The place of a message in a conversation. Messages are ordered by time, those of one time by their stream and their number in
 * it; the time never goes back within a stream, so that its own order stays.
 */
export interface Place {
  /** The latest time in its stream so far, in ms. */
  readonly at: number;
  /** `m` for the main transcript, `q` for questions, `s` and an id for a sub-agent's transcript. */
  readonly stream: string;
  readonly number: number;
}

/** Returns a negative number for a place before another one, 0 for the same. */
export function comparePlaces(one: Place, other: Place): number {
  if (one.at !== other.at) return one.at - other.at;
  if (one.stream !== other.stream) return one.stream < other.stream ? -1 : 1;
  return one.number - other.number;
}

export function cursorOf({ at, stream, number }: Place): string {
  return `${at}.${number}.${stream}`;
}

/** Reads a cursor; undefined for any other text. */
export function placeOf(cursor: string): Place | undefined {
  const match = /^(\d{1,16})\.(\d{1,12})\.([mq]|s.*)$/.exec(cursor);
  return match === null ? undefined : { at: Number(match[1]), number: Number(match[2]), stream: match[3] ?? "" };
}

/** Which messages a page has: those after a place or before one, or without both the last ones. */
export interface PageRange {
  readonly after?: Place | undefined;
  readonly before?: Place | undefined;
  readonly limit: number;
}
