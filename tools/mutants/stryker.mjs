/**
 * `npm run test:stryker [-- AREA|FOLDER|FILE]`: changes the sources of an area one expression at a time, and runs the unit tests
 * that reach it. Fails if fewer than 90 of 100 changes are noticed. Without an area: the one of this night.
 */
import path from "node:path";
import { checkout } from "../setup/checkout.mjs";
import { installDependencies } from "../setup/dependencies.mjs";
import { mainProgram } from "../setup/main-program.mjs";
import { run } from "../setup/run.mjs";
import { areaOf, patternsOf } from "./stryker-areas.mjs";

await mainProgram(async (context) => {
  const [area = areaOf(new Date())] = process.argv.slice(2);
  await installDependencies(context);
  context.log(`mutants of ${area}`);
  const stryker = path.join(checkout, "node_modules", "@stryker-mutator", "core", "bin", "stryker.js");
  return run(process.execPath, [stryker, "run", "--mutate", patternsOf(area).join(",")], context);
});
