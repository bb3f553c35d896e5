import type { TimeMark } from "../../../core/protocol/history-ops.ts";

/** Longest time in ms for which a replay shows that nothing was printed. */
const LONGEST_PAUSE = 1000;

interface Stop {
  /** In ms since the beginning of the replay. */
  readonly position: number;
  /** In ms since 1970. */
  readonly time: number;
  /** Characters that were printed before. */
  readonly characters: number;
}

/** When a replay shows what. */
export class ReplayPlan {
  readonly #stops: readonly Stop[];
  readonly #all: number;

  /** @param all characters of the text */
  constructor(times: readonly TimeMark[], all: number) {
    let position = 0;
    this.#all = all;
    this.#stops = times.map(([characters, time], index) => {
      // A clock that was set back stands still.
      const pause = Math.max(0, time - (times[index - 1]?.[1] ?? time));
      position += Math.min(pause, LONGEST_PAUSE);
      return { position, time, characters };
    });
  }

  /** Duration in ms. */
  get length(): number {
    return this.#stops.at(-1)?.position ?? 0;
  }

  /** Returns the characters that are on show at a position. */
  charactersAt(position: number): number {
    return this.#stops[this.#indexAt(position) + 1]?.characters ?? this.#all;
  }

  /** Returns the time at which what a position shows was printed. */
  timeAt(position: number): number {
    return this.#stops[this.#indexAt(position)]?.time ?? 0;
  }

  /** Returns the position at which a character is printed. */
  positionOf(character: number): number {
    return this.#stops.findLast(({ characters }) => characters <= character)?.position ?? 0;
  }

  #indexAt(position: number): number {
    return this.#stops.findLastIndex((stop) => stop.position <= position);
  }
}
