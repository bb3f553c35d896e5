import { basename } from "node:path";
import { exitCodes, signalExitCodes } from "./parse/exit-codes.ts";
import { runProgram } from "./program.ts";
import type { Io } from "./render/io.ts";

const program = basename(process.env.PATCHBAY_PROGRAM ?? "") === "service" ? "service" : "patchbay";

const LINGER_MS = 50;

// A reader that closes the pipe early (`| head`) is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  process.stderr.write(`${program}: the output could not be written.\n`);
  process.exit(exitCodes.refused);
});

// A relay stops by itself, and has its own listeners.
if (!process.argv.includes("serve")) {
  for (const [signal, code] of Object.entries(signalExitCodes)) {
    process.on(signal, () => {
      if (process.listenerCount(signal) === 1) process.exit(code);
    });
  }
}

/** Resolves once the exit code is set. A bundle in CommonJS cannot await it at its top level. */
export const finished = main();

async function main(): Promise<void> {
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
    ...(process.stdin.isTTY ? { ask: askUser } : {}),
    onInterrupt(listener) {
      process.on("SIGINT", listener);
      return () => void process.off("SIGINT", listener);
    },
  });

  // What is still pending is not waited for, such as the look-up of a name that no server answers: it cannot be cancelled,
  // and takes the resolver's own time. The timer does not keep the process alive itself. A relay ends by itself.
  if (!process.argv.includes("serve")) {
    process.stdout.write("", () => process.stderr.write("", () => setTimeout(() => process.exit(), LINGER_MS).unref()));
  }
}

/** Loaded only when it is used: few commands ask. */
async function askUser(...question: Parameters<NonNullable<Io["ask"]>>): Promise<string> {
  return (await import("./ask-user.ts")).askUser(...question);
}
