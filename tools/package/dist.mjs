/**
 * `npm run dist [-- --official] [electron-builder's targets]`: builds the packages that this machine can into release/,
 * and lists the others with the reason. Named targets are tried as well. With --official it fails unless it packs the
 * release of Electron that package-lock.json chose.
 */
import { statSync } from "node:fs";
import path from "node:path";
import { checkout } from "../setup/checkout.mjs";
import { requireOfficial, runtimeLine } from "../setup/electron-runtime.mjs";
import { mainProgram } from "../setup/main-program.mjs";
import { prepare } from "../setup/prepare.mjs";
import { SetUpError } from "../setup/set-up-error.mjs";
import { buildTime } from "./build-time.mjs";
import { debianPackage } from "./debian.mjs";
import { packedSizes } from "./sizes.mjs";
import { targetsOn, targetTable } from "./targets.mjs";
import { packageFacts, runElectronBuilder, unpackedFolder } from "./unpacked.mjs";

const OFFICIAL = "--official";

await mainProgram(async (context) => {
  const targets = targetsOn(process.platform);
  const official = process.argv.includes(OFFICIAL);
  const asked = process.argv.slice(2).filter((word) => word !== OFFICIAL);
  const unknown = asked.filter((name) => !targets.some((target) => target.name === name));
  if (unknown.length > 0)
    throw new SetUpError(
      `No such package: ${unknown.join(", ")}; there are ${targets.map(({ name }) => name).join(", ")}.`,
    );
  context.log(`packages that can be built here:\n${targetTable(targets)}`);
  const runtime = await prepare("start", context);
  context.log(runtimeLine(runtime));
  if (official) requireOfficial(runtime);

  const wanted = targets.filter(({ name, built }) => built || asked.includes(name)).map(({ name }) => name);
  await runElectronBuilder(
    wanted.filter((name) => name !== "deb"),
    runtime,
    context,
  );
  const app = unpackedFolder();
  const { ours, runtime: theirs } = packedSizes(app);
  context.log(`${path.relative(checkout, app)}: ${megabytes(ours)} of Patchbay, ${megabytes(theirs)} of Electron`);
  if (!wanted.includes("deb")) return;
  const { version } = packageFacts();
  const release = path.join(checkout, "release");
  const file = await debianPackage({ app, version, seconds: await buildTime(), to: release, signal: context.signal });
  context.log(`${path.relative(checkout, file)}: ${megabytes(statSync(file).size)}`);
});

/** @param {number} bytes */
function megabytes(bytes) {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
