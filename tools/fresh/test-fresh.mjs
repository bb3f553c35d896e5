/**
 * `npm run test:fresh [-- start|test|user-start|user-test|package …]`: follows the README on machines with only Debian's
 * minimum, Node and npm, each a root made by debootstrap, independent of what is installed on this machine.
 * Needs root on a Linux with debootstrap; not part of `npm test`.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { debianArchive } from "../package/debian-archive.mjs";
import { checkout } from "../setup/checkout.mjs";
import { installDependencies } from "../setup/dependencies.mjs";
import { mainProgram } from "../setup/main-program.mjs";
import { SetUpError } from "../setup/set-up-error.mjs";
import { closingLines } from "../setup/test-counts.mjs";
import { FreshCheckout, USER } from "./checkout-in-root.mjs";
import { packagePart } from "./package-part.mjs";
import { Report, StepError } from "./report.mjs";

const USUAL_PORT = 7717;

/** @typedef {{ archive: string, start: string, signal: AbortSignal }} Given */

/** @type {Readonly<Record<string, (report: Report, given: Given) => Promise<void>>>} */
const PARTS = {
  /** `npm start` as root: it installs what is missing. */
  async start(report, given) {
    await inFreshCheckout("start", "root", report, given, (fresh) => [
      ["`npm start` comes up, its lines work, Ctrl-C ends it", () => fresh.startsAndStops(given.start)],
    ]);
  },
  async test(report, given) {
    await inFreshCheckout("test", "root", report, given, (fresh) => [["`npm test`", () => testsPass(fresh)]]);
  },
  /** An ordinary user is told which command to run; afterwards everything works. */
  async "user-start"(report, given) {
    await inFreshCheckout("user-start", USER, report, given, (fresh) => [
      ["`npm start` says what to install, and that is enough", () => fresh.refusedThenObeyed(given.start)],
      ["`npm start` comes up, its lines work, Ctrl-C ends it", () => fresh.startsAndStops(given.start)],
    ]);
  },
  async "user-test"(report, given) {
    await inFreshCheckout("user-test", USER, report, given, (fresh) => [
      ["`npm test` says what to install, and that is enough", () => fresh.refusedThenObeyed("npm test")],
      ["`npm test`", () => testsPass(fresh)],
    ]);
  },
  package: packagePart,
};

await mainProgram(async (context) => {
  const parts = wantedParts(process.argv.slice(2));
  requireMachine();
  if (isDirty()) context.log("What is not committed here is not tested.");
  await installDependencies(context);
  const given = {
    archive: await debianArchive(context, []),
    start: (await isFree(USUAL_PORT)) ? "npm start" : "npm start -- --port 0",
    signal: context.signal,
  };
  const report = new Report(context.log);
  for (const part of parts) await PARTS[part]?.(report, given);
  process.stdout.write(`\n${report.summary()}${closingLines(report.counts())}\n`);
  return report.counts().failed === 0 ? 0 : 1;
});

/**
 * @param {string} part
 * @param {string} user
 * @param {Report} report
 * @param {Given} given
 * @param {(fresh: FreshCheckout) => readonly (readonly [string, () => Promise<string | void>])[]} steps
 */
async function inFreshCheckout(part, user, report, { archive, signal }, steps) {
  const fresh = await FreshCheckout.start({ archive, part, user, signal });
  try {
    await report.part(part, steps(fresh), signal);
  } finally {
    await fresh[Symbol.asyncDispose]();
  }
}

/** @param {FreshCheckout} fresh */
async function testsPass(fresh) {
  const output = await fresh.must("npm test");
  const line = /^.*\d+ passed, (\d+) failed, \d+ skipped.*$/gm;
  const last = [...output.matchAll(line)].at(-1);
  if (last === undefined || last[1] !== "0") throw new StepError(`npm test ended without a clean count: ${last?.[0]}`);
  return last[0].trim();
}

/** @param {readonly string[]} words */
function wantedParts(words) {
  const names = Object.keys(PARTS);
  const unknown = words.filter((word) => !names.includes(word));
  if (unknown.length > 0)
    throw new SetUpError(`There is no part "${unknown.join('", "')}" of this test; there are ${names.join(", ")}.`);
  return words.length === 0 ? names : names.filter((name) => words.includes(name));
}

function requireMachine() {
  if (process.platform !== "linux" || process.getuid?.() !== 0)
    throw new SetUpError("The test of a fresh machine needs root on Linux, for systems of its own.");
  for (const need of ["/usr/sbin/debootstrap", "/usr/bin/unshare", "/usr/bin/nsenter", "/usr/bin/git"])
    if (!existsSync(need))
      throw new SetUpError(`The test of a fresh machine needs ${need}: apt-get install -y debootstrap util-linux git`);
}

function isDirty() {
  const { stdout } = spawnSync("git", ["status", "--porcelain"], { cwd: checkout, encoding: "utf8" });
  return stdout !== "";
}

/** The roots share this machine's network, where a relay may run already. @param {number} port @returns {Promise<boolean>} */
function isFree(port) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
