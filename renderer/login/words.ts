import { spoken } from "../ui/language.ts";
import { sentence } from "../ui/sentence.ts";

/** The texts of the window that asks about logins. */
export const words = {
  title: "Programs that ask to be let in",
  question: "Let this program in?",
  asks: sentence(
    "{program}, from {address}, asks for an API key. With the key it can do everything in your sessions that you can.",
  ),
  code: "Code",
  check: "Allow it only if you started it and it shows the same code.",
  deny: "Deny",
  allow: "Codes match, allow",
};

spoken(words, {
  de: () => import("./words.de.ts").then((german) => german.words),
  ja: () => import("./words.ja.ts").then((japanese) => japanese.words),
});
