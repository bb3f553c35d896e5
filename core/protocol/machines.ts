import { z } from "zod";
import { Question } from "./questions.ts";

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

/** An agent on another machine. */
export const MachineAgent = z.object({
  session: z.string().describe("name of the session"),
  shellId: z.int(),
  agentType: z.string(),
  state: z.string(),
  cost: z.number().optional().describe("US dollars; absent where the machine does not tell"),
});
export type MachineAgent = z.infer<typeof MachineAgent>;

/** A question of an agent on another machine. */
export const MachineQuestion = z.object({ session: z.string().describe("name of the session"), question: Question });
export type MachineQuestion = z.infer<typeof MachineQuestion>;

/** A relay of another machine, with what it has; nothing where it did not answer. Texts come from that machine. */
export const MachineOverview = MachineReport.extend({
  via: MachineRef.shape.via,
  keepsKey: z
    .boolean()
    .describe("the keychain, or this process where there is none, keeps a key for it, which can be deleted here"),
  sessions: z.array(z.object({ id: z.string(), name: z.string() })),
  agents: z.array(MachineAgent),
  cost: z.number().describe("US dollars of its running agents"),
  questions: z
    .array(MachineQuestion)
    .describe(
      "those that need a person; of a relay of the fleet that is away, as it last wrote them: they are answered when it is back",
    ),
});
export type MachineOverview = z.infer<typeof MachineOverview>;

/** The variable that holds the key of a remote, in place of the keychain: `SERVICE_TOKEN_BUILD_BOX` for `build-box`. */
export function remoteTokenVariable(name: string): string {
  return `SERVICE_TOKEN_${name.toUpperCase().replaceAll("-", "_")}`;
}
