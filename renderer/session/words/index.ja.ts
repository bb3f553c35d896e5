import { actions, keys, menu, palette, shells } from "./commands.ja.ts";
import { chat, frame, layouts, overview, toasts, view, welcome } from "./frame.ja.ts";
import { restore } from "./restore.ja.ts";
import { stage, terminal, tiles } from "./tiles.ja.ts";

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
