import { expect, test } from "vitest";
import { quietUntil } from "../../../../../main/relay/webhooks/quiet-hours.ts";

const at = (day: number, hours: number, minutes = 0) => new Date(2026, 10, day, hours, minutes).getTime();

test.each([
  ["22:00-07:00", at(25, 21, 59), undefined],
  ["22:00-07:00", at(25, 22), at(26, 7)],
  ["22:00-07:00", at(26, 0), at(26, 7)],
  ["22:00-07:00", at(26, 6, 59), at(26, 7)],
  ["22:00-07:00", at(26, 7), undefined],
  ["12:00-13:30", at(25, 12, 10), at(25, 13, 30)],
  ["12:00-13:30", at(25, 13, 30), undefined],
  ["22:00-07:00", at(30, 23), new Date(2026, 11, 1, 7).getTime()],
])("quiet hours %s at %d end at %s", (hours, now, end) => {
  expect(quietUntil(hours, now)).toBe(end);
});
