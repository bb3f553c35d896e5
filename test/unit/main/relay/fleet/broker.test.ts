import { expect, test, vi } from "vitest";
import { Outage } from "../../../../../main/relay/fleet/broker.ts";

test("the longer the broker is away, the longer a relay waits before its next attempt, up to a bound", () => {
  let now = 0;
  const outage = new Outage(() => now);
  vi.spyOn(Math, "random").mockReturnValue(0.5);
  const delayAfter = (ms: number) => {
    now = ms;
    return outage.delay();
  };
  outage.note(false);
  expect([0, 100, 2_000, 8_000, 3_600_000].map(delayAfter)).toEqual([250, 250, 1_000, 4_000, 10_000]);
  // Losing the connection again before it was there is the same outage.
  outage.note(false);
  expect(delayAfter(3_600_000)).toBe(10_000);
  outage.note(true);
  outage.note(false);
  expect(delayAfter(3_600_000)).toBe(250);
});

test("relays that lost the broker together do not all come back at once", () => {
  const outage = new Outage(() => 0);
  outage.note(false);
  const random = vi.spyOn(Math, "random");
  const delayWith = (value: number) => {
    random.mockReturnValue(value);
    return outage.delay();
  };
  expect([0, 0.5, 1].map(delayWith)).toEqual([125, 250, 375]);
});
