import { NeedsOwnProcess } from "../../client/errors.ts";
import { findKey } from "../../client/find-key.ts";
import { findRelay } from "../../client/find-relay.ts";
import { RemoteClient } from "../../client/remote-client.ts";
import { checkReachable, findRemoteKey, peerOf } from "../../client/remote-machine.ts";
import type { Remote } from "../../client/remotes.ts";
import { defined } from "../../core/protocol/defined.ts";
import { usageError } from "../parse/exit-codes.ts";
import { type Globals, parseClient } from "../parse/global-options.ts";
import type { Io } from "../render/io.ts";
import { type KeyInput, readTokenOption } from "./token-option.ts";

interface ConnectOptions {
  /** Whether the command is for no client of the session. */
  readonly untargeted?: boolean;
}

/**
 * Returns a client of the relay that the options, the environment or `relay.json` name, in that order. A remote has
 * answered by then: one that is away is reported before anything is sent.
 */
export async function connect(
  io: Pick<Io, "env"> & KeyInput,
  globals: Globals,
  options: ConnectOptions = {},
): Promise<RemoteClient> {
  const token = await readTokenOption(io, globals.token);
  return connectWithKey(io, token === undefined ? globals : { ...globals, token }, options);
}

/** As `connect`, with a `token` that was read. */
export async function connectWithKey(
  io: Pick<Io, "env" | "inRelay">,
  globals: Globals,
  { untargeted = false }: ConnectOptions = {},
): Promise<RemoteClient> {
  const { env, inRelay } = io;
  const { url, file, remote } = findRelay({ on: globals.on, url: globals.url, data: globals.data, env });
  if (remote !== undefined) return connectToRemote(remote, globals, io);
  if (inRelay !== undefined && new URL(url).origin !== inRelay.origin)
    throw new NeedsOwnProcess("what another relay answers is for the caller's own process");
  const { token } = await findKey({
    token: globals.token,
    env,
    account: file?.keyAccount,
    inRelay: inRelay !== undefined,
  });
  // An empty variable counts as unset.
  const session = globals.session ?? (env.SERVICE_SESSION || undefined);
  const usualSession = file?.session;
  const client = globals.client ?? (untargeted ? undefined : defaultClient(env));
  const sourceShell = sourceShellId(env);
  const sourceSession = env.SERVICE_SESSION || undefined;
  return new RemoteClient({
    url,
    token,
    ...defined({ inRelay, session, usualSession, client, sourceShell, sourceSession, timeout: globals.timeout }),
  });
}

/**
 * The environment's session, client and shell are those of this machine, and mean nothing on another one.
 */
async function connectToRemote(
  remote: Remote,
  { token: given, session, client, timeout, data }: Globals,
  { env, inRelay }: Pick<Io, "env" | "inRelay">,
): Promise<RemoteClient> {
  if (inRelay !== undefined) throw new NeedsOwnProcess("a remote's key is for the caller's own process");
  const { token } = await findRemoteKey(remote, { token: given, env });
  await checkReachable(remote, { data, env });
  return new RemoteClient({
    url: remote.url,
    token,
    remote: peerOf(remote),
    ...defined({ session, client, timeout }),
  });
}

function defaultClient(env: Io["env"]): Globals["client"] {
  const given = env.SERVICE_CLIENT;
  return given === undefined || given === "" ? undefined : parseClient(given, "SERVICE_CLIENT");
}

/** The shell that this program runs in; the relay chooses the client by it. */
function sourceShellId(env: Io["env"]): number | undefined {
  const given = env.SERVICE_SHELL_ID;
  if (given === undefined || given === "") return undefined;
  if (/^\d{1,15}$/.test(given)) return Number(given);
  throw usageError(`SERVICE_SHELL_ID: expected the id of a shell, got ${JSON.stringify(given)}.`);
}
