import { crc32, deflateSync, inflateSync } from "node:zlib";

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

const COLOURS = 256;
/** So many of them are not to be changed at all: areas, borders and the strokes of text. */
const EXACT = 144;

/**
 * The same picture with at most 256 colours, which for a screen of text is a third of the size. Takes what a browser's
 * screenshot is: 8 bits a channel, RGB or RGBA (transparency is dropped), not interlaced.
 * @param {Buffer} png
 */
export function palettePng(png) {
  const { width, height, pixels } = decode(png);
  const palette = coloursOf(pixels);
  /** @type {Map<number, number>} */
  const known = new Map(palette.map((colour, index) => [colour, index]));
  const rows = Buffer.alloc((width + 1) * height);
  for (const [at, pixel] of pixels.entries()) {
    const row = Math.floor(at / width);
    let index = known.get(pixel);
    if (index === undefined) {
      index = nearest(palette, pixel);
      known.set(pixel, index);
    }
    rows[row * (width + 1) + 1 + (at % width)] = index;
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  const table = Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", header),
    chunk("PLTE", table),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** The most frequent colours as they are, and of the others those that look least alike. @param {Uint32Array} pixels */
function coloursOf(pixels) {
  /** @type {Map<number, number>} */
  const counts = new Map();
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  const ordered = [...counts].toSorted((a, b) => b[1] - a[1]).map(([colour]) => colour);
  for (let apart = 0; ; apart += 24) {
    const chosen = ordered.slice(0, EXACT);
    for (const colour of ordered.slice(EXACT)) {
      if (chosen.length > COLOURS) break;
      if (chosen.every((other) => distance(colour, other) >= apart)) chosen.push(colour);
    }
    if (chosen.length <= COLOURS) return chosen;
  }
}

/** @param {readonly number[]} palette @param {number} pixel */
function nearest(palette, pixel) {
  let best = 0;
  for (const [index, colour] of palette.entries()) {
    if (distance(colour, pixel) < distance(palette[best] ?? 0, pixel)) best = index;
  }
  return best;
}

/** @param {number} a @param {number} b */
function distance(a, b) {
  const [red, green, blue] = [(a >> 16) - (b >> 16), ((a >> 8) & 255) - ((b >> 8) & 255), (a & 255) - (b & 255)];
  return red * red + green * green + blue * blue;
}

/** @param {Buffer} png @returns {{ width: number, height: number, pixels: Uint32Array }} */
function decode(png) {
  const width = png.readUInt32BE(16);
  const height = png.readUInt32BE(20);
  const [depth, kind, , , interlaced] = png.subarray(24, 29);
  const channels = kind === 6 ? 4 : 3;
  if (depth !== 8 || (kind !== 2 && kind !== 6) || interlaced !== 0) throw new Error("not a browser's screenshot");
  const parts = [];
  for (let at = 8; at < png.length; at += png.readUInt32BE(at) + 12) {
    if (png.toString("latin1", at + 4, at + 8) === "IDAT")
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  }
  const data = inflateSync(Buffer.concat(parts));
  const stride = width * channels;
  const pixels = new Uint32Array(width * height);
  let above = new Uint8Array(stride);
  for (let row = 0; row < height; row++) {
    const start = row * (stride + 1);
    const line = unfilter(data[start] ?? 0, data.subarray(start + 1, start + 1 + stride), { above, channels });
    for (let column = 0; column < width; column++) {
      const [red = 0, green = 0, blue = 0] = line.subarray(column * channels, column * channels + 3);
      pixels[row * width + column] = (red << 16) | (green << 8) | blue;
    }
    above = line;
  }
  return { width, height, pixels };
}

/** Undoes a row's filter (PNG, section 9). @param {number} filter @param {Uint8Array} row @param {{ above: Uint8Array, channels: number }} around */
function unfilter(filter, row, { above, channels }) {
  const line = new Uint8Array(row.length);
  for (const [at, value] of row.entries()) {
    const left = at < channels ? 0 : (line[at - channels] ?? 0);
    const up = above[at] ?? 0;
    const corner = at < channels ? 0 : (above[at - channels] ?? 0);
    const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] ?? 0;
    line[at] = value + guess;
  }
  return line;
}

/** @param {number} left @param {number} up @param {number} corner */
function paeth(left, up, corner) {
  const [toLeft, toUp, toCorner] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}

/** @param {string} type @param {Buffer} data */
function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}
