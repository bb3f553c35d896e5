import { userInfo } from "node:os";
import type { FolderAccess, FolderOutcome, KeyOperation, LocalModule } from "../../cli/connect/key-operations.ts";
import type { OperationArgs } from "../../client/remote-client.ts";
import type { OperationResult } from "../../core/operations/index.ts";
import { RemoteError } from "../../core/protocol/errors.ts";
import { didYouMean } from "../../core/protocol/nearest.ts";
import { Keys } from "../relay/access/keys.ts";
import { Logins } from "../relay/access/logins.ts";
import { userCaller } from "../relay/access/permits/caller.ts";
import { matchesPattern, patternNames } from "../relay/access/permits/method-pattern.ts";
import { Audit } from "../relay/audit/audit.ts";
import { Calls } from "../relay/calls/calls.ts";
import { noMetrics } from "../relay/metrics/metrics-recorder.ts";
import { FleetError } from "../relay/net/fleet-peer.ts";
import { keyHandlers } from "../relay/operations/keys.ts";
import { StoreError } from "../relay/store/open-store.ts";
import { Store } from "../relay/store/store.ts";
import { servedNames } from "../relay/tls/served-names.ts";
import { dataFolder } from "../system/folders.ts";
import { openStoreForCommand } from "./open-store-for-command.ts";

/** The command line loads this module for the words `keys`, `token` and `approve`: they work on a data folder. */
export const callInFolder: LocalModule["callInFolder"] = async (name, params, access) => {
  try {
    return { ok: true, result: await call(name, params, access) };
  } catch (error) {
    return describeFailure(error);
  }
};

export const findUnmatchedPattern: LocalModule["findUnmatchedPattern"] = (patterns) => {
  const names = patternNames();
  const unmatched = patterns.find((pattern) => !names.some((name) => matchesPattern(name, pattern)));
  if (unmatched === undefined) return undefined;
  return `no method fits ${JSON.stringify(unmatched)}.${didYouMean(unmatched.replaceAll("*", ""), names)}`;
};

export const changeFleet: LocalModule["changeFleet"] = async ({ action, folder, members, ...settings }) => {
  // With it comes the client library of the broker, which no other word needs.
  const files = await import("../relay/fleet/fleet-files.ts");
  try {
    if (action === "add") return { ok: true, result: files.addToFleet(folder, members) };
    if (action === "remove") return { ok: true, result: files.removeFromFleet(folder, members[0] ?? "") };
    const { owner = userInfo().username.replace(/[^A-Za-z0-9_-]/g, "-"), listen = "0.0.0.0" } = settings;
    const { hosts = servedNames(listen), port = files.BROKER_PORT } = settings;
    const written = files.createFleet({ folder, members, owner, listen, hosts, port });
    const [host = "127.0.0.1"] = hosts;
    return { ok: true, result: { ...written, url: `nats://${host.includes(":") ? `[${host}]` : host}:${port}` } };
  } catch (error) {
    return describeFailure(error);
  }
};

/** Calls an operation as the user who owns the data folder, with an audit entry like any other call. */
async function call<N extends KeyOperation>(
  name: N,
  params: OperationArgs<N>,
  { data, env, warn }: FolderAccess,
): Promise<OperationResult<N>> {
  const { database, lost, close } = openStoreForCommand(dataFolder(data, env));
  const store = new Store(database);
  const logins = new Logins(store.logins);
  const audit = new Audit(store.audit, { debug: () => undefined, info: () => undefined, warn, error: warn });
  try {
    if (lost !== undefined) warn(lost);
    const { username: user } = userInfo();
    const calls = new Calls<KeyOperation>({
      handlers: keyHandlers({ keys: new Keys(store.keys), logins, sessions: undefined }),
      sessions: { get: refuseSession },
      permitOf: async () => undefined,
      audit,
      metrics: noMetrics,
      owner: user,
    });
    return await calls.run(userCaller(user, "command line"), name, params);
  } finally {
    logins[Symbol.dispose]();
    audit[Symbol.dispose]();
    close();
  }
}

/** Rethrows what is a defect. */
function describeFailure(error: unknown): FolderOutcome<never> {
  if (error instanceof StoreError || error instanceof FleetError) return { ok: false, message: error.message };
  if (error instanceof RemoteError) return { ok: false, code: error.code, message: error.message };
  throw error;
}

function refuseSession(): never {
  throw new RemoteError("unknown_session", "A data folder has no running session: start the relay.");
}
