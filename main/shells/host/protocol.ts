import { z } from "zod";
import { type ErrorCode, errorTable } from "../../../core/protocol/errors.ts";
import { calls } from "./calls.ts";

/**
 * The version of everything below but `Hello` and `Refused`, which never change: any relay can greet any host. New
 * optional fields need no new version; a host and a relay of different versions cannot work together.
 */
export const PROTOCOL_VERSION = 2;

const Id = z.int().nonnegative();
const Count = z.int().nonnegative();

/** The first message of a relay. `end`: end all shells and yourself, whatever your version is. */
export const Hello = z.object({
  type: z.literal("hello"),
  protocol: z.int(),
  secret: z.string(),
  end: z.boolean().optional(),
});

/**
 * When the relay gives up on the answer, by the monotonic clock of the machine (main/system/monotonic-clock.ts): its caller
 * was told then that nothing is known, so the host does not execute it any more. Absent: executed however late.
 */
const Expires = { expires: z.number().exactOptional() };

export const RelayMessage = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("call"),
    id: Id,
    session: z.string(),
    method: z.enum(Object.keys(calls) as [keyof typeof calls]),
    params: z.unknown().optional(),
    ...Expires,
  }),
  /** Answered like a call; the bytes follow as the tail. */
  z.object({ type: z.literal("write"), id: Id, session: z.string(), shell: Id, ...Expires }),
  /** Answered by `pong` at once. */
  z.object({ type: z.literal("ping") }),
  z.object({
    type: z.literal("listen"),
    listener: Id,
    session: z.string(),
    shell: Id,
    from: z.union([Count, z.enum(["now", "screen"])]),
    window: z.int().positive(),
  }),
  z.object({ type: z.literal("unlisten"), listener: Id }),
  /** Pairs of a listener and the bytes that it has worked off. */
  z.object({ type: z.literal("ack"), acks: z.array(z.tuple([Id, Count])) }),
  /** End all shells and yourself; the connection closes when it is done. */
  z.object({ type: z.literal("end") }),
]);

export const Exit = z.object({ exitCode: z.int(), signal: z.int().nullable() });

const Kept = z.object({
  id: Id,
  pid: z.int(),
  command: z.string(),
  title: z.string(),
  cwd: z.string(),
  process: z.string().nullable(),
  cols: z.int(),
  rows: z.int(),
  exit: Exit.nullable(),
  activeAt: z.number(),
});

const Text = z.string();
const Message = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("title"), title: Text }),
  z.object({ kind: z.literal("bell") }),
  z.object({ kind: z.literal("notification"), title: Text.nullable(), body: Text }),
  z.object({ kind: z.literal("progress"), state: z.int(), percent: z.number().nullable() }),
  z.object({ kind: z.literal("program-status"), query: z.boolean(), fields: z.record(Text, Text) }),
  z.object({ kind: z.literal("cwd"), host: Text, cwd: Text }),
  z.object({ kind: z.enum(["prompt", "prompt-end"]), exitCode: z.int().nullable().default(null) }),
  z.object({ kind: z.literal("command-start") }),
  z.object({ kind: z.literal("command-end"), exitCode: z.int().nullable(), cwd: Text.nullable() }),
]);

const Event = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("exited"), id: Id, ...Exit.shape }),
  z.object({ kind: z.literal("title"), id: Id, title: Text }),
  z.object({ kind: z.literal("cwd"), id: Id, cwd: Text }),
  z.object({ kind: z.literal("process"), id: Id, process: Text.nullable() }),
  z.object({ kind: z.literal("activity"), id: Id, at: z.number() }),
  z.object({ kind: z.literal("signal"), id: Id, signal: Message.and(z.object({ offset: Count, end: Count })) }),
]);

/** Why a host that ends its shells refuses a relay: it can be waited for. */
export const ENDING = "it ends its shells and itself";

export const Refused = z.object({ type: z.literal("refused"), reason: z.string() });
export type Refused = z.infer<typeof Refused>;

export const HostMessage = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("welcome"),
    pid: z.int(),
    sessions: z.array(z.object({ session: z.string(), shells: z.array(Kept) })),
  }),
  Refused,
  z.object({ type: z.literal("pong") }),
  z.object({ type: z.literal("done"), id: Id, result: z.unknown().optional() }),
  z.object({
    type: z.literal("failed"),
    id: Id,
    code: z.enum(Object.keys(errorTable) as [ErrorCode]).catch("internal"),
    message: z.string(),
  }),
  z.object({ type: z.literal("event"), session: z.string(), event: Event }),
  /** The bytes, for all these listeners, follow as the tail. */
  z.object({ type: z.literal("output"), to: z.array(Id), offset: Count }),
  /** The escape sequences follow as the tail. */
  z.object({
    type: z.literal("snapshot"),
    to: z.array(Id),
    offset: Count,
    missed: z.int(),
    cols: z.int(),
    rows: z.int(),
  }),
  z.object({ type: z.literal("end"), to: z.array(Id), offset: Count, ...Exit.shape }),
]);

export type Hello = z.infer<typeof Hello>;
export type RelayMessage = z.infer<typeof RelayMessage>;
export type HostMessage = z.infer<typeof HostMessage>;
export type KeptSession = (HostMessage & { type: "welcome" })["sessions"][number];
