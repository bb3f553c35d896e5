/**
 * `npm run test:chaos [-- Vitest's arguments]`: 200 kills under load, full disks, damaged files, bursts. Minutes long, so
 * it is not part of `npm test`, which has a short form. PATCHBAY_CHAOS_KILLS and PATCHBAY_CHAOS_SEED change the kills.
 */
import { mainProgram } from "./setup/main-program.mjs";
import { prepare } from "./setup/prepare.mjs";
import { closingLine } from "./setup/test-counts.mjs";
import { startTestPlace } from "./setup/test-place.mjs";
import { runVitest } from "./setup/vitest.mjs";

await mainProgram(async (context) => {
  const runtime = await prepare("test", context);
  const place = await startTestPlace(runtime, { desktop: true, ...context });
  // The place leaves out what begins with PATCHBAY_, except what these tests are told.
  const told = Object.entries(process.env).filter(([name]) => name.startsWith("PATCHBAY_CHAOS_"));
  const env = { ...place.env, ...Object.fromEntries(told) };
  try {
    const counts = await runVitest("chaos", process.argv.slice(2), { ...place, env }, context);
    process.stdout.write(`${closingLine(counts)}\n`);
    return counts.failed === 0 ? 0 : 1;
  } finally {
    await place.stop();
  }
});
