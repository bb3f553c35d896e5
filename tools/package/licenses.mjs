import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const RULE = "-".repeat(100);

/**
 * The licences of everything in the package, in one text: a list, then each text with the names that it is for.
 * @param {readonly import("./shipped.mjs").Shipped[]} shipped
 * @param {{ electron: string }} versions
 */
export function licensesText(shipped, { electron }) {
  /** @type {Map<string, string[]>} */
  const texts = new Map();
  for (const one of shipped) {
    const text = licenseOf(one);
    texts.set(text, [...(texts.get(text) ?? []), `${one.name} ${one.version}`]);
  }
  const list = shipped.map(({ name, version, license, how }) => `${name} ${version}: ${license} (${how})`);
  return [
    "Patchbay is made of the work of others as well. These parts are in it, under these licences.",
    "",
    `Electron ${electron}: its licence is in LICENSE.electron.txt, and those of Chromium, Node.js and what they are made of`,
    "in LICENSES.chromium.html. Patchbay's own is in LICENSE.patchbay.",
    "",
    ...list,
    ...[...texts].flatMap(([text, names]) => ["", RULE, ...names, "", text]),
    "",
  ].join("\n");
}

/** Returns the package's license texts, or its license name if it has none. @param {import("./shipped.mjs").Shipped} one */
function licenseOf({ folder, license }) {
  const files = licenseFiles(folder);
  if (files.length === 0) return `(The package carries no text of its licence; its package.json says: ${license}.)`;
  return files
    .map((file) => readFileSync(path.join(folder, file), "utf8").replaceAll("\r\n", "\n").trim())
    .join("\n\n");
}

/** @param {string} folder */
function licenseFiles(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && /^(licen[cs]e|copying|notice)|\.LICENSE\.txt$/i.test(entry.name))
    .map(({ name }) => name)
    .sort();
}
