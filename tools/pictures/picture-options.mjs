import { copyFileSync, existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { checkout } from "../setup/checkout.mjs";

/** Where every picture is drawn, to be looked at; the documentation keeps the few that it shows. */
const DRAWN = path.join(checkout, "dist", "screens");

/** Heights of the windows that pictures of other widths than usual are taken of. */
const HEIGHTS = /** @type {const} */ ([
  [600, 760],
  [1200, 700],
  [2000, 1000],
  [Number.POSITIVE_INFINITY, 1440],
]);

/**
 * Reads the words of a picture script: `--to FOLDER`; `--widths 420,900`, or `--places NAME,NAME` of these places, for every
 * state there; and `--forced-colors` for the system's own colours in the place of both themes.
 * @param {readonly PictureSize[]} usual
 * @param {Readonly<Record<string, Omit<PictureSize, "name">>>} [places]
 * @returns {{ target: string, sizes: readonly PictureSize[], every: boolean, themes: readonly Theme[] }}
 *
 * @typedef {{ name: string, width: number, height: number, hasTouch?: boolean, isDrawer?: boolean, isPage?: boolean }} PictureSize
 *   `name` is a part of the file's name; `isDrawer`: the panel is the drawer of a window of this size; `isPage`: a page in a browser
 * @typedef {"dark" | "light" | "forced"} Theme
 */
export function pictureOptions(usual, places = {}) {
  const text = /** @type {const} */ ({ type: "string" });
  const { values } = parseArgs({
    options: { to: text, widths: text, places: text, "forced-colors": { type: "boolean" } },
  });
  const { to, widths } = values;
  const named = values.places?.split(",").map((name) => {
    const place = places[name];
    if (place === undefined) throw new Error(`--places takes ${Object.keys(places).join(", ") || "none here"}`);
    return { name, ...place };
  });
  return {
    target: to === undefined ? DRAWN : path.resolve(to),
    sizes: named ?? widths?.split(",").map((width) => sizeOf(Number(width))) ?? usual,
    every: named !== undefined || widths !== undefined,
    themes: values["forced-colors"] ? ["forced"] : ["dark", "light"],
  };
}

/** @param {number} width @returns {PictureSize} */
function sizeOf(width) {
  if (!Number.isInteger(width) || width < 200 || width > 4000)
    throw new Error("--widths takes widths in pixels: 420,900");
  const [, height = 700] = HEIGHTS.find(([below]) => width < below) ?? [];
  return { name: String(width), width, height };
}

/**
 * Copies into docs/screens what README.md and the pages in docs show of the drawn pictures. Nothing else is committed: the
 * history keeps every version of a picture for ever.
 * @param {string} drawn folder with the pictures
 */
export function keepShown(drawn) {
  const docs = path.join(checkout, "docs");
  const pages = readdirSync(docs).filter((name) => name.endsWith(".md"));
  const text = [path.join(checkout, "README.md"), ...pages.map((name) => path.join(docs, name))]
    .map((file) => readFileSync(file, "utf8"))
    .join("\n");
  for (const [, name = ""] of text.matchAll(/screens\/([\w-]+\.png)/g))
    if (existsSync(path.join(drawn, name))) copyFileSync(path.join(drawn, name), path.join(docs, "screens", name));
}
