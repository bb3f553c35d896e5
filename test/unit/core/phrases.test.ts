import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import {
  copyWords,
  formatNumber,
  languageOf,
  listNames,
  plural,
  pluralForm,
  putWords,
  speechFor,
} from "../../../core/phrases.ts";
import { sentence } from "../../../renderer/ui/sentence.ts";

test("a sentence takes the form that its count needs, with the count as the user writes numbers", () => {
  const shells = (count: number) => plural(count, { one: "1 shell", other: (n) => `${n} shells` });
  expect([0, 1, 2, 12_000].map(shells)).toEqual(["0 shells", "1 shell", "2 shells", `${formatNumber(12_000)} shells`]);
  expect([0, 1, 2].map((count) => pluralForm(count, { one: "it", other: "they" }))).toEqual(["they", "it", "they"]);
  expect(plural(1, { other: (n) => `${n} of them` })).toBe("1 of them");
});

test("names are listed as in a sentence", () => {
  expect([["Ann"], ["Ann", "Ben"], ["Ann", "Ben", "Kai"]].map(listNames)).toEqual([
    "Ann",
    "Ann and Ben",
    "Ann, Ben, and Kai",
  ]);
});

test("elements stand where a sentence names them, in any order and more than once", () => {
  const asks = sentence("{shell}: {name} asks for {shell}.");
  const filled = asks({ name: createElement("b", null, "Ann"), shell: "{name}" });
  expect(renderToStaticMarkup(filled)).toBe("{name}: <b>Ann</b> asks for {name}.");
  expect(renderToStaticMarkup(sentence("No one is here.")({}))).toBe("No one is here.");
});

test("a language is that of the system as far as there are words in it, or the chosen one", () => {
  expect(speechFor("system", ["de-AT", "en"])).toEqual({ language: "de", locale: "de-AT" });
  expect(speechFor("system", ["fr-FR", "ja-JP", "en"])).toEqual({ language: "ja", locale: "ja-JP" });
  expect(speechFor("system", ["fr-FR"])).toEqual({ language: "en", locale: "fr-FR" });
  expect(speechFor("system", [])).toEqual({ language: "en", locale: undefined });
  expect(speechFor("system", ["C", "de_DE.UTF-8", "ja"])).toEqual({ language: "ja", locale: "ja" });
});

test("formats follow the user's locale, or the chosen language where that is another", () => {
  expect(speechFor("en", ["en-GB"])).toEqual({ language: "en", locale: "en-GB" });
  expect(speechFor("de", ["en-US"])).toEqual({ language: "de", locale: "de" });
  expect(["de_DE", "JA", "nl", ""].map(languageOf)).toEqual(["de", "ja", undefined, undefined]);
});

test("words are put in place of others in the same groups, and back", () => {
  const words = { bar: { open: "Open", of: (name: string) => `Of ${name}` } };
  const [english, { bar }] = [copyWords(words), words];
  putWords(words, { bar: { open: "Öffnen", of: (name: string) => `Von ${name}` } });
  expect([bar.open, bar.of("A"), words.bar === bar]).toEqual(["Öffnen", "Von A", true]);
  putWords(words, english);
  expect([bar.open, bar.of("A")]).toEqual(["Open", "Of A"]);
});
