import { runShellHost } from "./run-shell-host.ts";

/** The entry point of the shell host under plain Node. */
await runShellHost(process.argv.slice(2));
// Pseudo-terminals that are still closing must not delay the exit.
process.exit(0);
