import { usageError } from "../parse/exit-codes.ts";
import { type Globals, parseClient } from "../parse/global-options.ts";
import type { Io } from "../render/io.ts";
import { findKey } from "./find-key.ts";
import { findRelay } from "./find-relay.ts";
import { RemoteClient } from "./remote-client.ts";

/** Returns a client of the relay that the options, the environment or `relay.json` name, in that order. */
export async function connect(
  { env, inRelay }: Pick<Io, "env" | "inRelay">,
  globals: Globals,
  { untargeted = false }: { untargeted?: boolean } = {},
): Promise<RemoteClient> {
  const { url, file } = findRelay({ url: globals.url, data: globals.data, env });
  const { token } = await findKey({
    token: globals.token,
    env,
    account: file?.keyAccount,
    inRelay: inRelay !== undefined,
  });
  const session = globals.session ?? env.SERVICE_SESSION;
  const usualSession = file?.session;
  const client = globals.client ?? (untargeted ? undefined : defaultClient(env));
  const sourceShell = sourceShellId(env);
  const sourceSession = env.SERVICE_SESSION;
  return new RemoteClient({
    url,
    token,
    ...(inRelay !== undefined && new URL(url).origin === inRelay.origin ? { open: () => inRelay.open() } : {}),
    ...(session === undefined ? {} : { session }),
    ...(usualSession === undefined ? {} : { usualSession }),
    ...(client === undefined ? {} : { client }),
    ...(sourceShell === undefined ? {} : { sourceShell }),
    ...(sourceSession === undefined ? {} : { sourceSession }),
    ...(globals.timeout === undefined ? {} : { timeout: globals.timeout }),
  });
}

function defaultClient(env: Io["env"]): number | "desktop" | undefined {
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
