/** `node tools/system-packages.mjs start|test`: runs the one step of the set-up that requires root separately. */
import { mainProgram } from "./setup/main-program.mjs";
import { SetUpError } from "./setup/set-up-error.mjs";
import { installSystemPackages } from "./setup/system-packages.mjs";

await mainProgram(async (context) => {
  const purpose = process.argv[2] ?? "start";
  if (purpose !== "start" && purpose !== "test")
    throw new SetUpError(`The purpose is "start" or "test", not "${purpose}".`);
  await installSystemPackages(purpose, context);
  context.log(`the system packages for "${purpose}" are there`);
});
