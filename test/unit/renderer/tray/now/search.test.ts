import { expect, test } from "vitest";
import { findEntries, type SearchEntry } from "../../../../../renderer/tray/now/search.ts";

const entry = (group: SearchEntry["group"], name: string, detail = "", keywords = ""): SearchEntry => ({
  ...{ key: `${group} ${name}`, group, name, detail, keywords, enter: "" },
  run: () => undefined,
});
const entries = [
  entry("sessions", "migrations", "build-box"),
  entry("people", "Mira", "guest"),
  entry("settings", "Theme, start at login", "Settings", "dark light"),
  entry("places", "Agents", "", "costs budget"),
  entry("sessions", "the shell keeps", ""),
  entry("actions", "Pause notifications", "", "mute"),
];
const names = (text: string) => findEntries(entries, text).map(({ name }) => name);

test("a name is found at the start of each of its words, and by what it is also called", () => {
  expect(names("mi")).toEqual(["migrations", "Mira"]);
  expect(names("start")).toEqual(["Theme, start at login"]);
  expect(names("BUILD")).toEqual(["migrations"]);
  expect(names("budget")).toEqual(["Agents"]);
});

test("letters in the middle of a word, or spread over several, find nothing", () => {
  expect(names("help")).toEqual([]);
  expect(names("ira")).toEqual([]);
  expect(names("")).toEqual([]);
});

test("the whole name is before a beginning, whatever its group, and the typed letters are known", () => {
  const all = [entry("sessions", "mirabelle"), entry("people", "Mira")];
  expect(findEntries(all, "mira").map(({ name }) => name)).toEqual(["Mira", "mirabelle"]);
  const [hit] = findEntries([entry("sessions", "docs of mira")], "Mira");
  expect([hit?.from, hit?.to]).toEqual([8, 12]);
});
