import { setImmediate as turnOfTheLoop } from "node:timers/promises";
import { medianOf } from "./median.ts";

/**
 * Runs several measurements in turn for a number of rounds, so that a slower minute of the machine affects all of them.
 * Returns the figures of each.
 */
export async function measureInTurns<Figures extends object>(
  rounds: number,
  measures: { readonly [Name in keyof Figures]: () => Promise<Figures[Name]> | Figures[Name] },
): Promise<{ [Name in keyof Figures]: Figures[Name][] }> {
  const names = Object.keys(measures) as (keyof Figures)[];
  const figures = Object.fromEntries(names.map((name) => [name, []])) as unknown as {
    [Name in keyof Figures]: Figures[Name][];
  };
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) {
      figures[name].push(await measures[name]());
      // Otherwise blocking measurements would delay the signal that stops the benchmark.
      await turnOfTheLoop();
    }
  }
  return figures;
}

/** Returns the median of one property over several rounds. */
export function medianBy<Figure>(figures: readonly Figure[], of: (figure: Figure) => number): number {
  return medianOf(figures.map(of));
}
