import { z } from "zod";
import { ClientId, SessionId, ShellId, TileKey } from "./ids.ts";

/** Rights of a client: a reader only reads, a writer changes, an admin also changes what others own. */
export const Role = z.enum(["admin", "writer", "reader"]);
export type Role = z.infer<typeof Role>;

export const ClientKind = z.enum(["browser", "desktop"]);
export type ClientKind = z.infer<typeof ClientKind>;

/** On the record of a person who joined by an invite; absent for the session's owner. */
export function guestMark() {
  return z.literal(true).optional().describe("joined by an invite: the name is the guest's own choice");
}

export const TileType = z.enum(["shell", "plugin", "peek", "tunnel", "browser", "history"]);
export type TileType = z.infer<typeof TileType>;

/** ISO 8601, UTC. */
export const Timestamp = z.iso.datetime();

export const SessionRecord = z
  .object({
    id: SessionId,
    name: z.string(),
    owner: z.string(),
    userCount: z.int(),
    shellCount: z.int(),
    createdAt: Timestamp,
    relay: z.string().optional().describe("name of the relay of the fleet that serves it; absent for this relay's own"),
    awaySince: Timestamp.optional().describe("since when that relay is away; absent while it is there"),
  })
  .meta({ id: "Session" });
export type SessionRecord = z.infer<typeof SessionRecord>;

/** Public data of a connected client (`list-users`); `id` is the value for `--client`. */
export const ClientEntry = z
  .object({
    id: ClientId,
    name: z.string(),
    canWrite: z.boolean(),
    device: z.string(),
    clientKind: ClientKind,
    guest: guestMark(),
  })
  .meta({ id: "Client" });
export type ClientEntry = z.infer<typeof ClientEntry>;

/** What a client looks at, of what all clients share: the keys of tiles are each client's own. */
export const LookedAt = z.object({
  type: z.enum(["shell", "tunnel"]),
  id: z.int().describe("id of the shell, or port of the tunnel"),
});
export type LookedAt = z.infer<typeof LookedAt>;

/** Number of colours by which people are told apart. */
export const PERSON_COLOURS = 6;

/** A client in the session's mirror. */
export const ClientRecord = z.object({
  id: ClientId,
  name: z.string(),
  role: Role,
  device: z.string(),
  clientKind: ClientKind,
  guest: guestMark(),
  /** The colour of its person, from 0: it follows from the person's id, unless others who are present have that one. */
  colour: z
    .int()
    .min(0)
    .max(PERSON_COLOURS - 1)
    .optional(),
  focus: TileKey.nullable(),
  looksAt: LookedAt.optional(),
  connectedAt: Timestamp,
  activeAt: Timestamp.optional().describe("when it last did something, to within 5 s"),
});
export type ClientRecord = z.infer<typeof ClientRecord>;

/** A connected client as `list-users` shows it. */
export const ClientListing = ClientEntry.extend({
  role: Role,
  focus: TileKey.nullable(),
  connectedAt: Timestamp,
  activeAt: Timestamp.describe("when it last did something, to within 5 s"),
}).meta({ id: "ClientListing" });

export const User = z
  .object({
    name: z.string(),
    focus: TileKey.nullable(),
    canWrite: z.boolean(),
    device: z.string(),
    id: ClientId.optional(),
    role: Role.optional(),
    guest: guestMark(),
  })
  .meta({ id: "User" });

/** The lease of a shell: only its holder among the programs types there (docs/sends.md). */
export const ShellLease = z
  .object({
    holder: z.string().describe("name of the key, or the shell, that holds it"),
    since: Timestamp,
    expiresAt: Timestamp,
  })
  .meta({ id: "ShellLease" });
export type ShellLease = z.infer<typeof ShellLease>;

