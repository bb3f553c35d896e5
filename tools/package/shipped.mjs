import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/**
 * @typedef {object} Shipped a third-party package that is part of ours
 * @property {string} name
 * @property {string} version
 * @property {string} license as its package.json says it (SPDX)
 * @property {string} folder its folder in this checkout
 * @property {"bundled" | "whole"} how
 */

/** Below dist, but not in the package. */
const NOT_PACKED = /^(cli-docs|client|bench)[\\/]/;
/** Packages that tools/build.mjs copies unchanged. */
const COPIED = ["swagger-ui-dist"];

/**
 * Returns the third-party packages in a package of this checkout, by name: those in the source maps of the bundles, the
 * fonts of the pages, copied packages, and run-time dependencies. The list comes from the build and the packed files,
 * so it contains nothing that is not shipped.
 * @param {{ root: string, files: readonly string[] }} packed `files`: the paths that the package holds
 * @returns {Shipped[]}
 */
export function shippedPackages({ root, files }) {
  const bundled = [
    ...bundledFolders(root),
    ...fontFolders(root),
    ...COPIED.map((name) => path.join("node_modules", name)),
  ];
  const whole = [...new Set(files.flatMap((file) => packageFolder(file) ?? []))];
  /** @type {Map<string, Shipped>} */
  const found = new Map();
  for (const folder of [...bundled, ...whole]) {
    const { name, version, license = "UNKNOWN" } = packageIn(path.join(root, folder));
    found.set(`${name}@${version}`, {
      name,
      version,
      license,
      folder: path.join(root, folder),
      how: whole.includes(folder) ? "whole" : "bundled",
    });
  }
  return [...found.values()].sort((a, b) =>
    a.name < b.name ? -1 : a.name > b.name ? 1 : a.version < b.version ? -1 : 1,
  );
}

/** @param {string} root */
function bundledFolders(root) {
  const dist = path.join(root, "dist");
  const maps = readdirSync(dist, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".map") && !NOT_PACKED.test(file),
  );
  const sources = maps.flatMap((map) => JSON.parse(readFileSync(path.join(dist, map), "utf8")).sources);
  return new Set(sources.flatMap((/** @type {string} */ source) => packageFolder(source) ?? []));
}

/** `node_modules/a/node_modules/@b/c` of a source below it; undefined for our own. @param {string} source */
export function packageFolder(source) {
  const [, inside] = source.match(/((?:^|\/)node_modules\/.*)/) ?? [];
  if (inside === undefined) return undefined;
  const found = inside.match(/^\/?(.*node_modules\/(?:@[^/]+\/)?[^/]+)/)?.[1];
  return found === undefined ? undefined : path.normalize(found);
}

/** Style sheets, which import the fonts, have no source map. @param {string} root */
function fontFolders(root) {
  const assets = readdirSync(path.join(root, "dist", "renderer", "assets"));
  const families = path.join("node_modules", "@fontsource-variable");
  return readdirSync(path.join(root, families))
    .filter((family) => assets.some((file) => file.startsWith(`${family}-`) && file.endsWith(".woff2")))
    .map((family) => path.join(families, family));
}

/** @param {string} folder @returns {{ name: string, version: string, license?: string }} */
function packageIn(folder) {
  const file = path.join(folder, "package.json");
  if (!existsSync(file)) throw new Error(`${folder} is in the package, but not installed here: run npm ci.`);
  return JSON.parse(readFileSync(file, "utf8"));
}
