import { app } from "electron";
import {
  copyWords,
  type Language,
  type LanguageChoice,
  putWords,
  type Speech,
  setSpeech,
  speechFor,
} from "../../core/phrases.ts";
import { words as german } from "./words.de.ts";
import { words as japanese } from "./words.ja.ts";
import { words } from "./words.ts";

const wordsOf: Readonly<Record<Language, object>> = { en: copyWords(words), de: german, ja: japanese };

let now: Speech = { language: "en", locale: undefined };
const listeners = new Set<(speech: Speech) => void>();

/** Makes the app speak a language: its menu, notifications and dialogs, and its pages, which listen to it. */
export function speakInApp(choice: LanguageChoice): void {
  now = speechFor(choice, app.getPreferredSystemLanguages());
  putWords(words, wordsOf[now.language]);
  setSpeech(now);
  for (const changed of [...listeners]) changed(now);
}

/** Returns how the app speaks. */
export function speechOfApp(): Speech {
  return now;
}

/** Subscribes to the language of the app. Returns an unsubscribe function. */
export function onSpeech(changed: (speech: Speech) => void): () => void {
  listeners.add(changed);
  return () => listeners.delete(changed);
}
