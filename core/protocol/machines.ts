import { z } from "zod";

/** The name of the machine that a command runs on, beside the names of its remotes (docs/decisions/0023). */
export const LOCAL_MACHINE = "local";

/** What a remote may be called, for messages. */
const REMOTE_NAME_RULE = "1 to 32 of a-z, 0-9 and hyphens, with a letter or a digit first; `local` is this machine";

/** Name of a remote: part of a file's name, of a variable's name and of command lines. */
export const RemoteName = z
  .string()
  .refine((name) => /^[a-z0-9][a-z0-9-]{0,31}$/.test(name) && name !== LOCAL_MACHINE, {
    error: `expected ${REMOTE_NAME_RULE}`,
  });

/** What the user's data folder keeps about a relay of another machine. Its key is in the keychain. */
export const RemoteRecord = z.object({
  /** Random; names the entry in the keychain, so that a rename does not move the key. */
  id: z.string().regex(/^[0-9a-f]{16}$/),
  /** Base address of the relay. */
  url: z.url({ protocol: /^https?$/ }),
  /** PEM of the only certificate that is accepted; absent where one of a known authority is. */
  certificate: z.string().optional(),
  addedAt: z.iso.datetime(),
});
export type RemoteRecord = z.infer<typeof RemoteRecord>;

/**
 * A machine whose sessions are shown here: a remote of this user, or a relay of the fleet that this relay is in. The name
 * alone may be of both.
 */
export const MachineRef = z.strictObject({
  via: z.enum(["remote", "fleet"]),
  machine: z.string().min(1).max(100),
});
export type MachineRef = z.infer<typeof MachineRef>;

/** A key of Patchbay has 46 characters; a header carries visible characters only. */
export const ApiKeyText = z.string().regex(/^[\x21-\x7e]{1,4096}$/, "this is not an API key");

/**
 * Whether a machine can be asked: `reachable`; `away`, no relay answers there; `untrusted`, its certificate is not the
 * expected one; `invalid`, what answers is not a relay.
 */
const MachineState = z.enum(["reachable", "away", "untrusted", "invalid"]);

/** What the machine says of the key that is kept for it; `unknown` where it was not asked. */
export const KeyState = z.enum(["valid", "rejected", "missing", "unknown"]);
export type KeyState = z.infer<typeof KeyState>;

/** How a machine fares, as `remotes list` and the answers of `--all` report it. */
export const MachineReport = z.object({
  machine: z.string(),
  url: z.string(),
  state: MachineState,
  /** When the machine last answered; null for one that is reachable, and where that is not known. */
  awaySince: z.iso.datetime().nullable(),
  key: KeyState,
  /** Version of its relay; null where it did not answer. */
  version: z.string().nullable(),
  /** What is wrong, in one sentence. */
  problem: z.string().optional(),
});
export type MachineReport = z.infer<typeof MachineReport>;

/** The variable that holds the key of a remote, in place of the keychain: `SERVICE_TOKEN_BUILD_BOX` for `build-box`. */
export function remoteTokenVariable(name: string): string {
  return `SERVICE_TOKEN_${name.toUpperCase().replaceAll("-", "_")}`;
}
