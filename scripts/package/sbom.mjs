import { readFileSync } from "node:fs";
import path from "node:path";

/**
 * The software bill of materials, as CycloneDX 1.5: what is in the package, not what was needed to build it (that is
 * `npm sbom`). Without a time or a serial number, so that the same commit gives the same file.
 * @param {readonly import("./shipped.mjs").Shipped[]} shipped
 * @param {{ root: string, version: string, electron: string }} facts
 */
export function sbom(shipped, { root, version, electron }) {
  const { packages } = JSON.parse(readFileSync(path.join(root, "package-lock.json"), "utf8"));
  const app = { type: "application", "bom-ref": `patchbay@${version}`, name: "patchbay", version };
  const runtime = {
    type: "framework",
    "bom-ref": `electron@${electron}`,
    name: "electron",
    version: electron,
    purl: `pkg:generic/electron@${electron}`,
    licenses: [{ license: { id: "MIT" } }],
  };
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
  const all = [runtime, ...components];
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    version: 1,
    metadata: { component: app },
    components: all,
    dependencies: [{ ref: app["bom-ref"], dependsOn: all.map((component) => component["bom-ref"]) }],
  };
}

/** What the lock file pinned; of the archive in the registry. @param {string | undefined} integrity */
function hashes(integrity) {
  const digest = integrity?.match(/^sha512-(.+)$/)?.[1];
  return digest === undefined
    ? {}
    : { hashes: [{ alg: "SHA-512", content: Buffer.from(digest, "base64").toString("hex") }] };
}
