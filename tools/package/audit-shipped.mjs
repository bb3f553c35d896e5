/**
 * `node tools/package/audit-shipped.mjs`: fails for each package in the app with a known vulnerability that is high or critical.
 * Most of these packages are bundled and stand under devDependencies, which `npm audit --omit=dev` leaves out. Needs a
 * build (`npm run build`), whose source maps name what is bundled.
 */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { checkout } from "../setup/checkout.mjs";
import { shippedPackages } from "./shipped.mjs";

/**
 * @typedef {{ name: string, title: string, url: string, severity: string }} Advisory
 * @typedef {{ name: string, via: readonly (string | Advisory)[], nodes: readonly string[] }} Vulnerability
 * @typedef {{ vulnerabilities: Readonly<Record<string, Vulnerability>> }} AuditReport as `npm audit --json` prints it
 */

const SEVERE = ["high", "critical"];

/**
 * Returns one line for each severe vulnerability of a package itself, of those in these folders.
 * @param {AuditReport} report
 * @param {readonly string[]} folders from the checkout on, with slashes
 */
export function shippedVulnerabilities({ vulnerabilities }, folders) {
  return Object.values(vulnerabilities).flatMap(({ name, via, nodes }) => {
    const places = nodes.filter((node) => folders.includes(node));
    if (places.length === 0) return [];
    return via.flatMap((cause) =>
      typeof cause === "string" || !SEVERE.includes(cause.severity)
        ? []
        : [`${name} (${places.join(", ")}): ${cause.severity}: ${cause.title} ${cause.url}`],
    );
  });
}

/** Returns the folders of what is in the app: what is bundled, what is loaded at run time, and Electron. */
export function shippedFolders() {
  const { packages } = JSON.parse(readFileSync(path.join(checkout, "package-lock.json"), "utf8"));
  const loaded = Object.keys(packages).filter((folder) => folder !== "" && packages[folder].dev !== true);
  const bundled = shippedPackages({ root: checkout, files: [] }).map(({ folder }) =>
    path.relative(checkout, folder).split(path.sep).join("/"),
  );
  return [...new Set([...loaded, ...bundled, "node_modules/electron"])];
}

/** Asks the registry. npm fails if there is any vulnerability, with the same report. @returns {Promise<AuditReport>} */
async function auditReport() {
  const stdout = await new Promise((resolve) => {
    execFile("npm", ["audit", "--json"], { cwd: checkout, maxBuffer: 1 << 28 }, (_error, output) => resolve(output));
  });
  const report = JSON.parse(stdout);
  if (report.vulnerabilities === undefined) throw new Error(`npm audit gave no report: ${stdout.slice(0, 500)}`);
  return report;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const folders = shippedFolders();
  const found = shippedVulnerabilities(await auditReport(), folders);
  process.stdout.write([...found, `${found.length} in ${folders.length} packages of the app`, ""].join("\n"));
  if (found.length > 0) process.exitCode = 1;
}
