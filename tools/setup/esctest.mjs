import { existsSync } from "node:fs";
import path from "node:path";
import { cacheFolder } from "./cache-folder.mjs";
import { withLock } from "./lock.mjs";
import { publishFolder } from "./publish-folder.mjs";
import { run } from "./run.mjs";
import { SetUpError } from "./set-up-error.mjs";

const REPOSITORY = "https://github.com/ThomasDickey/esctest2";
/** A later one may have other tests, and the figures of docs/conformance.md would be others. */
const ESCTEST_COMMIT = "664be3cf2c1e3f06bc93a8bafb48a0db83c607db";

/**
 * Returns the checkout of esctest2, a test suite for terminals under the GPL: `PATCHBAY_ESCTEST`, or one in the user's
 * cache folder, which the first call fetches.
 * @param {import("./run.mjs").Context} context
 */
export async function fetchEsctest(context) {
  const given = process.env.PATCHBAY_ESCTEST;
  const folder = given
    ? path.resolve(given)
    : path.join(cacheFolder(), "peers", `esctest2-${ESCTEST_COMMIT.slice(0, 12)}`);
  if (!given) {
    const lock = path.join(cacheFolder(), "locks", "peers.lock");
    await withLock(lock, { ...context, waitingFor: "esctest2" }, async () => {
      if (!existsSync(folder)) await publishFolder(folder, (target) => fetch(target, context));
    });
  }
  if (!existsSync(path.join(folder, "esctest", "esctest.py")))
    throw new SetUpError(`${folder} is no checkout of esctest2: it has no esctest/esctest.py.`);
  return folder;
}

/** @param {string} folder @param {import("./run.mjs").Context} context */
async function fetch(folder, context) {
  context.log(`fetching esctest2 ${ESCTEST_COMMIT.slice(0, 12)}`);
  const git = (/** @type {string[]} */ ...words) => run("git", ["-C", folder, ...words], context);
  const failed =
    (await run("git", ["init", "--quiet", folder], context)) ||
    (await git("fetch", "--quiet", "--depth", "1", REPOSITORY, ESCTEST_COMMIT)) ||
    (await git("checkout", "--quiet", "FETCH_HEAD"));
  if (failed === 0) return;
  throw new SetUpError(
    `esctest2 cannot be fetched here. Where it can, run \`git clone ${REPOSITORY} && git -C esctest2 checkout ${ESCTEST_COMMIT}\`, bring the folder here, and name it with PATCHBAY_ESCTEST.`,
  );
}
