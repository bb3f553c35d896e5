import path from "node:path";
import { parseArgs } from "node:util";

/** Heights of the windows that pictures of other widths than usual are taken of. */
const HEIGHTS = /** @type {const} */ ([
  [600, 760],
  [1200, 700],
  [2000, 1000],
  [Number.POSITIVE_INFINITY, 1440],
]);

/**
 * Reads the words of a picture script: `--to FOLDER`, and `--widths 420,900` for every state at these widths, also those
 * that the documentation does not show.
 * @param {{ target: string, sizes: readonly PictureSize[] }} usual
 * @returns {{ target: string, sizes: readonly PictureSize[], every: boolean }}
 *
 * @typedef {{ name: string, width: number, height: number }} PictureSize `name` is a part of the file's name
 */
export function pictureOptions({ target, sizes }) {
  const { values } = parseArgs({ options: { to: { type: "string" }, widths: { type: "string" } } });
  const { to, widths } = values;
  if (widths !== undefined && to === undefined)
    throw new Error("--widths needs --to FOLDER: docs/screens stays small.");
  return {
    target: to === undefined ? target : path.resolve(to),
    sizes: widths === undefined ? sizes : widths.split(",").map((width) => sizeOf(Number(width))),
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
