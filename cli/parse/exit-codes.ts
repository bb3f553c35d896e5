import { ClientError, RelayUnreachable } from "../../client/errors.ts";
import { httpStatusOf, RemoteError } from "../../core/protocol/errors.ts";

/** The program's exit codes. */
export const exitCodes = {
  ok: 0,
  refused: 1,
  usage: 2,
  authentication: 3,
  noClient: 4,
  unreachable: 5,
} as const;

/** Signals that end the program, with the exit codes that shells have for them: 128 and the signal's number. */
export const signalExitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/** Every exit code with its meaning, in order: the help, the manual pages and docs/reference/commands.md list them. */
export const exitCodeMeanings: readonly (readonly [code: number, meaning: string])[] = [
  [exitCodes.ok, "success"],
  [exitCodes.refused, "refused by the service, with the reason on the error output; or a check found something wrong"],
  [exitCodes.usage, "the command line is invalid, or a value in it is"],
  [exitCodes.authentication, "no API key, or a wrong one"],
  [exitCodes.noClient, "no client is connected to the session"],
  [exitCodes.unreachable, "no relay is reachable, or it ended what was followed"],
  [signalExitCodes.SIGHUP, "ended by SIGHUP: its terminal was closed"],
  [signalExitCodes.SIGINT, "ended by SIGINT: Ctrl-C"],
  [signalExitCodes.SIGTERM, "ended by SIGTERM"],
];

/** A failure that the program itself detects: its message and its exit code. */
export class CliError extends Error {
  override readonly name = "CliError";
  readonly exitCode: number;

  constructor(exitCode: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

/** Returns the error for an invalid command line. */
export function usageError(message: string): CliError {
  return new CliError(exitCodes.usage, message);
}

const clientExitCodes = {
  usage: exitCodes.usage,
  no_key: exitCodes.authentication,
  refused: exitCodes.refused,
  unreachable: exitCodes.unreachable,
} as const satisfies Record<ClientError["reason"], number>;

/** Returns the exit code for a thrown error; undefined for a defect of the program, which deserves its stack trace. */
export function exitCodeOf(error: unknown): number | undefined {
  if (error instanceof CliError) return error.exitCode;
  if (error instanceof ClientError) return clientExitCodes[error.reason];
  if (error instanceof RelayUnreachable) return exitCodes.unreachable;
  if (!(error instanceof RemoteError)) return undefined;
  if (httpStatusOf(error.code) === 401) return exitCodes.authentication;
  if (error.code === "invalid_params") return exitCodes.usage;
  return error.code === "no_client" ? exitCodes.noClient : exitCodes.refused;
}