export const Shell = z
  .object({
    id: ShellId,
    title: z.string(),
    titleFixed: z
      .literal(true)
      .optional()
      .describe("the title was given with the shell: its programs do not change it"),
    cwd: z.string(),
    command: z.string().describe("the program that runs in the pseudo-terminal"),
    pid: z.int().nullable().describe("null once the shell has ended"),
    process: z
      .string()
      .nullable()
      .optional()
      .describe(
        "the program in the foreground; null while the shell waits at its prompt, absent until it was looked at",
      ),
    commandLine: z
      .string()
      .optional()
      .describe(
        "the command line that runs, at the prompt the last one, without secrets; absent where the shell does not report it",
      ),
    home: z.string().optional().describe("the home folder of its programs, which names of folders begin with `~` for"),
    cols: z.int(),
    rows: z.int(),
    running: z.boolean(),
    exitCode: z
      .int()
      .nullable()
      .describe("null while it runs, and when it is not known; 128 and the signal's number when a signal ended it"),
    signal: z
      .string()
      .nullable()
      .optional()
      .describe("name of the signal that ended it, such as SIGKILL; null when it runs or ended by itself"),
    ownerClientId: ClientId.nullable().describe("null when no client owns it"),
    owner: z.string().nullable(),
    makers: z
      .array(z.string())
      .optional()
      .describe(
        "what made it, the nearest last: `key:<id>` of a restricted key, with `:hides-secrets` where it is one that secrets are hidden from, `shell:<id>` of a restricted shell or an agent in it",
      ),
    restricted: z
      .boolean()
      .optional()
      .describe("what decides over its rights in place of the session's setting and of what made it"),
    handed: z.literal(true).optional().describe("it has had another owner before, or none for a time"),
    progress: z
      .object({
        state: z.enum(["normal", "error", "indeterminate", "paused"]),
        percent: z.number().nullable().describe("0 to 100; null when it is not known"),
      })
      .optional()
      .describe("of the program in it, as it reports itself (OSC 9;4 or 7501); absent: none"),
    direct: z.literal(true).optional().describe("a program runs in place of a shell"),
    lease: ShellLease.optional().describe("the writer lease, while a program holds it"),
    activeAt: Timestamp.optional().describe("when it last printed anything, to within 5 s; absent at first"),
    hold: z
      .literal(false)
      .optional()
      .describe("its tiles close when it ends with exit code 0; absent: they stay until they are closed"),
    createdAt: Timestamp,
  })
  .meta({ id: "Shell" });
export type Shell = z.infer<typeof Shell>;

/** A shell as `list-shells` shows it, with its label and tile in the executing client. */
export const ShellListing = Shell.extend({
  label: z.string().optional().describe("of its tile in the executing client"),
  tile: TileKey.optional().describe("the tile that shows it in the executing client"),
  activeAt: Timestamp.describe("when it last printed anything, to within 5 s; its creation at first"),
}).meta({ id: "ShellListing" });

export const ShellOutput = z
  .object({
    id: ShellId,
    output: z.string(),
    chunks: z.int(),
    offset: z.int().describe("byte position of the first byte given"),
    end: z.int().describe("byte position after the last byte given: the cursor for the next read"),
    missed: z.int().describe("bytes dropped between the cursor and the oldest kept"),
  })
  .meta({ id: "ShellOutput" });

export const ChatMessage = z
  .object({
    id: z.int(),
    from: z.object({ clientId: ClientId, name: z.string(), guest: guestMark() }),
    text: z.string(),
    at: Timestamp,
  })
  .meta({ id: "ChatMessage" });
export type ChatMessage = z.infer<typeof ChatMessage>;

export const Tunnel = z
  .object({
    port: z.int(),
    shellId: ShellId,
    process: z.string(),
    url: z.string().describe("for browsers in the session; it takes the pass that a guest is given, and no API key"),
    localUrl: z
      .string()
      .describe("for programs on the relay's machine: the port itself, by plain HTTP and without a key"),
    since: Timestamp,
  })
  .meta({ id: "Tunnel" });
export type Tunnel = z.infer<typeof Tunnel>;

