/** Formats milliseconds as seconds: `2 s`, `0.25 s`; one decimal place from 10 s on. */
export function formatSeconds(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  return `${Number(seconds.toFixed(seconds < 10 ? 2 : 1)) || Number(seconds.toPrecision(1))} s`;
}
