import { formatLocale } from "../../core/phrases.ts";
import { words } from "./words.ts";

/** Formats milliseconds in the largest unit: 40 s, 2 min, 3 h, 2 d. "" below one second, and for negative durations. */
export function formatDuration(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (!(seconds >= 1)) return "";
  if (seconds < 60) return words.duration.seconds(seconds);
  if (seconds < 3600) return words.duration.minutes(Math.floor(seconds / 60));
  return seconds < 86_400
    ? words.duration.hours(Math.floor(seconds / 3600))
    : words.duration.days(Math.floor(seconds / 86_400));
}

/** Formats a duration: 12 ms, 3.4 s, 2 min 5 s. */
export function formatMilliseconds(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds >= 60) return words.duration.minutesAndSeconds(Math.floor(seconds / 60), seconds % 60);
  if (ms < 1000) return words.duration.milliseconds(String(ms));
  return words.duration.fewSeconds((ms / 1000).toLocaleString(formatLocale(), { maximumFractionDigits: 1 }));
}
