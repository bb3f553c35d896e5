/**
 * `node tools/package/sbom-diff.mjs OLD.json NEW.json`: prints, as Markdown, which components two bills of materials (CycloneDX)
 * do not share. The release workflow adds it to the notes of a release.
 */
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

/** @typedef {{ name: string, version: string, licenses?: { license?: { id?: string }, expression?: string }[] }} Component */

/**
 * Compares two bills of materials by their components' names.
 * @param {{ components: readonly Component[] }} before
 * @param {{ components: readonly Component[] }} after
 * @returns {string} Markdown
 */
export function sbomDiff(before, after) {
  const old = new Map(before.components.map((component) => [component.name, component]));
  const now = new Map(after.components.map((component) => [component.name, component]));
  const rows = [...new Set([...old.keys(), ...now.keys()])].sort().flatMap((name) => {
    const [was, is] = [described(old.get(name)), described(now.get(name))];
    return was === is ? [] : [`| ${name} | ${was} | ${is} |`];
  });
  if (rows.length === 0) return "The bill of materials has not changed.";
  return ["| Component | Before | Now |", "|---|---|---|", ...rows].join("\n");
}

/** @param {Component | undefined} component */
function described(component) {
  if (component === undefined) return "none";
  const licenses = (component.licenses ?? []).map(({ license, expression }) => license?.id ?? expression ?? "unknown");
  return `${component.version} (${licenses.join(", ") || "unknown"})`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const [before, after] = process.argv.slice(2).map((file) => JSON.parse(readFileSync(file, "utf8")));
  if (before === undefined || after === undefined) throw new Error("Name two files: sbom-diff.mjs OLD.json NEW.json.");
  process.stdout.write(`${sbomDiff(before, after)}\n`);
}
