import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { limitStop } from "../../../../main/entry/limit-stop.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a stop that hangs for 8 s ends with exit code 1, and what is open is logged", () => {
  const error = vi.fn();
  const exit = vi.fn();
  limitStop({ error }, exit);
  vi.advanceTimersByTime(7999);
  expect(exit).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(exit).toHaveBeenCalledExactlyOnceWith(1);
  expect(error).toHaveBeenCalledExactlyOnceWith(expect.stringContaining("8000 ms"), { open: expect.any(Array) });
});
