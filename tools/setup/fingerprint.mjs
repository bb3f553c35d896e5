import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

/**
 * A digest of the names and contents of files and of everything below folders; what does not exist counts as absent.
 * It uses contents and not times, so that switching branches back and forth builds nothing.
 * @param {string} root
 * @param {readonly string[]} inputs relative to root
 */
export function fingerprint(root, inputs) {
  const hash = createHash("sha256");
  for (const file of inputs.flatMap((input) => filesIn(root, input))) {
    const content = readFileSync(path.join(root, file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}

/** @param {string} root @param {string} input @returns {string[]} */
function filesIn(root, input) {
  const place = path.join(root, input);
  if (!existsSync(place)) return [];
  if (statSync(place).isFile()) return [input];
  return readdirSync(place, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) =>
      entry.isDirectory() || entry.isFile() ? filesIn(root, path.posix.join(input, entry.name)) : [],
    );
}
