import { expect, test } from "vitest";
import { placesIn, SearchQuery } from "../../../../core/protocol/history-search.ts";
import { parseParams } from "../../../../core/protocol/parse-params.ts";
import { isDense, isSearchable } from "../../../../core/protocol/searchable.ts";

test.each(["設定", "かな", "カナ", "한글", "ไฟ", "ລາ", "မြ", "ភា", "第1", "x値", "ｱｲ", "abc", "a b", "𠮷野"])(
  "%s is long enough",
  (text) => {
    expect(isSearchable(text)).toBe(true);
    expect(parseParams(SearchQuery, { query: text })).toMatchObject({ query: text });
  },
);

test.each(["", "a", "設", "ab", "é!", "Жλ", "──", "✓a", "👍", "שם"])(
  "%j is too short, and a refusal says what would do",
  (text) => {
    expect(isSearchable(text)).toBe(false);
    expect(() => parseParams(SearchQuery, { query: text })).toThrow(
      /^params\.query: expected (three characters|text of 2)/,
    );
  },
);

test("no dense character has another case, so that a search in any case finds it", () => {
  for (let code = 0; code < 0x10000; code++) {
    const character = String.fromCharCode(code);
    if (!isDense(code)) continue;
    expect(character.toUpperCase()).toBe(character);
    expect(character.toLowerCase()).toBe(character);
  }
});

test("searches look in one place, or in several, as text or as a list", () => {
  const texts = ["everything", "session", "chat", "commands,output", "commands, chat"];
  for (const places of [...texts, ["conversations", "chat"], ["session"]]) {
    const { in: parsed } = parseParams(SearchQuery, { query: "panic", in: places });
    expect(parsed).toEqual(places);
  }
  expect(placesIn("commands, chat")).toEqual(["commands", "chat"]);
  expect(placesIn(["chat"])).toEqual(["chat"]);
  for (const places of ["", "files", "everything,chat", "commands,", [], ["session", "chat"], ["chat", "files"]]) {
    expect(() => parseParams(SearchQuery, { query: "panic", in: places })).toThrow(
      /^params\.in: expected everything, session, commands, output, conversations, chat, or several of the last 4\.$/,
    );
  }
});
