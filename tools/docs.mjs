/** `npm run docs [-- --check]`: writes the documents that follow from the code, or says which are out of date. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "./build.mjs";
import { checkout } from "./setup/checkout.mjs";
import { mainProgram } from "./setup/main-program.mjs";
import { SetUpError } from "./setup/set-up-error.mjs";

await mainProgram(async ({ log }) => {
  await build({ log });
  const { commandsDoc, operationsDoc, errorsDoc } = await import(
    pathToFileURL(path.join(checkout, "dist", "cli-docs", "docs.js")).href
  );
  const { settingsDoc } = await import(pathToFileURL(path.join(checkout, "dist", "cli-docs", "settings.js")).href);
  const documents = {
    "docs/reference/commands.md": commandsDoc(),
    "docs/reference/operations.md": operationsDoc(),
    "docs/reference/errors.md": errorsDoc(),
    "docs/reference/settings.md": settingsDoc(),
  };
  const stale = Object.entries(documents).filter(([file, text]) => textOf(file) !== text);
  if (process.argv.includes("--check")) {
    if (stale.length === 0) return 0;
    throw new SetUpError(`Out of date: ${stale.map(([file]) => file).join(", ")}. Run \`npm run docs\`.`);
  }
  for (const [file, text] of stale) writeFileSync(path.join(checkout, file), text);
  log(stale.length === 0 ? "the documents are up to date" : `written: ${stale.map(([file]) => file).join(", ")}`);
  return 0;
});

/** @param {string} file */
function textOf(file) {
  try {
    return readFileSync(path.join(checkout, file), "utf8");
  } catch {
    return undefined;
  }
}
