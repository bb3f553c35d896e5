import { expect, test } from "vitest";
import { splitLinks } from "../../../../../renderer/session/chat/split-links.ts";

test.each([
  ["see https://example.com/a?b=1#c.", ["https://example.com/a?b=1#c"]],
  ["(http://localhost:3000/)", ["http://localhost:3000/"]],
  [
    "https://en.wikipedia.org/wiki/Patch_(bay), https://a.test",
    ["https://en.wikipedia.org/wiki/Patch_(bay)", "https://a.test"],
  ],
  ["“https://a.test/x”!", ["https://a.test/x"]],
  ["javascript:alert(1) ftp://x https:// plain", []],
  ["https://a.test/<b>", ["https://a.test/"]],
])("%s", (text, links) => {
  const parts = splitLinks(text);
  expect(parts.flatMap(({ url }) => url ?? [])).toEqual(links);
  expect(parts.map((part) => part.text).join("")).toBe(text);
});

test("an address is not shown as another one", () => {
  const address = "https://evil.test/?moc.elpmaxe//:sptth";
  for (const text of [`\u202e${address}`, `\u2067${address}\u2069`, address.replace("evil", "e\u200bv\u202eil")]) {
    expect(splitLinks(text)).toEqual([{ text: address, at: 0, url: address }]);
  }
});
