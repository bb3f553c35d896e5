import UPNG from "upng-js";

const COLOURS = 256;

/**
 * Reduces a picture to at most 256 colours: for a screen of text, a third of the size.
 * @param {Buffer} png
 * @returns {Buffer}
 */
export function palettePng(png) {
  const picture = UPNG.decode(new Uint8Array(png).buffer);
  return Buffer.from(UPNG.encode(UPNG.toRGBA8(picture), picture.width, picture.height, COLOURS));
}
