import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { CommandQuery, RedactionQuery, SearchQuery } from "../../../../core/protocol/history-search.ts";
import { parseParams } from "../../../../core/protocol/parse-params.ts";
import { TimeOrAge } from "../../../../core/protocol/time-or-age.ts";

const Wish = z.object({ since: TimeOrAge });

test.each(["10m", "90s", "2d", "2026-01-31T09:00:00Z"])("a span begins at %s", (since) => {
  expect(parseParams(Wish, { since })).toEqual({ since });
});

test.each(["banana", "10", "m", "10 m", "2026-01-31", ""])("%j is refused with what would do", (since) => {
  expect(() => parseParams(Wish, { since })).toThrow(/^params\.since: expected a time such as .*, or how long ago/);
});

describe("commands, searches and redactions take an age as well as a time", () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: Date.parse("2026-01-31T09:00:00Z") });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test.each([
    ["2h", "2026-01-31T07:00:00.000Z"],
    ["1d", "2026-01-30T09:00:00.000Z"],
    ["999999d", "1970-01-01T00:00:00.000Z"],
    ["2026-01-30T09:00:00Z", "2026-01-30T09:00:00.000Z"],
  ])("%s is %s", (since, time) => {
    const given = { since, until: since };
    expect(parseParams(CommandQuery, given)).toMatchObject({ since: time, until: time });
    expect(parseParams(SearchQuery, { query: "panic", ...given })).toMatchObject({ since: time, until: time });
    expect(parseParams(RedactionQuery, { since })).toMatchObject({ since: time });
  });

  test("and refuse anything else", () => {
    expect(() => parseParams(CommandQuery, { since: "yesterday" })).toThrow(
      /^params\.since: expected a time such as .*, or how long ago/,
    );
  });
});
