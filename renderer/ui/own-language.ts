import { type LanguageChoice, languages, speechFor } from "../../core/phrases.ts";
import { speak } from "./language.ts";
import { persistedValue } from "./persisted.ts";
import type { Store } from "./store.ts";

let kept: Store<LanguageChoice> | undefined;

/** Returns the language that the user has chosen in this browser, for all pages of this origin. */
export function ownLanguage(window: Window): Store<LanguageChoice> {
  kept ??= persistedValue<LanguageChoice>(window, {
    key: "patchbay.language",
    parse: (text) => languages.find((one) => one === text),
    format: (choice) => choice,
    fallback: "system",
  });
  return kept;
}

/**
 * Makes a page in a browser speak the language that the user has chosen in it, else that of the browser. Resolves when the
 * page may show its first words; a page that cannot load those of another language goes on as it speaks.
 */
export async function speakOwnLanguage(window: Window): Promise<void> {
  const choice = ownLanguage(window);
  const follow = () => speak(speechFor(choice.get(), window.navigator.languages)).catch(() => undefined);
  choice.subscribe(() => void follow());
  window.addEventListener("languagechange", () => void follow());
  await follow();
}
