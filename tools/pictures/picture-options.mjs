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
 * Reads the words of a picture script: `--to FOLDER`, and `--widths 420,900` for every state at these widths.
 * @param {readonly PictureSize[]} usual
 * @returns {{ target: string, sizes: readonly PictureSize[], every: boolean }}
 *
 * @typedef {{ name: string, width: number, height: number }} PictureSize `name` is a part of the file's name
 */
export function pictureOptions(usual) {
  const { values } = parseArgs({ options: { to: { type: "string" }, widths: { type: "string" } } });
  const { to, widths } = values;
  return {
    target: to === undefined ? DRAWN : path.resolve(to),
    sizes: widths === undefined ? usual : widths.split(",").map((width) => sizeOf(Number(width))),
    every: widths !== undefined,
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
