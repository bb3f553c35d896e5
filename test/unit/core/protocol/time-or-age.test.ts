import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { historyOperations } from "../../../../core/operations/history.ts";
import { CommandQuery, RedactionQuery, SearchQuery } from "../../../../core/protocol/history-search.ts";
import { parseParams } from "../../../../core/protocol/parse-params.ts";
import { PastTime } from "../../../../core/protocol/time-or-age.ts";

const Wish = z.object({ since: PastTime });

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

  test.each<[string, string]>([
    ["1h", "2h"],
    ["2026-01-31T09:00:00Z", "1d"],
    ["2026-01-30T09:00:00.001Z", "2026-01-30T09:00:00Z"],
  ])("a span from %s to %s is refused, by all that take one", (since, until) => {
    const schemas = [CommandQuery, SearchQuery.omit({ query: true }), historyOperations.exportHistory.params.partial()];
    for (const schema of schemas) {
      expect(() => parseParams(schema, { since, until })).toThrow(
        /^params\.since: expected a time before `until` \(2026-01-3.*Z\), got 2026-01-3.*Z\.$/,
      );
      expect(() => parseParams(schema, { since: until, until: since })).not.toThrow();
    }
    expect(() => parseParams(CommandQuery, { since, until }, "query")).toThrow(/^query\.since: /);
  });

  test("and refuse anything else", () => {
    expect(() => parseParams(CommandQuery, { since: "yesterday" })).toThrow(
      /^params\.since: expected a time such as .*, or how long ago/,
    );
  });
});
