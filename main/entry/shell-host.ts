import { runShellHost } from "./run-shell-host.ts";

/** The entry of the process that holds the shells, under plain Node. */
await runShellHost(process.argv.slice(2));
// Pseudo-terminals that are not quite gone yet must not hold it up.
process.exit(0);
