import { spoken } from "../../ui/language.ts";
import { actions, keys, menu, palette, shells } from "./commands.ts";
import { chat, frame, layouts, overview, toasts, view, welcome } from "./frame.ts";
import { restore } from "./restore.ts";
import { stage, terminal, tiles } from "./tiles.ts";

/** The texts of the session view. */
export const words = {
  actions,
  chat,
  frame,
  keys,
  layouts,
  menu,
  overview,
  palette,
  restore,
  shells,
  stage,
  terminal,
  tiles,
  toasts,
  view,
  welcome,
};

spoken(words, {
  de: () => import("./index.de.ts").then((german) => german.words),
  ja: () => import("./index.ja.ts").then((japanese) => japanese.words),
});
