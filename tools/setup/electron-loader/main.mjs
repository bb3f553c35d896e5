/**
 * What Electron's own default app does, for the stand-in Electron that lacks it: runs the app whose folder is the first
 * argument that is not an option (`electron [options] PATH [arguments]`; `-r FILE` loads a module first).
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { app } from "electron";

const require = createRequire(import.meta.url);
const words = process.argv.slice(1);
/** @type {string | undefined} */
let folder;
for (let word = words.shift(); word !== undefined && folder === undefined; word = words.shift()) {
  if (word === "-r" || word === "--require") {
    const file = words.shift();
    if (file !== undefined) require(path.resolve(file));
  } else if (!word.startsWith("-")) folder = path.resolve(word);
}

if (folder === undefined) {
  process.stderr.write("usage: electron [options] PATH [arguments]\n");
  app.exit(2);
} else {
  const {
    name,
    productName,
    version,
    main = "index.js",
  } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
  Object.assign(process, { defaultApp: true });
  const unpackaged = /** @type {typeof app & { setAppPath(path: string): void, setVersion(version: string): void }} */ (
    app
  );
  unpackaged.setAppPath(folder);
  unpackaged.setName(productName ?? name);
  unpackaged.setVersion(version);
  try {
    // Awaited: Electron holds `ready` back until this module has been evaluated.
    await import(pathToFileURL(path.join(folder, main)).href);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
    app.exit(1);
  }
}
