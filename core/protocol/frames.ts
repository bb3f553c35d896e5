import { z } from "zod";
import { RelayEvent } from "./events.ts";
import { ClientId, ShellId, TileKey } from "./ids.ts";
import { SessionDiff, SessionMirror } from "./mirror.ts";
import { ClientKind, Role } from "./records.ts";
import { RelayOpName } from "./relay-ops.ts";

/** Raised when a frame changes its meaning; a client with another number is told to reload. */
export const PROTOCOL_VERSION = 2;

/** Why a link is closed when its client's resume token was used again: by a copy of the page, or after a half-open cut. */
export const REPLACED = "the same client connected again";

/** JSON leaves out what is undefined, and zod takes a missing `unknown` for a fault. */
const nothingOrAny = z.unknown().optional();

const Failure = z.object({ code: z.string(), message: z.string() });
/** Whom a command hit, for the headers `X-Service-Tile` and `X-Service-Shell`. */
const Hit = z.object({ tile: TileKey.optional(), shell: ShellId.optional() });
export type Hit = z.infer<typeof Hit>;

/** What a client says to the relay. */
export const ClientFrame = z.discriminatedUnion("type", [
  /** First frame of every connection; `resume` is the token of an earlier welcome. */
  z.object({
    type: z.literal("hello"),
    protocol: z.int(),
    device: z.string().min(1).max(100),
    clientKind: ClientKind,
    resume: z.string().max(200).optional(),
  }),
  /** The answer to `execute`. */
  z.object({ type: z.literal("result"), id: z.int(), value: nothingOrAny, hit: Hit.optional() }),
  z.object({ type: z.literal("failed"), id: z.int(), error: Failure, hit: Hit.optional() }),
  /** The relay finishes the command with this operation, in this client's name: saves a hop there and back. */
  z.object({
    type: z.literal("delegate"),
    id: z.int(),
    op: RelayOpName,
    params: nothingOrAny,
    hit: Hit.optional(),
  }),
  /**
   * A question of the client's own; answered by `answer` or `refused` with the same id. `for` is the id of the `execute`
   * that it is part of, whose caller may be allowed less than the client.
   */
  z.object({
    type: z.literal("ask"),
    id: z.int(),
    op: RelayOpName,
    params: nothingOrAny,
    for: z.int().optional(),
  }),
  /** The client's state after a change, kept so that a reconnect (or the app's next start) finds it again. */
  z.object({ type: z.literal("state"), focus: TileKey.nullable(), workspace: z.int(), saved: z.unknown() }),
  /** Terminal bytes from this offset on (default: what is kept); at most `window` bytes unacknowledged. */
  z.object({
    type: z.literal("listen"),
    shell: ShellId,
    from: z.int().nonnegative().optional(),
    window: z
      .int()
      .min(1024)
      .max(64 * 1024 * 1024),
  }),
  z.object({ type: z.literal("acknowledge"), shell: ShellId, bytes: z.int().positive() }),
  z.object({ type: z.literal("unlisten"), shell: ShellId }),
]);
export type ClientFrame = z.infer<typeof ClientFrame>;

/** What the relay says to a client. Terminal bytes go beside these as binary messages: see `terminal-bytes.ts`. */
export const RelayFrame = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("welcome"),
    client: ClientId,
    name: z.string(),
    role: Role,
    resume: z.string(),
    mirror: SessionMirror,
    saved: nothingOrAny,
  }),
  z.object({ type: z.literal("diff"), diff: SessionDiff }),
  z.object({
    type: z.literal("execute"),
    id: z.int(),
    method: z.string(),
    params: nothingOrAny,
    source: ShellId.optional(),
  }),
  z.object({ type: z.literal("answer"), id: z.int(), value: nothingOrAny }),
  z.object({ type: z.literal("refused"), id: z.int(), error: Failure }),
  z.object({ type: z.literal("event"), event: RelayEvent }),
  /** A shell that this client may now show: a writer's adopt request was allowed. */
  z.object({ type: z.literal("adopted"), shell: ShellId }),
  /** The listener fell behind what is kept: the screen as it stands, then bytes go on from `offset`. */
  z.object({
    type: z.literal("missed"),
    shell: ShellId,
    bytes: z.int(),
    snapshot: z.string(),
    offset: z.int(),
  }),
]);
export type RelayFrame = z.infer<typeof RelayFrame>;
