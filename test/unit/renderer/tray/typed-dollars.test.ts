import { afterEach, describe, expect, test } from "vitest";
import { setSpeech } from "../../../../core/phrases.ts";
import { fieldDollars, readDollars } from "../../../../renderer/tray/typed-dollars.ts";
import { words } from "../../../../renderer/tray/words/index.ts";

const speak = (locale: string | undefined) => setSpeech({ language: "en", locale });
afterEach(() => speak(undefined));

describe("an amount is read by the separators of the locale", () => {
  test.each<[locale: string, typed: string, usd: number | null]>([
    ["de-DE", "1.000", 1000],
    ["de-DE", "1.000,50", 1000.5],
    ["de-DE", "12.345.6", Number.NaN],
    ["de-DE", "2,5", 2.5],
    ["de-DE", "2.5", 2.5],
    ["de-DE", "0,125", 0.125],
    ["en-US", "1,000", 1000],
    ["en-US", "1,000.5", 1000.5],
    ["en-US", "2,5", 2.5],
    ["en-US", " 2.5 ", 2.5],
    ["en-US", "1,0000", Number.NaN],
    ["en-US", "1.2.3", Number.NaN],
    ["fr-FR", "1 000,5", 1000.5],
    ["ja-JP", "1,000", 1000],
    ["en-US", "", null],
    ["en-US", "0", Number.NaN],
    ["en-US", "1000001", Number.NaN],
    ["en-US", "x", Number.NaN],
  ])("%s: %j", (locale, typed, usd) => {
    speak(locale);
    expect(readDollars(typed)).toEqual({ usd });
  });
});

test.each([
  ["de-DE", "1,000", "1000", "1"],
  ["en-US", "2.500", "2500", "2.50"],
  // Its separator of thousands is a space.
  ["fr-FR", "2.500", "2500", "2,50"],
])("%s: %s can be read in two ways", (locale, typed, whole, part) => {
  speak(locale);
  expect(readDollars(typed)).toEqual({ usd: Number.NaN, doubt: words.costs.budgets.ambiguous(typed, whole, part) });
});

test("a field shows an amount as the locale writes it", () => {
  speak("de-DE");
  expect([null, 5, 5.5, 1000, 0.125].map(fieldDollars)).toEqual(["", "5", "5,50", "1000", "0,125"]);
});