/** Optional descriptive fields of a tile. */
const tileDetails = {
  title: z.string().optional().describe("of its shell, as programs set it"),
  label: z.string().optional().describe("given to the tile by rename-tile"),
  cwd: z.string().optional().describe("folder of its shell"),
  url: z.string().optional().describe("of a browser tile"),
  plugin: z.string().optional().describe("id of its plugin"),
  offset: z.int().optional().describe("of a history tile: the place in the output of its shell, in bytes"),
  maximized: z.boolean().optional().describe("true while it fills the workspace"),
};

export const Tile = z
  .object({
    key: TileKey,
    type: TileType,
    id: z.int(),
    active: z.boolean(),
    ...tileDetails,
    workspace: z.int().optional().describe("index of its workspace, where all are listed"),
  })
  .meta({ id: "Tile" });

export const TileGeometry = z
  .object({
    key: TileKey,
    type: TileType,
    id: z.int(),
    x: z.number(),
    y: z.number(),
    w: z.number(),
    h: z.number(),
    ...tileDetails,
  })
  .meta({ id: "TileGeometry" });

export const WorkspaceRecord = z
  .object({
    index: z.int(),
    name: z.string(),
    active: z.boolean(),
    window: z.boolean().optional().describe("whether it has a window of its own"),
    tiles: z.array(TileKey),
  })
  .meta({ id: "Workspace" });

export const TabGroup = z
  .object({ tiles: z.array(TileKey), active: TileKey, workspace: z.int() })
  .meta({ id: "TabGroup" });

/** Result of every method that changes the layout: the tile created or changed, and the shell if one was created. */
export const TileResult = z.object({ key: TileKey, shellId: ShellId.optional() }).meta({ id: "TileResult" });

export const AdoptRequest = z.object({
  id: z.int(),
  shellId: ShellId,
  from: z.object({ clientId: ClientId, name: z.string(), guest: guestMark() }),
  to: ClientId,
  expiresAt: Timestamp,
});
export type AdoptRequest = z.infer<typeof AdoptRequest>;

/** A request of a person who can only watch. It is withdrawn when that person is no longer connected. */
export const RoleRequest = z.object({
  id: z.int(),
  from: z.object({ clientId: ClientId, name: z.string(), guest: guestMark() }),
  role: z.literal("writer").describe("the role that is asked for"),
  expiresAt: Timestamp,
});
export type RoleRequest = z.infer<typeof RoleRequest>;

/** An installed plugin, as every client sees it (docs/decisions/0010). */
export const PluginRecord = z
  .object({
    id: z.string(),
    name: z.string(),
    version: z.string(),
    description: z.string(),
    from: z.string().describe("origin of the address that it was installed from"),
    permissions: z.array(z.string()).describe("methods that it asks to call"),
    events: z.array(z.string()).describe("types of events that it asks to hear"),
    allowed: z.array(z.string()).describe("those of its permissions that the user has allowed"),
    asks: z.boolean().describe("the user has not answered yet what it asks for; until then it does not run"),
    page: z.string().nullable().describe("path of its frame below the base address; null: install it again"),
  })
  .meta({ id: "Plugin" });
export type PluginRecord = z.infer<typeof PluginRecord>;

/** The layout as a binary split tree (docs/specification.md §2.4); `active` names the front tab of a leaf. */
export type LayoutTree =
  | {
      kind: "split";
      direction: "horizontal" | "vertical";
      ratio: number;
      first: LayoutTree;
      second: LayoutTree;
    }
  | { kind: "leaf"; tiles: TileKey[]; active?: TileKey | undefined };

export const LayoutTree: z.ZodType<LayoutTree> = z
  .discriminatedUnion("kind", [
    z.object({
      kind: z.literal("split"),
      direction: z.enum(["horizontal", "vertical"]),
      ratio: z.number(),
      get first() {
        return LayoutTree;
      },
      get second() {
        return LayoutTree;
      },
    }),
    z.object({ kind: z.literal("leaf"), tiles: z.array(TileKey), active: TileKey.optional() }),
  ])
  .meta({ id: "LayoutTree" });
