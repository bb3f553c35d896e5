import { spoken } from "../ui/language.ts";

/** The texts of the toasts of sessions without a visible window. */
export const words = {
  title: "Messages",
  dismiss: "Dismiss",
  kinds: {
    info: "Info",
    success: "Done",
    error: "Error",
  },
};

spoken(words, {
  de: () => import("./words.de.ts").then((german) => german.words),
  ja: () => import("./words.ja.ts").then((japanese) => japanese.words),
});
