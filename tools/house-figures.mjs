/**
 * `node tools/house-figures.mjs [REF...]`: prints figures of the product's sources side by side, by default of the commit that the
 * third round began with and of HEAD. Names are compared as texts, so an export counts as used if its
 * name stands in another file.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { checkout } from "./setup/checkout.mjs";

const PRODUCT = ["core", "main", "cli", "client", "preload", "renderer"];
const USERS = [...PRODUCT, "test", "bench", "fuzz", "scripts", "tools"];
const SMALL = 20;
const LARGE = 400;

const refs = process.argv.length > 2 ? process.argv.slice(2) : ["c0d0ceee", "HEAD"];
const columns = refs.map(figuresOf);
for (const name of Object.keys(columns[0] ?? {})) {
  process.stdout.write(`${name.padEnd(44)}${columns.map((column) => String(column[name]).padStart(10)).join("")}\n`);
}

/**
 * @param {string} ref
 * @returns {Record<string, number | string>}
 */
function figuresOf(ref) {
  const folder = mkdtempSync(path.join(tmpdir(), "patchbay-figures-"));
  try {
    const tar = execFileSync("git", ["archive", "--format=tar", ref], { cwd: checkout, maxBuffer: 2 ** 30 });
    execFileSync("tar", ["-x", "-C", folder], { input: tar });
    return count(folder, ref);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {string} root @param {string} ref */
function count(root, ref) {
  const files = sourcesIn(root, PRODUCT);
  const lengths = files.map(({ text }) => text.split("\n").length - 1).sort((one, other) => one - other);
  const inAll = wordsOf(sourcesIn(root, USERS));
  const inProduct = wordsOf(files);
  const exported = files.flatMap(({ text }) => exportsOf(text));
  const declared = (/** @type {string} */ folder, /** @type {RegExp} */ form) =>
    sourcesIn(root, [folder]).flatMap(({ text }) => [...text.matchAll(form)].map(([, name = ""]) => name));
  const commands = declared("core/commands", /^export const (\w+) = (?:relayC|c)ommand\(/gm);
  const operations = declared("core/operations", /^ {2}(\w+): operation\(/gm);
  const asked = declared("core/protocol", /^ {2}(\w+): (?:\{\s*\.\.\.)?op\(/gm);
  const { scripts } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
  return {
    "": ref,
    files: files.length,
    lines: lengths.reduce((sum, length) => sum + length, 0),
    "median of a file": quantile(lengths, 0.5),
    "p90 of a file": quantile(lengths, 0.9),
    [`files of ${SMALL} lines or fewer`]: lengths.filter((length) => length <= SMALL).length,
    [`files of more than ${LARGE} lines`]: lengths.filter((length) => length > LARGE).length,
    "exports named in no other file": exported.filter((name) => inAll.get(name) === 1).length,
    "exports named by tests and tools only": exported.filter(
      (name) => inProduct.get(name) === 1 && inAll.get(name) !== 1,
    ).length,
    commands: commands.length,
    operations: operations.length,
    "operations that only clients ask for": asked.length,
    "names with more than one declaration": repeated([...commands, ...operations, ...asked]),
    "declarations for each thing": (
      (commands.length + operations.length + asked.length) /
      new Set([...commands, ...operations, ...asked]).size
    ).toFixed(2),
    "npm scripts": Object.keys(scripts).length,
  };
}

/** @param {string} root @param {readonly string[]} folders */
function sourcesIn(root, folders) {
  return folders.flatMap((folder) => {
    const entries = listed(path.join(root, folder));
    const sources = entries.filter((entry) => entry.isFile() && /\.(ts|tsx|mjs)$/.test(entry.name));
    return sources.map(({ parentPath, name }) => ({ text: readFileSync(path.join(parentPath, name), "utf8") }));
  });
}

/** @param {string} folder */
function listed(folder) {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true });
  } catch {
    return [];
  }
}

/** @param {string} text */
function exportsOf(text) {
  const form = /^export (?:declare )?(?:async )?(?:abstract )?(?:function\*?|const|class|interface|type|enum) (\w+)/gm;
  return [...new Set([...text.matchAll(form)].map(([, name = ""]) => name))];
}

/** Counts the files that each word stands in. @param {readonly { text: string }[]} files */
function wordsOf(files) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { text } of files) {
    for (const word of new Set(text.match(/\w+/g))) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}

/** @param {readonly number[]} sorted @param {number} share */
function quantile(sorted, share) {
  return sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
}

/** @param {readonly string[]} names */
function repeated(names) {
  return new Set(names.filter((name, index) => names.indexOf(name) !== index)).size;
}
