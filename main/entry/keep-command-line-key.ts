import { COMMAND_LINE_KEY } from "../relay/access/keys.ts";
import type { RunningRelay } from "./start-relay.ts";

/** The part of a keychain that is needed here. */
interface Keychain {
  get(account: string): Promise<string | undefined>;
  set(account: string, secret: string): Promise<void>;
}

/** Ensures that the command line finds a valid key in the OS keychain; creates one when there is none. */
export async function keepCommandLineKey({ relay, keyAccount }: RunningRelay, keychain: Keychain): Promise<void> {
  const known = await keychain.get(keyAccount);
  if (known !== undefined && relay.keys.verify(known, "api") !== undefined) return;
  // The secret of an earlier key is lost, so that key is useless.
  for (const key of relay.keys.list()) if (key.name === COMMAND_LINE_KEY) relay.keys.revoke(key.id);
  const { secret } = relay.keys.create({ owner: relay.user, name: COMMAND_LINE_KEY });
  await keychain.set(keyAccount, secret);
}
