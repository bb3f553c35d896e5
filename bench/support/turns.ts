import { setImmediate as turnOfTheLoop } from "node:timers/promises";
import { medianOf } from "./median.ts";

/**
 * Measures several things in turn, so many rounds long, so that a slower minute of the machine meets all of them;
 * answers each one's figures.
 */
export async function inTurn<Figures extends object>(
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
      // Measures that block would otherwise keep the signal that stops the benchmark waiting for all of them.
      await turnOfTheLoop();
    }
  }
  return figures;
}

/** The median of one property over several rounds. */
export function medianBy<Figure>(figures: readonly Figure[], of: (figure: Figure) => number): number {
  return medianOf(figures.map(of));
}
