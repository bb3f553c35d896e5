import { userInfo } from "node:os";
import { checkLocalDoor } from "../../../cli/connect/check-local-door.ts";
import { findKey } from "../../../cli/connect/find-key.ts";
import { findRelay } from "../../../cli/connect/find-relay.ts";
import { type OperationArgs, RemoteClient } from "../../../cli/connect/remote-client.ts";
import type { OperationResult } from "../../../core/operations/index.ts";
import type { keyOperations } from "../../../core/operations/keys.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import { Keys } from "../../relay/access/keys.ts";
import { Logins } from "../../relay/access/logins.ts";
import { Audit } from "../../relay/audit/audit.ts";
import { noMetrics } from "../../relay/metrics/metrics-recorder.ts";
import { keyHandlers } from "../../relay/operations/keys.ts";
import { Operations } from "../../relay/operations/operations.ts";
import { LoginRows } from "../../relay/store/login-rows.ts";
import { Store } from "../../relay/store/store.ts";
import { dataFolder } from "../../system/folders.ts";
import type { Log } from "../../system/log.ts";
import { openStoreForCommand } from "./open-store-for-command.ts";

/** A command about keys. `run` resolves to what to print, and rejects with a UsageError. */
export interface LocalCommand {
  readonly help: string;
  run(args: readonly string[]): Promise<string>;
}

type KeyOperation = keyof typeof keyOperations;

/** Calls an operation about keys, tokens or logins: in a data folder, or at the relay that has it. */
export type RunKeyOperation = <N extends KeyOperation>(
  name: N,
  params: OperationArgs<N>,
) => Promise<OperationResult<N>>;

/**
 * Runs `act` with the key operations of the data folder for `--data`, and where no relay is named; else with those of the
 * relay that SERVICE_URL names, for the key that comes with it, as in Patchbay's own shells. Rejects with the reason of a
 * refusal.
 */
export async function withKeyOperations<T>(
  data: string | undefined,
  act: (run: RunKeyOperation) => Promise<T>,
  env: NodeJS.ProcessEnv = process.env,
): Promise<T> {
  if (data === undefined && (env.SERVICE_URL ?? "") !== "") {
    const { url, file } = findRelay({ env });
    const { token } = await findKey({ token: undefined, env, account: file?.keyAccount });
    const client = new RemoteClient({ url, token });
    return act((name, params) => client.operation(name, params));
  }
  await checkLocalDoor(env);
  return inFolder(dataFolder(data, env), act);
}

async function inFolder<T>(folder: string, act: (run: RunKeyOperation) => Promise<T>): Promise<T> {
  const { database, damaged, close } = openStoreForCommand(folder);
  const logins = new Logins(new LoginRows(database));
  const audit = new Audit(database, toStderr);
  try {
    if (damaged !== undefined) process.stderr.write(`patchbay: the database was damaged and is kept as ${damaged}\n`);
    const { username: user } = userInfo();
    const operations = new Operations<KeyOperation>({
      handlers: keyHandlers({ keys: new Keys(new Store(database)), logins, sessions: undefined }),
      sessions: { get: noSession },
      permitOf: async () => undefined,
      audit,
      metrics: noMetrics,
      owner: user,
    });
    const caller = { principal: { user, scheme: "api", scopes: [] }, from: "command line" } as const;
    return await act((name, params) => operations.run(name, params, caller));
  } finally {
    logins[Symbol.dispose]();
    audit[Symbol.dispose]();
    close();
  }
}

function noSession(): never {
  throw new RemoteError("unknown_session", "A data folder has no running session: start the relay.");
}

const toStderr: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: (message) => void process.stderr.write(`patchbay: ${message}\n`),
  error: (message) => void process.stderr.write(`patchbay: ${message}\n`),
};
