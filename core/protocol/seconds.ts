/** A time for a sentence, from milliseconds: `2 s`, `0.25 s`; to the tenth from ten seconds on. */
export function inSeconds(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  return `${Number(seconds.toFixed(seconds < 10 ? 2 : 1)) || Number(seconds.toPrecision(1))} s`;
}
