import { z } from "zod";

/** Content of `relay.json`: how the command line finds a running relay and its key. */
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

/** Service name of Patchbay's entries in the OS keychain. */
export const KEYCHAIN_SERVICE = "dev.patchbay.app";
