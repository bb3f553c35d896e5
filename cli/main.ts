import { basename } from "node:path";
import { exitCodes } from "./parse/exit-codes.ts";
import { runProgram } from "./program.ts";

const program = basename(process.env.PATCHBAY_PROGRAM ?? "") === "service" ? "service" : "patchbay";

// A reader that closes the pipe early (`| head`) is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  process.stderr.write(`${program}: the output could not be written.\n`);
  process.exit(exitCodes.refused);
});

process.exitCode = await runProgram({
  args: process.argv.slice(2),
  env: process.env,
  program,
  stdout: {
    write: (text) => void process.stdout.write(text),
    isTTY: process.stdout.isTTY === true,
    columns: process.stdout.columns || 80,
  },
  stderr: { write: (text) => void process.stderr.write(text) },
  stdin: () => process.stdin,
  onInterrupt(listener) {
    process.on("SIGINT", listener);
    return () => void process.off("SIGINT", listener);
  },
});
