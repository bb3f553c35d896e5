import { expect, test } from "vitest";
import { z } from "zod";
import { TimeOrAge } from "../../../../core/protocol/history-export.ts";
import { parseParams } from "../../../../core/protocol/parse-params.ts";

const Wish = z.object({ since: TimeOrAge });

test.each(["10m", "90s", "2d", "2026-01-31T09:00:00Z"])("a span begins at %s", (since) => {
  expect(parseParams(Wish, { since })).toEqual({ since });
});

test.each(["banana", "10", "m", "10 m", "2026-01-31", ""])("%j is refused with what would do", (since) => {
  expect(() => parseParams(Wish, { since })).toThrow(/^params\.since: expected a time such as .*, or how long ago/);
});
