import { createHash } from "node:crypto";
import path from "node:path";
import { cacheFolder } from "./cache-folder.mjs";
import { checkout } from "./checkout.mjs";
import { installDependencies } from "./dependencies.mjs";
import { electronRuntime } from "./electron-runtime.mjs";
import { withLock } from "./lock.mjs";
import { nodeVersionProblem } from "./node-version.mjs";
import { SetUpError } from "./set-up-error.mjs";
import { installSystemPackages } from "./system-packages.mjs";

/**
 * Runs the whole set-up, skipping completed steps: Node's version, system packages, dependencies, the
 * Electron runtime, the build.
 * @param {"start" | "test"} purpose
 * @param {import("./run.mjs").Context} context
 * @returns {Promise<import("./electron-runtime.mjs").ElectronRuntime>}
 */
export async function prepare(purpose, context) {
  const problem = nodeVersionProblem(process.versions.node);
  if (problem !== undefined) throw new SetUpError(problem);
  return withLock(lockOfCheckout(), { ...context, waitingFor: "this checkout" }, async () => {
    await installSystemPackages(purpose, context);
    await installDependencies(context);
    const runtime = await electronRuntime(context);
    const { build } = await import("../build.mjs");
    await build({ log: context.log });
    return runtime;
  });
}

/** Outside of the checkout, because `npm ci` empties node_modules and other folders belong to the user. */
function lockOfCheckout() {
  const name = createHash("sha256").update(checkout).digest("hex").slice(0, 16);
  return path.join(cacheFolder(), "locks", `${name}.lock`);
}
