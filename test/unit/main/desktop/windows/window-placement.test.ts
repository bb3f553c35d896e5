import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { SessionId } from "../../../../../core/protocol/ids.ts";
import {
  besideOthers,
  boundsOnScreen,
  WindowPlacementStore,
} from "../../../../../main/desktop/windows/window-placement.ts";

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

const there = {
  via: "remote",
  machine: "box",
  session: { id: SessionId.parse("abcDEF123456-_xy"), name: "work" },
} as const;

test("what is open is known at the next start, in the order of its use; what was closed keeps its place only", () => {
  const places = open();
  places.remember("s1", place, true);
  places.remember("s2", place, true);
  places.remember("box/s", place, there);
  places.remember("s1#1", place);
  places.remember("s1", { ...place, x: 7 }, true);
  places.close("s2");
  places.close("s3");
  const again = open();
  expect(again.open()).toEqual([
    { name: "box/s", session: there },
    { name: "s1", session: true },
  ]);
  expect(again.find("s1", [screen])).toEqual({ ...place, x: 7 });
  expect(again.find("s2", [screen])).toEqual(place);
});

test("the places of an earlier version are read", () => {
  writeFileSync(file, JSON.stringify({ s1: place }));
  expect(open().find("s1", [screen])).toEqual(place);
  expect(open().open()).toEqual([]);
});

test("the file stays small: windows that are closed give way, and one that is too large counts as none", () => {
  const places = open();
  places.remember("open", place, true);
  for (let number = 0; number < 300; number += 1) places.remember(`s${number}`, place);
  expect(Object.keys(JSON.parse(readFileSync(file, "utf8")))).toHaveLength(200);
  expect(places.find("s99", [screen])).toBeUndefined();
  expect(places.find("s299", [screen])).toEqual(place);
  expect(open().open()).toEqual([{ name: "open", session: true }]);
  writeFileSync(file, JSON.stringify({ s1: place }) + " ".repeat(300 * 1024));
  expect(open().find("s1", [screen])).toBeUndefined();
});

test.each([
  `{"s1":{"x":1,"y":1,"width":5,"height":5,"maximized":false,"open":"yes"}}`,
  `{"s1":{"x":1,"y":1,"width":5,"height":5,"maximized":false,"open":{"via":"remote","machine":"box"}}}`,
  `{"s1":{"x":1e9,"y":1,"width":5,"height":5,"maximized":false,"open":true}}`,
  `{"${"s".repeat(301)}":{"x":1,"y":1,"width":5,"height":5,"maximized":false,"open":true}}`,
])("what no window can be opens none: %s", (text) => {
  writeFileSync(file, text);
  expect(open().open()).toEqual([]);
});

test("a window that would open exactly over others goes a step beside them, on the screen", () => {
  const size = { width: 1280, height: 800 };
  const opened: { x: number; y: number; width: number; height: number }[] = [];
  for (let number = 0; number < 12; number += 1) {
    opened.push({ ...besideOthers({ x: 320, y: 140, ...size }, opened, screen), ...size });
  }
  expect(opened.slice(0, 3).map(({ x, y }) => [x, y])).toEqual([
    [320, 140],
    [352, 172],
    [384, 204],
  ]);
  expect(new Set(opened.map(({ x, y }) => `${x},${y}`)).size).toBe(12);
  expect(opened.every(({ x, y }) => x + 1280 <= 1920 && y + 800 <= 1080)).toBe(true);
  // No room at all.
  const whole = { ...screen };
  expect(besideOthers(whole, [whole], screen)).toEqual({ x: 0, y: 0 });
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
