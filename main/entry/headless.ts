import { fileURLToPath } from "node:url";
import type { ServeModule } from "../../cli/commands/serve.ts";
import { exitCodes } from "../../cli/parse/exit-codes.ts";
import { runHeadlessClients } from "./headless-client.ts";
import { nextSteps } from "./next-steps.ts";
import { parseOptions, UsageError } from "./options/options.ts";
import { printLogins } from "./print-logins.ts";
import { startRelay } from "./start-relay.ts";
import { isUserError } from "./user-errors.ts";

/** `patchbay serve`: runs the relay under plain Node until it is told to stop. Returns 1 if it could not start, 2 for usage. */
export const main: ServeModule["main"] = async (args) => {
  try {
    const options = parseOptions(args, process.env);
    const running = await startRelay(options, fileURLToPath(new URL("..", import.meta.url)));
    const print = (line: string) => process.stdout.write(`${line}\n`);
    for (const notice of running.notices) print(notice);
    const stopClients = options.client ? runHeadlessClients(running.relay, print) : undefined;
    print(nextSteps(running, options));
    const stopTelling = printLogins(running.relay.logins, print, { data: options.ownData ? options.data : undefined });
    const lost = await Promise.race([stopSignal(), running.lost]);
    if (options.keepShells) running.keepShells();
    stopTelling();
    stopClients?.();
    await running.close();
    return lost === undefined ? exitCodes.ok : exitCodes.refused;
  } catch (error) {
    if (!isUserError(error)) throw error;
    process.stderr.write(`patchbay: ${error.message}\n`);
    return error instanceof UsageError ? exitCodes.usage : exitCodes.refused;
  }
};

function stopSignal(): Promise<undefined> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => resolve(undefined));
  });
}
