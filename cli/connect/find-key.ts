import { createReadStream } from "node:fs";
import { keychainEntry } from "../../main/system/keychain.ts";
import { CliError, exitCodes, usageError } from "../parse/exit-codes.ts";
import { NeedsOwnProcess } from "../parse/relay-unreachable.ts";
import type { Io } from "../render/io.ts";
import { enclosingShell } from "./enclosing-shell.ts";

export interface ResolvedKey {
  readonly token: string;
  readonly from: "--token" | "SERVICE_TOKEN" | `SERVICE_TOKEN_${string}` | "the shell" | "keychain";
}

interface KeyLookup {
  /** `--token`, as `readTokenOption` returns it. */
  readonly token: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Account in the keychain, from `relay.json`. */
  readonly account: string | undefined;
  /** As in `Io`. */
  readonly inRelay?: boolean;
}

/**
 * Returns the API key to send: `--token`, else `SERVICE_TOKEN`, else in a Patchbay shell that shell's own token, else the
 * keychain's.
 *
 * @throws CliError with the exit code for authentication; NeedsOwnProcess
 */
export async function findKey({ token, env, account, inRelay }: KeyLookup): Promise<ResolvedKey> {
  if (token !== undefined) return { token: checkKey(token, "--token"), from: "--token" };
  const given = env.SERVICE_TOKEN;
  if (given !== undefined && given !== "") return { token: checkKey(given, "SERVICE_TOKEN"), from: "SERVICE_TOKEN" };
  const around = inRelay ? undefined : enclosingShell(env);
  if (around !== undefined) {
    if (around.token !== "") return { token: checkKey(around.token, "the shell"), from: "the shell" };
    throw new CliError(
      exitCodes.authentication,
      `This runs in shell ${around.shell}, without its SERVICE_TOKEN: the keychain's key is only used outside of shells.`,
    );
  }
  const kept = account === undefined ? undefined : await readKeychain(account);
  if (kept !== undefined && inRelay) throw new NeedsOwnProcess("the keychain's key is for the caller's own process");
  if (kept !== undefined) return { token: kept, from: "keychain" };
  throw new CliError(
    exitCodes.authentication,
    "No API key: `service login` gets one and keeps it in the keychain; or set SERVICE_TOKEN to one from `patchbay keys create --name NAME`.",
  );
}

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

/** A key is sent in a header, which allows visible characters only. */
export function checkKey(token: string, from: string): string {
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  throw new CliError(exitCodes.authentication, `${from}: this is not an API key; \`patchbay keys create\` prints one.`);
}

/** Undefined also when no keychain can be reached. */
export async function readKeychain(account: string): Promise<string | undefined> {
  try {
    const entry = await keychainEntry(account);
    return (await entry.getPassword()) ?? undefined;
  } catch {
    return undefined;
  }
}
