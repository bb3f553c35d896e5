import { languageOf } from "../../core/phrases.ts";
import type { PageBridge } from "../../preload/channels.ts";
import { speak } from "./language.ts";

/**
 * Makes a page of the app speak as the app does, which names its language in the page's address and when it changes.
 * Resolves when the page may show its first words.
 */
export async function speakAppLanguage(bridge: PageBridge, { search }: Pick<Location, "search">): Promise<void> {
  bridge.on("app.speech", (speech) => void speak(speech).catch(() => undefined));
  const told = new URLSearchParams(search);
  const language = languageOf(told.get("language") ?? "") ?? "en";
  await speak({ language, locale: told.get("locale") ?? undefined }).catch(() => undefined);
}
