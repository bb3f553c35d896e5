import { z } from "zod";
import { type ErrorCode, errorTable } from "../../../core/protocol/errors.ts";
import { KeptShell, ShellCallName, ShellEvent, ShellExit } from "../../../core/protocol/shell-host.ts";

/**
 * Version of all messages except `Hello` and `Refused`, which never change, so that any relay can greet any host. New
 * optional fields need no new version. A host and a relay of different versions cannot work together.
 */
export const PROTOCOL_VERSION = 2;

const Id = z.int().nonnegative();
const Count = z.int().nonnegative();

/** The first message of a relay. `end`: the host ends all shells and itself, whatever its version. */
export const Hello = z.object({
  type: z.literal("hello"),
  protocol: z.int(),
  secret: z.string(),
  end: z.boolean().optional(),
});

/**
 * When the call expires, by the monotonic clock of the machine (main/system/monotonic-clock.ts). The relay has reported
 * a timeout to its caller by then, so the host does not execute the call. Absent: the call never expires.
 */
const Expires = { expires: z.number().exactOptional() };

export const RelayMessage = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("call"),
    id: Id,
    session: z.string(),
    /**
     * `dispose` ends all shells of the session and forgets them. `record` and `flush` are about the history on disk of all
     * sessions, only for a host that says `records`.
     */
    method: z.union([ShellCallName, z.enum(["dispose", "record", "flush"])]),
    params: z.unknown().optional(),
    /** A long `output` of the result may follow as the tail. */
    tail: z.literal(true).optional(),
    ...Expires,
  }),
  /** Answered like a call; the bytes follow as the tail. */
  z.object({ type: z.literal("write"), id: Id, session: z.string(), shell: Id, ...Expires }),
  /** Ends a wait (`run`, `waitFor`): its result is no longer wanted. Only for a host that says `cancels`. */
  z.object({ type: z.literal("cancel"), id: Id }),
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
  /** Pairs of a subscription and the bytes that it acknowledges. */
  z.object({ type: z.literal("ack"), acks: z.array(z.tuple([Id, Count])) }),
  /** Ends all shells and the host; the connection closes when that is done. */
  z.object({ type: z.literal("end") }),
]);

/** Reason given by a host that is ending its shells: the relay waits for its end. */
export const ENDING = "it ends its shells and itself";

export const Refused = z.object({ type: z.literal("refused"), reason: z.string() });
export type Refused = z.infer<typeof Refused>;

export const HostMessage = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("welcome"),
    pid: z.int(),
    /** Whether it knows `cancel`. */
    cancels: z.boolean().optional(),
    /** Whether it can record a history. */
    records: z.boolean().optional(),
    sessions: z.array(z.object({ session: z.string(), shells: z.array(KeptShell) })),
  }),
  Refused,
  z.object({ type: z.literal("pong") }),
  /** Whether the history can be written; null: it can. Only to a relay that has sent `record`. */
  z.object({ type: z.literal("history"), trouble: z.string().nullable() }),
  /** `tail`: the result's `output` follows as the tail, which costs both sides less than JSON. */
  z.object({ type: z.literal("done"), id: Id, result: z.unknown().optional(), tail: z.literal(true).optional() }),
  z.object({
    type: z.literal("failed"),
    id: Id,
    code: z.enum(Object.keys(errorTable) as [ErrorCode]).catch("internal"),
    message: z.string(),
  }),
  z.object({ type: z.literal("event"), session: z.string(), event: ShellEvent }),
  /** The bytes for all these subscriptions follow as the tail. */
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
  z.object({ type: z.literal("end"), to: z.array(Id), offset: Count, ...ShellExit.shape }),
]);

export type Hello = z.infer<typeof Hello>;
export type RelayMessage = z.infer<typeof RelayMessage>;
export type HostMessage = z.infer<typeof HostMessage>;
export type KeptSession = (HostMessage & { type: "welcome" })["sessions"][number];

/**
 * Parses a message of the relay. The schema's verdict takes as long as the rest of a key's way through the host, so a
 * plain `write` is recognised without it.
 *
 * @throws ZodError for what is no message
 */
export function parseRelayMessage(head: unknown): RelayMessage {
  return isPlainWrite(head) ? head : RelayMessage.parse(head);
}

/**
 * Parses a message of the host. `output`, which every piece of output is, is recognised without the schema.
 *
 * @throws ZodError for what is no message
 */
export function parseHostMessage(head: unknown): HostMessage {
  return isPlainOutput(head) ? head : HostMessage.parse(head);
}

function isPlainWrite(head: unknown): head is RelayMessage & { type: "write" } {
  if (!isObjectOfType(head, "write")) return false;
  const { id, session, shell, expires } = head;
  return (
    isCount(id) && typeof session === "string" && isCount(shell) && (Number.isFinite(expires) || !("expires" in head))
  );
}

function isPlainOutput(head: unknown): head is HostMessage & { type: "output" } {
  return isObjectOfType(head, "output") && Array.isArray(head.to) && head.to.every(isCount) && isCount(head.offset);
}

function isObjectOfType(head: unknown, type: string): head is Readonly<Record<string, unknown>> {
  return typeof head === "object" && head !== null && "type" in head && head.type === type;
}

/** As `Id` and `Count`. */
function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
