import { OLDEST_NODE } from "./setup/node-version.mjs";

/** pino-roll uses five functions of date-fns and asks for all of it: 600 kB to read at each start. @type {import("rolldown").Plugin} */
export const datesOfLogRotation = {
  name: "dates-of-log-rotation",
  resolveId: (id, importer) => (id === "date-fns" && importer?.includes("pino-roll") ? DATES : null),
  load: (id) =>
    id === DATES
      ? ["format", "addDays", "addHours", "parse", "isValid"]
          .map((name) => `export { ${name} } from "date-fns/${name}";`)
          .join("\n")
      : null,
};
const DATES = "\0dates-of-log-rotation";

/**
 * Leaves out parts of libraries that load all of themselves: in systeminformation, all but the processes and connections
 * of Windows; in iconv-lite, the tables of Chinese, Japanese and Korean charsets, as requests are in UTF-8.
 * @type {import("rolldown").Plugin}
 */
export const unusedParts = {
  name: "unused-parts",
  load: (id) => (UNUSED.some((part) => part.test(id)) ? "module.exports = {};" : null),
};
const UNUSED = [
  /node_modules[\\/]systeminformation[\\/]lib[\\/](?!(?:index|util|processes|network)\.js$)/,
  /node_modules[\\/]iconv-lite[\\/]encodings[\\/]dbcs-data\.js$/,
];

/**
 * Escapes what is not ASCII: a text with one other character is decoded ten times as slowly, and takes twice the memory.
 * An escape means the same in strings, templates, patterns and names, but not in the raw text of a template.
 * @type {import("rolldown").Plugin}
 */
export const asciiOutput = {
  name: "ascii-output",
  // Not earlier: rolldown prints the code once more after it was rendered.
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== "chunk") continue;
      const raw = /String\.raw`[^`]*[^\0-\x7f]/.exec(chunk.code);
      if (raw !== null) throw new Error(`${chunk.fileName} has a raw text that is not ASCII: ${raw[0].slice(0, 100)}`);
      chunk.code = chunk.code.replace(
        /[^\0-\x7f]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
      );
    }
  },
};

/**
 * libsql asks for a diagnostic report of the whole process to learn which C library Linux has, which takes as long as a
 * fifth of Node's start. It takes the answer "musl" for doubtful, because of another engine, and then looks into a file.
 * @type {import("rolldown").Plugin}
 */
export const targetOfLibsql = {
  name: "target-of-libsql",
  transform: (code, id) =>
    /node_modules[\\/]@neon-rs[\\/]load[\\/]dist[\\/]index\.js$/.test(id)
      ? { code: code.replace(/process\.report\??\.getReport\(\)/, "undefined"), map: null }
      : null,
};

/**
 * Starts the command line by `main.js`, which says so where Node is too old. The program's syntax is an error to such a
 * Node, and this file's is not. The installed app runs it by Electron, whose Node is not the user's to update.
 * @type {import("rolldown").Plugin}
 */
export const checkedNode = {
  name: "checked-node",
  generateBundle() {
    const [major = "", minor = ""] = OLDEST_NODE.split(".");
    const source = `"use strict";
var version = process.versions.node.split(".");
var isOld = version[0] < ${major} || (version[0] == ${major} && version[1] < ${minor});
if (isOld && !process.versions.electron) {
  var needs = "Patchbay needs Node.js ${major}.${minor} or later, and this is " + process.versions.node + ".";
  console.error((process.env.PATCHBAY_PROGRAM || "patchbay") + ": " + needs);
  process.exit(1);
}
module.exports = require("./program.js");
`;
    this.emitFile({ type: "asset", fileName: "cli/main.js", source });
  },
};
