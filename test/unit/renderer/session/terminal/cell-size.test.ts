import { expect, test } from "vitest";
import { cellWidth } from "../../../../../renderer/session/terminal/cell-size.ts";

test.each([
  { advance: 7.8, ratio: 1, device: 8 },
  { advance: 7.8, ratio: 2, device: 16 },
  { advance: 7.8, ratio: 1.1, device: 9 },
  { advance: 7.8, ratio: 1.25, device: 10 },
  { advance: 4.8, ratio: 1.5, device: 7 },
  { advance: 0.2, ratio: 1, device: 1 },
])(
  "a character of $advance px at $ratio device pixels has a cell of $device whole ones",
  ({ advance, ratio, device }) => {
    const width = cellWidth(advance, ratio);
    // As WebGL takes it, and as the DOM lays it out.
    expect(Math.floor(width * ratio)).toBe(device);
    expect(width * ratio).toBeCloseTo(device, 5);
  },
);
