/** `npm run e2e [-- Vitest's arguments]`: does all set-up, then runs end-to-end tests alone, on a desktop of their own. */
import { mainProgram } from "./setup/main-program.mjs";
import { prepare } from "./setup/prepare.mjs";
import { closingLine } from "./setup/test-counts.mjs";
import { startTestPlace } from "./setup/test-place.mjs";
import { runVitest } from "./setup/vitest.mjs";

await mainProgram(async (context) => {
  const runtime = await prepare("test", context);
  const place = await startTestPlace(runtime, { desktop: true, ...context });
  try {
    const counts = await runVitest("e2e", process.argv.slice(2), place, context);
    process.stdout.write(`${closingLine(counts)}\n`);
    return counts.failed === 0 ? 0 : 1;
  } finally {
    await place.stop();
  }
});
