import { actions, keys, menu, palette, shells } from "./commands.de.ts";
import { chat, frame, layouts, overview, toasts, view, welcome } from "./frame.de.ts";
import { restore } from "./restore.de.ts";
import { stage, terminal, tiles } from "./tiles.de.ts";

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
