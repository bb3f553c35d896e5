import { copyWords, type Language, putWords, type Speech, setSpeech } from "../../core/phrases.ts";
import { createStore, type Store, useStore } from "./store.ts";

/** Loads the words of an area in another language. */
type Loaders<Words> = Readonly<Record<Exclude<Language, "en">, () => Promise<Words>>>;

interface Area {
  readonly words: object;
  /** The words in a language, as they are declared. */
  load(language: Language): Promise<object>;
}

const areas: Area[] = [];
let wanted: Speech = { language: "en", locale: undefined };
const now = createStore<Speech>(wanted);

/** How this page speaks; it changes once the words of another language are in place. */
export const speech: Pick<Store<Speech>, "get" | "subscribe"> = now;

/** Renders a component again once the page speaks another language. Returns that language. */
export function useLanguage(): Language {
  return useStore(speech).language;
}

/**
 * Declares the words of an area in English, and where they are in other languages. Returns them; `speak` puts those of
 * another language in their place. So a component reads a word where it shows it: what a module reads while it loads
 * stays English.
 */
export function spoken<Words extends object>(words: Words, others: Loaders<NoInfer<Words>>): Words {
  const english = copyWords(words);
  const area: Area = {
    words,
    load: async (language) => (language === "en" ? english : others[language]()),
  };
  areas.push(area);
  // The page speaks another language already: this area is of a part that was loaded on demand.
  if (wanted.language !== "en") void put([area], wanted).catch(() => undefined);
  return words;
}

/** Speaks another language. Resolves once its words are in place; rejects, and changes nothing, where they cannot be loaded. */
export async function speak(speech: Speech): Promise<void> {
  const before = wanted;
  wanted = speech;
  try {
    await put(areas, speech);
  } catch (error) {
    if (wanted === speech) wanted = before;
    throw error;
  }
}

async function put(some: readonly Area[], speech: Speech): Promise<void> {
  const loaded = await Promise.all(some.map(async ({ words, load }) => ({ words, next: await load(speech.language) })));
  // Another language was chosen meanwhile.
  if (wanted !== speech) return;
  for (const { words, next } of loaded) putWords(words, next);
  setSpeech(speech);
  document.documentElement.lang = speech.language;
  now.set({ ...speech });
}
