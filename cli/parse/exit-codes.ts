import { httpStatusOf, RemoteError } from "../../core/protocol/errors.ts";
import { RelayUnreachable } from "./relay-unreachable.ts";

/** What the program's exit code says (docs/commands.md lists them). */
export const exitCodes = {
  ok: 0,
  refused: 1,
  usage: 2,
  authentication: 3,
  noClient: 4,
  unreachable: 5,
} as const;

/** A failure that the program itself finds: its sentence and its exit code. */
export class CliError extends Error {
  override readonly name = "CliError";
  readonly exitCode: number;

  constructor(exitCode: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

/** A command line that cannot be understood. */
export function usageError(message: string): CliError {
  return new CliError(exitCodes.usage, message);
}

/** The exit code for anything thrown; undefined for a fault of the program, which deserves its stack. */
export function exitCodeOf(error: unknown): number | undefined {
  if (error instanceof CliError) return error.exitCode;
  if (error instanceof RelayUnreachable) return exitCodes.unreachable;
  if (!(error instanceof RemoteError)) return undefined;
  if (httpStatusOf(error.code) === 401) return exitCodes.authentication;
  return error.code === "no_client" ? exitCodes.noClient : exitCodes.refused;
}
