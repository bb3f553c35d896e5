/**
 * Returns when quiet hours end that a moment is in, in ms since the epoch; undefined outside of them.
 *
 * @param hours `HH:MM-HH:MM` in the local time of this machine; the end may be on the next day
 */
export function quietUntil(hours: string, at: number): number | undefined {
  const [from = 0, to = 0] = hours.split("-").map(minutesOf);
  const local = new Date(at);
  const minute = local.getHours() * 60 + local.getMinutes();
  const isQuiet = from < to ? from <= minute && minute < to : from <= minute || minute < to;
  if (!isQuiet) return undefined;
  // On the calendar: a day on which clocks change has more or fewer hours.
  const day = local.getDate() + (minute < to ? 0 : 1);
  return new Date(local.getFullYear(), local.getMonth(), day, Math.floor(to / 60), to % 60).getTime();
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return hours * 60 + minutes;
}
