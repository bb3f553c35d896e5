import { execFile } from "node:child_process";
import { readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { cp, mkdir } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { checkout } from "../setup/checkout.mjs";
import { run } from "../setup/run.mjs";
import { SetUpError } from "../setup/set-up-error.mjs";
import { runElectronBuilder, unpackedFolder } from "./unpacked.mjs";

/** Generated folders and folders that the build does not use. */
const NOT_COPIED = ["node_modules", "dist", "release", "coverage", ".git"];

/**
 * Copies this checkout with its dependencies, but without build output, so that a build there is independent of this one.
 * @param {string} folder must not exist yet
 * @param {AbortSignal} signal
 */
export async function copyCheckout(folder, signal) {
  await mkdir(folder);
  for (const name of readdirSync(checkout).filter((entry) => !NOT_COPIED.includes(entry))) {
    await cp(path.join(checkout, name), path.join(folder, name), { recursive: true, verbatimSymlinks: true });
  }
  // Copies instead of links, because bundles contain source paths relative to the checkout.
  await promisify(execFile)("cp", ["-a", path.join(checkout, "node_modules"), folder], { signal });
}

/**
 * Builds and unpacks the app in a copy of the checkout, with that version. Returns the app's folder, which remains when
 * the copy is built as another version.
 * @param {string} version
 * @param {string} root
 * @param {{ runtime: import("../setup/electron-runtime.mjs").ElectronRuntime, signal: AbortSignal }} context
 */
export async function buildVersion(version, root, { runtime, signal }) {
  const facts = path.join(root, "package.json");
  const text = readFileSync(facts, "utf8");
  writeFileSync(
    facts,
    text.replace(/(?<=^\s*"version": ")[^"]*/m, () => version),
  );
  const code = await run(process.execPath, ["tools/build.mjs"], { signal, cwd: root });
  if (code !== 0) throw new SetUpError(`The build in ${root} failed with ${code}.`);
  await runElectronBuilder(["dir"], runtime, { signal, root });
  const made = path.join(root, `app-${version}`);
  renameSync(unpackedFolder(root), made);
  return made;
}
