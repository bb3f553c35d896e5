import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { speak, speech } from "../../../../renderer/ui/language.ts";
import { ownLanguage, speakOwnLanguage } from "../../../../renderer/ui/own-language.ts";
import { words } from "../../../../renderer/ui/words.ts";
import { fakePages } from "./fake-pages.ts";

beforeEach(() => {
  vi.stubGlobal("document", { documentElement: { lang: "en" } });
});

afterEach(async () => {
  await speak({ language: "en", locale: undefined });
});

test("a browser speaks its language until the user chooses one, which it keeps for all pages", async () => {
  const { kept, page } = fakePages();
  const window = Object.assign(page(), { navigator: { languages: ["fr", "de-CH", "en"] } });
  await speakOwnLanguage(window);
  expect([words.question.send, speech.get().locale]).toEqual(["Senden", "de-CH"]);
  ownLanguage(window).set("ja");
  await vi.waitFor(() => expect(words.question.send).toBe("送信"));
  expect([kept.get("patchbay.language"), speech.get().locale]).toEqual(["ja", "ja"]);
  ownLanguage(window).set("system");
  await vi.waitFor(() => expect(words.question.send).toBe("Senden"));
});
