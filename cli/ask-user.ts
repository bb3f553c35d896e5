import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { CliError } from "./parse/exit-codes.ts";

/** The exit code of a program that Ctrl-C ended, as in shells. */
const INTERRUPTED = 130;

/**
 * Asks the user at the terminal of this process; what is typed is not shown where it is secret. The question goes to
 * stderr, because stdout may be a pipe.
 *
 * @throws CliError when the user ends the question with Ctrl-C or Ctrl-D
 */
export async function askUser(question: string, { secret }: { readonly secret: boolean }): Promise<string> {
  const hidden = new Writable({ write: (_piece, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: secret ? hidden : process.stderr, terminal: secret });
  // Only now: the terminal echoes no more, so that a program which answers the question at once does not show the key.
  process.stderr.write(question);
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once("line", resolve);
      lines.once("close", () => reject(new CliError(INTERRUPTED, "Nothing was entered.")));
      lines.once("SIGINT", () => lines.close());
    });
  } finally {
    lines.close();
    if (secret) process.stderr.write("\n");
  }
}
