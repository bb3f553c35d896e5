import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { formatLocale, formatNumber, plural } from "../../../../core/phrases.ts";
import { speak, speech, spoken } from "../../../../renderer/ui/language.ts";
import { words } from "../../../../renderer/ui/words.ts";

const page = { documentElement: { lang: "en" } };

beforeEach(() => {
  vi.stubGlobal("document", page);
});

afterEach(async () => {
  await speak({ language: "en", locale: undefined });
});

test("another language is put in the place of the words, and English back", async () => {
  const { question } = words;
  await speak({ language: "de", locale: "de-AT" });
  expect(question.send).toBe("Senden");
  expect(question.withLines("Zeigen", 2)).toBe("Zeigen (2 Zeilen)");
  expect(page.documentElement.lang).toBe("de");
  expect(formatNumber(1234.5)).toBe("1 234,5".replace(" ", "\u00a0"));
  expect(formatLocale()).toBe("de-AT");
  await speak({ language: "ja", locale: "ja" });
  expect([question.send, question.withLines("表示", 1)]).toEqual(["送信", "表示（1行）"]);
  expect(plural(1, { one: "one", other: "other" })).toBe("other");
  await speak({ language: "en", locale: undefined });
  expect([question.send, question.quoted("a")]).toEqual(["Send", "“a”"]);
  expect(plural(1, { one: "one", other: "other" })).toBe("one");
});

test("what shows words is told once they are in place", async () => {
  const seen: string[] = [];
  const leave = speech.subscribe(() => seen.push(`${speech.get().language}: ${words.question.send}`));
  await speak({ language: "ja", locale: "ja" });
  leave();
  expect(seen).toEqual(["ja: 送信"]);
});

test("words that are loaded later are in the language of the page", async () => {
  await speak({ language: "de", locale: "de" });
  const late = { text: "Late" };
  spoken(late, { de: async () => ({ text: "Spät" }), ja: async () => ({ text: "後で" }) });
  await vi.waitFor(() => expect(late.text).toBe("Spät"));
});

test("the last choice counts, whichever words arrive first", async () => {
  const first = speak({ language: "de", locale: "de" });
  await Promise.all([first, speak({ language: "ja", locale: "ja" })]);
  expect([words.question.send, speech.get().language]).toEqual(["送信", "ja"]);
});

test("words that cannot be loaded change nothing", async () => {
  const area = { text: "Text" };
  let fails = true;
  const load = async () => {
    if (fails) throw new Error("offline");
    return { text: "…" };
  };
  spoken(area, { de: load, ja: load });
  await expect(speak({ language: "de", locale: "de" })).rejects.toThrow("offline");
  expect([area.text, words.question.send, speech.get().language]).toEqual(["Text", "Send", "en"]);
  fails = false;
});
