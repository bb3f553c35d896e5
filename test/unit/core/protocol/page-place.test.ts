import { expect, test } from "vitest";
import { HitPlace } from "../../../../core/protocol/history-search.ts";
import { splitPlace, withPlace } from "../../../../core/protocol/page-place.ts";

const place = HitPlace.parse({
  ...{ in: "output", shellId: 3, offset: 1024, at: "2026-01-01T10:00:00.000Z" },
  ...{ line: "100% of a&place=b #x 工房", from: 5, length: 2, later: 1, query: "of" },
});

test("a place comes through an address unchanged, beside a key and alone", () => {
  const page = new URL("http://127.0.0.1:7717/s/session-1");
  page.hash = withPlace("token=pb_key", place);
  expect(splitPlace(page.hash.slice(1))).toEqual({ fragment: "token=pb_key", place });
  page.hash = withPlace("", place);
  expect(splitPlace(page.hash.slice(1))).toEqual({ fragment: "", place });
  expect(splitPlace(withPlace("token=pb_key", undefined))).toEqual({ fragment: "token=pb_key", place: undefined });
});

test.each([
  "place=",
  "place=%",
  "place={}",
  `place=${encodeURIComponent(JSON.stringify({ ...place, line: "x".repeat(9000) }))}`,
])("%.40s is no place", (text) =>
  expect(splitPlace(`token=pb_key&${text}`)).toEqual({ fragment: "token=pb_key", place: undefined }),
);
