import { copyFileSync, existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import { SetUpError } from "./set-up-error.mjs";

/**
 * Returns a packaged app that Playwright can drive through its inspector, which a package has switched off. Only the
 * executable is a copy, in `folder`, with that one fuse on.
 * @param {string} executable of the unpacked package
 * @param {string} folder
 * @returns {Promise<string>} the executable to start
 */
export async function drivenApp(executable, folder) {
  if (!existsSync(executable)) throw new SetUpError(`E2E_APP: there is no ${executable}; \`npm run dist\` makes it.`);
  const from = path.dirname(path.resolve(executable));
  const name = path.basename(executable);
  mkdirSync(folder, { recursive: true });
  for (const entry of readdirSync(from)) {
    if (entry !== name) symlinkSync(path.join(from, entry), path.join(folder, entry));
  }
  const copy = path.join(folder, name);
  copyFileSync(executable, copy);
  // Installed by the set-up, after this module was loaded.
  const { FuseV1Options, FuseVersion, flipFuses } = await import("@electron/fuses");
  await flipFuses(copy, { version: FuseVersion.V1, [FuseV1Options.EnableNodeCliInspectArguments]: true });
  return copy;
}
