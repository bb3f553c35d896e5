import type { RunningRelay } from "./start-relay.ts";

const NAME = "command line of this user";

/** The part of a keychain that is needed here. */
interface Keychain {
  get(account: string): Promise<string | undefined>;
  set(account: string, secret: string): Promise<void>;
}

/** Sees to it that the user's command line finds a good key in the OS keychain; makes one where there is none. */
export async function keepCommandLineKey({ relay, keyAccount }: RunningRelay, keychain: Keychain): Promise<void> {
  const known = await keychain.get(keyAccount);
  if (known !== undefined && relay.keys.verify(known, "api") !== undefined) return;
  // The secret of an earlier one is lost, so it is of no more use to anybody.
  for (const key of relay.keys.list()) if (key.name === NAME) relay.keys.revoke(key.id);
  const { secret } = relay.keys.create({ owner: relay.user, name: NAME });
  await keychain.set(keyAccount, secret);
}
