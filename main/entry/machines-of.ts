import { KnownMachines } from "../../client/known-machines.ts";
import type { Relay } from "../relay/relay.ts";
import type { TokenStore } from "../system/keychain.ts";

/** Returns the other machines that the user of a relay knows. @param data the data folder, which keeps the remotes */
export function machinesOf(relay: Relay, data: string, keychain: TokenStore): KnownMachines {
  return new KnownMachines({
    data,
    env: process.env,
    keychain,
    url: () => relay.url,
    fleet: () => relay.fleet?.others() ?? [],
    keptQuestions: async (member) => (await relay.fleet?.keptQuestions(member)) ?? [],
  });
}
