import { fileURLToPath } from "node:url";
import { runHeadlessClients } from "./headless-client.ts";
import { nextSteps } from "./next-steps.ts";
import { parseOptions, UsageError } from "./options/options.ts";
import { printLogins } from "./print-logins.ts";
import { startRelay } from "./start-relay.ts";
import { isUserError } from "./user-errors.ts";

const HELP = `Usage: patchbay serve [options]

Runs the relay without the desktop app, until Ctrl-C.

  --port N        port on 127.0.0.1 (default 7717; 0 picks a free one)
  --listen ADDRESS[:PORT]
                  let other machines in too, over TLS: 0.0.0.0 is every address
                  of this one (default port: the one after --port)
  --tls-cert F    PEM file of your own certificate for that, with its chain
  --tls-key F     PEM file of its private key (default for both: Patchbay makes
                  a certificate, and prints its fingerprint)
  --data DIR      where the data lives (default: the platform's own place)
  --client        run a client in it too, so that commands are executed
  --keep-shells   leave the shells running when it stops, for the next start
  --base-path P   serve everything under P as well, for example /x
  --log-level L   the least that is logged: debug, info, warn or error
                  (default info)
`;

/** Runs the relay under plain Node until it is told to stop. Exit codes: 1 could not start, 2 usage. */
export async function main(args: readonly string[]): Promise<void> {
  if (args.includes("--help") || args.includes("-h")) {
    process.stdout.write(HELP);
    return;
  }
  try {
    const options = parseOptions(args, process.env);
    const running = await startRelay(options, fileURLToPath(new URL("..", import.meta.url)));
    const print = (line: string) => process.stdout.write(`${line}\n`);
    for (const notice of running.notices) print(notice);
    const stopClients = options.client ? runHeadlessClients(running.relay, print) : undefined;
    print(nextSteps(running, options));
    const stopTelling = printLogins(running.relay.logins, print, { data: options.ownData ? options.data : undefined });
    const lost = await Promise.race([stopSignal(), running.lost]);
    if (lost !== undefined) process.exitCode = 1;
    if (options.keepShells) running.keepShells();
    stopTelling();
    stopClients?.();
    await running.close();
  } catch (error) {
    if (!isUserError(error)) throw error;
    process.stderr.write(`patchbay: ${error.message}\n`);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}

function stopSignal(): Promise<undefined> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => resolve(undefined));
  });
}
