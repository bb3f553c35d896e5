import { checkLocalAccess } from "../../client/check-local-access.ts";
import { ClientError } from "../../client/errors.ts";
import { findKey } from "../../client/find-key.ts";
import { findRelay, findRemoteName } from "../../client/find-relay.ts";
import { type OperationArgs, RemoteClient } from "../../client/remote-client.ts";
import type { OperationResult } from "../../core/operations/index.ts";
import type { keyOperations } from "../../core/operations/keys.ts";
import { type ErrorCode, RemoteError } from "../../core/protocol/errors.ts";
import { CliError, exitCodes, usageError } from "../parse/exit-codes.ts";
import type { Io } from "../render/io.ts";
import { connect } from "./connect.ts";
import { loadMainModule } from "./main-module.ts";

/** An operation about keys, tokens or logins. */
export type KeyOperation = keyof typeof keyOperations;

/** A data folder, and what the call needs of its caller. */
export interface FolderAccess {
  /** `--data`; undefined: `PATCHBAY_DATA`, else the platform's default. */
  readonly data: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly warn: (message: string) => void;
}

/** A result as plain data: errors of the separately bundled module are instances of its own classes. */
export type FolderOutcome<T> =
  | { readonly ok: true; readonly result: T }
  /** `code` is absent where the data folder itself cannot be used. */
  | { readonly ok: false; readonly code?: ErrorCode; readonly message: string };

/** What `fleet init`, `add` and `remove` write, in the folder of a fleet. */
export interface FleetChange {
  readonly action: "init" | "add" | "remove";
  readonly folder: string;
  /** Names of relays. */
  readonly members: readonly string[];
  readonly owner?: string | undefined;
  /** Names and addresses of the broker's machine. */
  readonly hosts?: readonly string[] | undefined;
  readonly listen?: string | undefined;
  readonly port?: number | undefined;
}

/** What was written. */
export interface FleetOutcome {
  readonly config: string;
  readonly credentials: readonly string[];
  /** Address of the broker for the relays; absent where it did not change. */
  readonly url?: string;
}

/** What main/entry/local.ts exports. */
export interface LocalModule {
  /** Calls an operation in a data folder, whether a relay runs on it or not. */
  callInFolder<N extends KeyOperation>(
    name: N,
    params: OperationArgs<N>,
    access: FolderAccess,
  ): Promise<FolderOutcome<OperationResult<N>>>;
  /** Writes the files of a fleet. */
  changeFleet(change: FleetChange): Promise<FolderOutcome<FleetOutcome>>;
  /** Returns what is wrong with the first pattern that no method matches. */
  findUnmatchedPattern(patterns: readonly string[]): string | undefined;
}

/** What a word about keys works on. */
interface KeyTarget {
  /** `--data`. */
  readonly data?: string | undefined;
  /** `--on`. */
  readonly on?: string | undefined;
}

/**
 * Calls an operation about keys: at the remote that is named; else in the data folder where `--data` names one or no
 * relay is named; else at the relay that SERVICE_URL names, with the key that comes with it, as in Patchbay's own shells.
 * Where that is the running relay of this user and there is no key, in its data folder too, outside of shells.
 *
 * @throws RemoteError with the code of a refusal; CliError
 */
export async function callKeyOperation<N extends KeyOperation>(
  io: Io,
  { data, on }: KeyTarget,
  name: N,
  params: OperationArgs<N>,
): Promise<OperationResult<N>> {
  const { env } = io;
  if (findRemoteName({ on, data, env }) !== undefined) {
    const client = await connect(io, { ...(on === undefined ? {} : { on }), ...(data === undefined ? {} : { data }) });
    return client.operation(name, params);
  }
  if (data === undefined && (env.SERVICE_URL ?? "") !== "") {
    const { url, file } = findRelay({ env });
    const key = await findKey({ token: undefined, env, account: file?.keyAccount }).catch((error: unknown) => {
      // The relay of this machine is its user's, who needs no key: without a keychain there would be no way to get one.
      const isWithout = (env.SERVICE_TOKEN ?? "") === "" && error instanceof ClientError && error.reason === "no_key";
      if (file !== undefined && isWithout) return undefined;
      throw error;
    });
    if (key !== undefined) return new RemoteClient({ url, token: key.token }).operation(name, params);
  }
  await checkLocalAccess(env, { data });
  const { callInFolder } = await loadMainModule(io, "local", isLocalModule);
  const warn = (message: string) => io.stderr.write(`${io.program}: ${message}\n`);
  const outcome = await callInFolder(name, params, { data, env, warn });
  if (outcome.ok) return outcome.result;
  if (outcome.code === undefined) throw new CliError(exitCodes.refused, outcome.message);
  throw new RemoteError(outcome.code, outcome.message);
}

/**
 * Checks the patterns of a new key: one that matches no method is a mistake that would show only when the key is refused.
 *
 * @throws CliError with the exit code for usage
 */
export async function checkMethodPatterns(io: Io, patterns: readonly string[]): Promise<void> {
  const { findUnmatchedPattern } = await loadMainModule(io, "local", isLocalModule);
  const problem = findUnmatchedPattern(patterns);
  if (problem !== undefined) throw usageError(`--methods: ${problem}`);
}

export function isLocalModule(loaded: object): loaded is LocalModule {
  return "callInFolder" in loaded && "findUnmatchedPattern" in loaded && "changeFleet" in loaded;
}
