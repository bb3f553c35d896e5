import { z } from "zod";
import { RelayEvent } from "./events.ts";
import { ClientId, CommandTarget, ShellId, TileKey } from "./ids.ts";
import { SessionDiff, SessionMirror } from "./mirror.ts";
import { ClientKind, Role } from "./records.ts";

/** Incremented when the meaning of a frame changes. Clients with another version are told to reload. */
export const PROTOCOL_VERSION = 2;

/** Close reason of a link whose client resumed over another link, for example in a copy of the page. */
export const REPLACED = "the same client connected again";

/** WebSocket close code, modelled on HTTP 401: the credential that opened the link has ended. */
export const CLOSE_UNAUTHENTICATED = 4401;

/** Any JSON value or nothing: JSON omits undefined values, and zod requires a property of type `unknown`. */
const optionalJson = z.unknown().optional();

/** Of a command or of `relayOps`. A relay refuses a name that it does not know, as a newer client may ask by one. */
const OpName = z.string().min(1).max(100);

const Failure = z.object({ code: z.string(), message: z.string() });

/** Frames from a client to the relay. */
export const ClientFrame = z.discriminatedUnion("type", [
  /** First frame of every connection. `resume` is the token from an earlier welcome. */
  z.object({
    type: z.literal("hello"),
    protocol: z.int(),
    device: z.string().min(1).max(100),
    clientKind: ClientKind,
    resume: z.string().max(200).optional(),
  }),
  /** Result of `execute`. */
  z.object({ type: z.literal("result"), id: z.int(), value: optionalJson, hit: CommandTarget.optional() }),
  z.object({ type: z.literal("failed"), id: z.int(), error: Failure, hit: CommandTarget.optional() }),
  /** Of clients of Patchbay 0.1: the relay completes the command with this operation on the client's behalf. */
  z.object({
    type: z.literal("delegate"),
    id: z.int(),
    op: OpName,
    params: optionalJson,
    hit: CommandTarget.optional(),
  }),
  /**
   * A request to the relay; answered by `answer` or `refused` with the same id. `for` is the id of the `execute` that it
   * is part of: its caller may have fewer rights than the client. `by` says that the user's plugin asks, not the user.
   */
  z.object({
    type: z.literal("ask"),
    id: z.int(),
    op: OpName,
    params: optionalJson,
    for: z.int().optional(),
    by: z.literal("plugin").optional(),
  }),
  /** The client's state after a change. The relay stores it for a reconnect or the app's next start. */
  z.object({ type: z.literal("state"), focus: TileKey.nullable(), workspace: z.int(), saved: z.unknown() }),
  /**
   * Subscribes to terminal bytes from this offset (default: the oldest kept), with at most `window` unacknowledged.
   * `quiet`: the client understands bytes whose queries it must not answer.
   */
  z.object({
    type: z.literal("listen"),
    shell: ShellId,
    quiet: z.literal(true).optional(),
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

/**
 * Parses a frame of a client; undefined for what is none. `ask`, which every typed key is, is recognised without the
 * schema, which takes several times as long.
 */
export function parseClientFrame(value: unknown): ClientFrame | undefined {
  return isAsk(value) ? value : ClientFrame.safeParse(value).data;
}

function isAsk(value: unknown): value is ClientFrame & { type: "ask" } {
  if (typeof value !== "object" || value === null) return false;
  const { type, id, op, for: command, by } = value as Readonly<Record<string, unknown>>;
  if (type !== "ask" || !Number.isSafeInteger(id) || (by !== undefined && by !== "plugin")) return false;
  const isName = typeof op === "string" && op.length > 0 && op.length <= 100;
  return isName && (command === undefined || Number.isSafeInteger(command));
}

/** Frames from the relay to a client. Terminal bytes are separate binary messages: see `terminal-bytes.ts`. */
export const RelayFrame = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("welcome"),
    client: ClientId,
    name: z.string(),
    role: Role,
    resume: z.string(),
    mirror: SessionMirror,
    saved: optionalJson,
  }),
  z.object({ type: z.literal("diff"), diff: SessionDiff }),
  z.object({
    type: z.literal("execute"),
    id: z.int(),
    method: z.string(),
    params: optionalJson,
    source: ShellId.optional(),
    /** The caller is restricted: it may not move the keyboard. */
    keepFocus: z.literal(true).optional(),
  }),
  z.object({ type: z.literal("answer"), id: z.int(), value: optionalJson }),
  z.object({ type: z.literal("refused"), id: z.int(), error: Failure }),
  z.object({ type: z.literal("event"), event: RelayEvent }),
  /**
   * The client shows this shell: it was allowed to adopt it, or its screen is the only one for a new shell. The tile gets the
   * focus unless that is false.
   */
  z.object({ type: z.literal("adopted"), shell: ShellId, focus: z.boolean().optional() }),
  /** The subscriber fell behind the kept output: the current screen; bytes continue from `offset`. */
  z.object({
    type: z.literal("missed"),
    shell: ShellId,
    bytes: z.int(),
    snapshot: z.string(),
    offset: z.int(),
  }),
]);
export type RelayFrame = z.infer<typeof RelayFrame>;
