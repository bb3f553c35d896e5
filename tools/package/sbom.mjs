import { readFileSync } from "node:fs";
import path from "node:path";

/**
 * The software bill of materials, as CycloneDX 1.5: what is in the package, not what was needed to build it (that is
 * `npm sbom`). Without a time or a serial number, so that the same commit gives the same file.
 * @param {readonly import("./shipped.mjs").Shipped[]} shipped
 * @param {{ root: string, version: string, electron: string, chromium: string, node: string }} facts
 *   the versions of Electron, and of what it contains
 */
export function sbom(shipped, { root, version, electron, chromium, node }) {
  const { packages } = JSON.parse(readFileSync(path.join(root, "package-lock.json"), "utf8"));
  const app = { type: "application", "bom-ref": `patchbay@${version}`, name: "patchbay", version };
  // Electron's own version says nothing to scanners that look for holes in Chromium and Node.
  const runtime = [
    partOfRuntime("electron", electron, { license: "MIT", cpe: "electronjs:electron" }),
    partOfRuntime("chromium", chromium, { license: "BSD-3-Clause", cpe: "google:chrome" }),
    partOfRuntime("node", node, { license: "MIT", cpe: "nodejs:node.js" }),
  ];
  const components = shipped.map(({ name, version: its, license, folder, how }) => ({
    type: "library",
    "bom-ref": `${name}@${its}`,
    name,
    version: its,
    purl: `pkg:npm/${name.replace(/^@/, "%40")}@${its}`,
    licenses: [/[ ()]/.test(license) ? { expression: license } : { license: { id: license } }],
    ...hashes(packages[path.relative(root, folder).split(path.sep).join("/")]?.integrity),
    properties: [{ name: "patchbay:shipped", value: how }],
  }));
  const all = [...runtime, ...components];
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    version: 1,
    metadata: { component: app },
    components: all,
    dependencies: [{ ref: app["bom-ref"], dependsOn: all.map((component) => component["bom-ref"]) }],
  };
}

/**
 * @param {string} name
 * @param {string} version
 * @param {{ license: string, cpe: string }} facts `cpe`: vendor and product in the National Vulnerability Database
 */
function partOfRuntime(name, version, { license, cpe }) {
  return {
    type: "framework",
    "bom-ref": `${name}@${version}`,
    name,
    version,
    cpe: `cpe:2.3:a:${cpe}:${version}:*:*:*:*:*:*:*`,
    purl: `pkg:generic/${name}@${version}`,
    licenses: [{ license: { id: license } }],
  };
}

/** What the lock file pinned; of the archive in the registry. @param {string | undefined} integrity */
function hashes(integrity) {
  const digest = integrity?.match(/^sha512-(.+)$/)?.[1];
  return digest === undefined
    ? {}
    : { hashes: [{ alg: "SHA-512", content: Buffer.from(digest, "base64").toString("hex") }] };
}
