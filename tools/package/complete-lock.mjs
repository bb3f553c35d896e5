/**
 * Adds entries to package-lock.json that npm omits if a registry lacks a package for another platform:
 * the entries of native parts that this machine never installs. Without them `npm ci` refuses the lock. Run it after
 * every `npm install`.
 */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { checkout } from "../setup/checkout.mjs";

/** @typedef {{ version?: string, optionalDependencies?: Record<string, string>, [key: string]: unknown }} Entry */

const file = path.join(checkout, "package-lock.json");
/** @type {{ packages: Record<string, Entry> }} */
const lock = JSON.parse(readFileSync(file, "utf8"));
/** Packages whose platform parts are named `<kind>-<os>-<cpu>[-<libc>]`. */
const FAMILIES = /^@(biomejs\/cli|rolldown\/binding)-/;

let added = 0;
for (const [place, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    if (!FAMILIES.test(name) || isLocked(place, name, version)) continue;
    const parent = place.slice(0, place.lastIndexOf("node_modules/"));
    lock.packages[`${parent}node_modules/${name}`] = entryFor(name, version);
    added += 1;
  }
}
if (added > 0) {
  lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, "en")));
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
}
process.stderr.write(`package-lock.json: ${added} entries added\n`);

/** @param {string} place @param {string} name @param {string} version */
function isLocked(place, name, version) {
  const parent = place.slice(0, place.lastIndexOf("node_modules/"));
  const places = [`${place}/node_modules/${name}`, `${parent}node_modules/${name}`, `node_modules/${name}`];
  return places.some((candidate) => lock.packages[candidate]?.version === version);
}

/** @param {string} name @param {string} version @returns {Entry} */
function entryFor(name, version) {
  const [os = "", cpu = "", libc = ""] = name.replace(FAMILIES, "").split("-");
  const common = { version, dev: true, license: "MIT", optional: true };
  if (os === "wasm32") return { ...common, cpu: ["wasm32"] };
  const c = libc === "musl" ? { libc: ["musl"] } : os === "linux" && libc.startsWith("gnu") ? { libc: ["glibc"] } : {};
  return { ...common, cpu: [cpu], ...c, os: [os] };
}
