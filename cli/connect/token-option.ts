import { createReadStream } from "node:fs";
import { NeedsOwnProcess } from "../../client/errors.ts";
import { usageError } from "../parse/exit-codes.ts";
import type { Io } from "../render/io.ts";

/** A key of Patchbay has 46 characters; a pipe may bring anything. */
const MAX_KEY_BYTES = 4096;

/** What reading the value of `--token` needs of a run of the program. */
export type KeyInput = Pick<Io, "program" | "stderr" | "stdin" | "ask" | "inRelay">;

/**
 * Returns the key that `--token` names: `-` reads it from the standard input, or asks for it at a terminal, and `@FILE`
 * reads it from a file, such as `@/dev/fd/3`. A key itself is returned with a warning, because other users of the
 * machine can see the arguments of every process.
 *
 * @throws CliError for an input that cannot be read; NeedsOwnProcess in a relay, which has no input of the caller's
 */
export async function readTokenOption(io: KeyInput, given: string | undefined): Promise<string | undefined> {
  if (given === undefined) return undefined;
  if (given !== "-" && !given.startsWith("@")) {
    io.stderr.write(
      `${io.program}: other users of this machine can see a key in the arguments: use --token - (standard input), --token @FILE or SERVICE_TOKEN.\n`,
    );
    return given;
  }
  if (io.inRelay !== undefined) throw new NeedsOwnProcess("the key comes from an input of the caller's own process");
  if (given === "-" && io.ask !== undefined) return (await io.ask("API key: ", { secret: true })).trim();
  return readInput(io, given);
}

async function readInput(io: KeyInput, given: string): Promise<string> {
  const input = given === "-" ? (io.stdin?.() ?? []) : createReadStream(given.slice(1));
  try {
    return await readKey(input, given === "-" ? "The standard input" : given.slice(1));
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall !== undefined) throw usageError(`--token ${given}: this cannot be read (${code}).`);
    throw error;
  }
}

/** Reads a key from an input, which `what` names. @throws CliError for more than a key can be */
export async function readKey(input: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, what: string): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of input) {
    size += piece.length;
    if (size > MAX_KEY_BYTES) throw usageError(`${what} is no API key: it is too long.`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8").trim();
}
