/**
 * `npm run test:package [-- Vitest's arguments]`: builds the package, and in a copy of the checkout once more, and as a
 * higher version; then installs, runs, upgrades and removes it on a bare Debian. Needs root on a Debian with debootstrap;
 * not part of `npm test`.
 */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { mainProgram } from "../setup/main-program.mjs";
import { prepare } from "../setup/prepare.mjs";
import { SetUpError } from "../setup/set-up-error.mjs";
import { closingLines } from "../setup/test-counts.mjs";
import { startTestEnvironment } from "../setup/test-environment.mjs";
import { allTests, runVitest } from "../setup/vitest.mjs";
import { buildVersion, copyCheckout } from "./build-copy.mjs";
import { buildTime } from "./build-time.mjs";
import { debianPackage } from "./debian.mjs";
import { debianArchive, packageTestPrograms } from "./debian-archive.mjs";
import { packageFacts, runElectronBuilder, unpackedFolder } from "./unpacked.mjs";

await mainProgram(async (context) => {
  for (const need of ["/usr/sbin/debootstrap", "/usr/bin/dpkg-deb", "/usr/bin/unshare"]) {
    if (!existsSync(need))
      throw new SetUpError(`The test of the package needs ${need}: run it on a Debian that has it.`);
  }
  if (process.getuid?.() !== 0) throw new SetUpError("The test of the package needs root, for a system of its own.");
  const runtime = await prepare("test", context);
  const archive = await debianArchive(context, packageTestPrograms);
  await runElectronBuilder(["dir"], runtime, context);

  const folder = mkdtempSync(path.join(tmpdir(), "patchbay-debs-"));
  const place = await startTestEnvironment(runtime, { desktop: false, ...context });
  try {
    const { version } = packageFacts();
    const seconds = await buildTime();
    // Fast compression; the contents are the same.
    const make = (/** @type {string} */ app, /** @type {string} */ number) =>
      debianPackage({
        app,
        version: number,
        seconds,
        to: folder,
        signal: context.signal,
        compression: ["-Zgzip", "-z1"],
      });
    const copy = path.join(folder, "copy");
    await copyCheckout(copy, context.signal);
    const next = higher(version);
    const env = {
      ...place.env,
      PATCHBAY_AGAIN: await buildVersion(version, copy, { runtime, ...context }),
      PATCHBAY_DEB: await make(unpackedFolder(), version),
      PATCHBAY_HIGHER_DEB: await make(await buildVersion(next, copy, { runtime, ...context }), next),
      PATCHBAY_UNPACKED: unpackedFolder(),
      PATCHBAY_DEBIAN: archive,
    };
    const counts = await runVitest(
      allTests("package"),
      ["--bail=1", ...process.argv.slice(2)],
      { ...place, env },
      context,
    );
    process.stdout.write(`${closingLines(counts)}\n`);
    return counts.failed === 0 ? 0 : 1;
  } finally {
    await place.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});

/** @param {string} version */
function higher(version) {
  return version.replace(/^\d+/, (major) => String(Number(major) + 1));
}
