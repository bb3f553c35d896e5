import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { boundsOnScreen, WindowPlacementStore } from "../../../../../main/desktop/windows/window-placement.ts";

const screen = { x: 0, y: 0, width: 1920, height: 1080 };
const place = { x: 100, y: 50, width: 1280, height: 800, maximized: false };
let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "patchbay-places-"));
  file = path.join(folder, "windows.json");
});
afterEach(() => rmSync(folder, { recursive: true }));

function open(said: string[] = []) {
  return new WindowPlacementStore(file, (line) => said.push(line));
}

test("a place is there again at the next start, and only for its user", () => {
  open().remember("s1", place);
  expect(open().find("s1", [screen])).toEqual(place);
  expect(open().find("s2", [screen])).toBeUndefined();
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("a place on a screen that is gone, or out of reach, counts as none", () => {
  const places = open();
  const second = { x: 1920, y: 0, width: 1920, height: 1080 };
  places.remember("s1", { ...place, x: 2000 });
  expect(places.find("s1", [screen, second])).toMatchObject({ x: 2000 });
  expect(places.find("s1", [screen])).toBeUndefined();
  places.remember("s1", { ...place, y: -300 });
  expect(places.find("s1", [screen])).toBeUndefined();
});

test.each(["", "{", "[]", '{"s1":{"x":"far"}}', '{"s1":{"x":1,"y":1,"width":-5,"height":0,"maximized":false}}'])(
  "a damaged file counts as none: %s",
  (text) => {
    writeFileSync(file, text);
    expect(open().find("s1", [screen])).toBeUndefined();
  },
);

test("a forgotten place leaves the file, and what cannot be saved is said", () => {
  const places = open();
  places.remember("s1", place);
  places.forget("s1");
  expect(readFileSync(file, "utf8")).toBe("{}");

  const said: string[] = [];
  new WindowPlacementStore(path.join(folder, "no", "such", "folder.json"), (line) => said.push(line)).remember(
    "s1",
    place,
  );
  expect(said[0]).toMatch(/places of windows could not be saved/);
});

test.each([
  { title: "in sight stays", window: { x: 100, y: 50, width: 800, height: 600 }, goes: undefined },
  {
    title: "of a screen that is gone comes to the nearest edge of another",
    window: { x: 2000, y: -40, width: 800, height: 600 },
    goes: { x: 1120, y: 0, width: 800, height: 600 },
  },
  {
    title: "that is larger than what is left becomes as large as that",
    window: { x: 5000, y: 0, width: 3840, height: 2160 },
    goes: { x: 0, y: 0, width: 1920, height: 1080 },
  },
])("a window $title", ({ window, goes }) => {
  expect(boundsOnScreen(window, [screen], screen)).toEqual(goes);
});
