import { createReadStream } from "node:fs";
import type { CallHit, RemoteClient } from "../../client/remote-client.ts";
import { usageError } from "../parse/exit-codes.ts";
import type { Io } from "../render/io.ts";

/** A request body is at most 1 MiB, and a character takes up to six bytes of JSON. */
const MAX_CHARACTERS = 128 * 1024;

/**
 * Writes a file, or the standard input as it arrives, to a shell. Returns the result of the last write.
 *
 * @throws CliError for input that cannot be read or is not UTF-8; what was written before remains
 */
export async function writeInput(
  io: Io,
  client: RemoteClient,
  { data: _, ...params }: Readonly<Record<string, unknown>>,
  file: string,
): Promise<{ result: unknown; hit: CallHit }> {
  const name = file === "-" ? "the standard input" : file;
  const write = (data: string) =>
    client.ask("writeToShell", { ...params, data, ...(params.raw === true ? {} : { literal: true }) });
  let answer: { result: unknown; hit: CallHit } | undefined;
  for await (const text of decodeUtf8(openInput(io, file), name)) {
    for (let at = 0; at < text.length; ) {
      const piece = nextPiece(text, at);
      at += piece.length;
      answer = await write(piece);
    }
  }
  // An empty input is written too, so that a wrong shell is reported.
  return answer ?? (await write(""));
}

/** Returns parameters with the standard input, without its last line end, where a dash stands for it. */
export async function withStandardInput(
  io: Io,
  name: string | undefined,
  params: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, unknown>>> {
  if (name === undefined || params[name] !== "-") return params;
  return { ...params, [name]: (await readInput(io, "-")).replace(/\r?\n$/, "") };
}

/**
 * Reads a file, or the standard input for `-`, as a whole.
 *
 * @throws CliError for input that cannot be read, is not UTF-8 or is longer than a request may be
 */
export async function readInput(io: Io, file: string, most = MAX_CHARACTERS): Promise<string> {
  const name = file === "-" ? "the standard input" : file;
  let text = "";
  for await (const piece of decodeUtf8(openInput(io, file), name)) {
    text += piece;
    if (text.length > most) throw usageError(`${name} holds more than ${most} characters.`);
  }
  return text;
}

async function* decodeUtf8(pieces: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  // A carriage return at the end may be the first half of a line end, which is one Enter.
  let held = "";
  try {
    for await (const bytes of pieces) {
      const text = held + decoder.decode(bytes, { stream: true });
      held = text.endsWith("\r") ? "\r" : "";
      yield held === "" ? text : text.slice(0, -1);
    }
    yield held + decoder.decode();
  } catch (error) {
    if (error instanceof TypeError) throw usageError(`${name} is not UTF-8 text.`);
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall !== undefined) throw usageError(`${name} cannot be read (${code}).`);
    throw error;
  }
}

function openInput(io: Io, file: string): AsyncIterable<Uint8Array> {
  if (file !== "-") return createReadStream(file);
  if (io.stdin !== undefined) return io.stdin();
  throw usageError("There is no standard input to read here.");
}

/** The next piece to send: never half of a surrogate pair, nor half of a line end. */
function nextPiece(text: string, at: number): string {
  let end = Math.min(text.length, at + MAX_CHARACTERS);
  while (end < text.length && /[\uD800-\uDBFF\r]/.test(text.charAt(end - 1)) && end - 1 > at) end -= 1;
  return text.slice(at, end);
}
