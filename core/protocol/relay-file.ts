import { z } from "zod";

/** What a running relay writes into `relay.json`, for the command line to find it and its key. */
export const RelayFile = z.object({
  url: z.url(),
  pid: z.int().positive(),
  version: z.string(),
  startedAt: z.string(),
  /** Id of the user's default session. */
  session: z.string().optional(),
  /** Account in the OS keychain that holds the command line's API key. */
  keyAccount: z.string().optional(),
});
export type RelayFile = z.infer<typeof RelayFile>;

/** The service name of all of Patchbay's entries in the OS keychain. */
export const KEYCHAIN_SERVICE = "dev.patchbay.app";
