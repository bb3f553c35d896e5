import { expect, test } from "vitest";
import { keys as german } from "../../../../../renderer/session/words/commands.de.ts";
import { keys as english } from "../../../../../renderer/session/words/commands.ts";

test.each([
  ["English", english],
  ["German", german],
])("the shortcuts of actions with two states name both as verbs in %s", (_, keys) => {
  const names = [keys.maximize, keys.chat, keys.readOut, keys.closeEnded, keys.typeIntoAll];
  expect(names.filter((name) => !/ (or|oder) /.test(name) || /, (or|oder) /.test(name))).toEqual([]);
});
