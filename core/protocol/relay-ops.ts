import { z } from "zod";
import { AgentCost, AgentEvent, AgentEventType, AgentSession } from "./agent-records.ts";
import { ShownBy, ToastKind } from "./events.ts";
import { historyOps } from "./history-ops.ts";
import { ClientId, ShellId } from "./ids.ts";
import { JsonValue } from "./json-value.ts";
import { limits } from "./limits.ts";
import { parseParams } from "./parse-params.ts";
import { GivenAnswer, Question } from "./questions.ts";
import { ChatMessage, PluginRecord, Timestamp } from "./records.ts";
import { op } from "./relay-op.ts";
import { RestorableShell, RestoreWish } from "./restore.ts";
import { MAX_INPUT_CHARACTERS, shellOps } from "./shell-ops.ts";
import { AgentAnswer } from "./shell-restrictions.ts";
import { uploadLimits } from "./uploads.ts";
import { utf8Length } from "./utf8-length.ts";

/**
 * What a client asks of the relay because only the relay has it: shells, chat, agents, other clients. The role is
 * checked by the relay against the asking client, whatever the client itself believes.
 */
export const relayOps = {
  ...shellOps,
  ...historyOps,
  sendChat: op("writer", z.object({ text: chatText() }), ChatMessage, "messages", ["text"]),
  broadcastEvent: op(
    "writer",
    z.object({ type: z.string().min(1).max(200), data: JsonValue.optional() }),
    z.object({ clients: z.int() }),
    "messages",
    ["data"],
  ),
  /**
   * The client was asked for a toast, or a notification, and says how it was shown: the session's subscribers hear of it. A
   * reader only reports the command that it was sent, whose own text is then told.
   */
  toastShown: {
    ...op("writer", z.object({ message: z.string().max(2000), kind: ToastKind, by: shownBy() }), shown(), "messages"),
    reports: "toast",
  },
  notificationShown: {
    ...op(
      "writer",
      z.object({ title: z.string().max(500), body: z.string().max(4000).optional(), by: shownBy() }),
      shown(),
      "messages",
    ),
    reports: "notify",
  },
  /** Requests a web page from the relay's machine, because a page cannot see why a frame of another site stays empty. */
  checkPage: op(
    "writer",
    z.object({ url: z.url({ protocol: /^https?$/ }).max(4096) }),
    z.object({
      page: z.enum(["shown", "unreachable", "refuses-frames"]),
      detail: z.string().nullable().describe("why the page is unreachable, as the system names it"),
    }),
    "screen",
  ),
  /** The layout of another client, for one that follows it: as it was saved, without what may be secret in addresses. */
  readLayout: op("reader", z.object({ client: ClientId }), z.object({ layout: z.unknown() })),
  adoptShell: op(
    "writer",
    z.object({ shell: ShellId }),
    z.discriminatedUnion("status", [
      z.object({ status: z.literal("adopted") }),
      z.object({
        status: z.literal("requested"),
        request: z.int().describe("id of the request, for `answerAdopt`"),
        ownerClientId: ClientId,
      }),
    ]),
    { shell: "shell" },
  ),
  answerAdopt: op(
    "writer",
    z.object({ request: z.int(), allow: z.boolean() }),
    z.object({ allowed: z.boolean() }),
    "screen",
  ),
  /** Asks the session's owner for the right to type. */
  askToType: op(
    "reader",
    z.object({}),
    z.object({
      request: z.int().describe("id of the request, for `answerRoleRequest`"),
      expiresAt: Timestamp,
      hosts: z.int().describe("connected clients that can answer; 0: the owner is away at the moment"),
    }),
    "screen",
  ),
  answerRoleRequest: {
    ...op("admin", z.object({ request: z.int(), allow: z.boolean() }), z.object({ allowed: z.boolean() }), "screen"),
    closedToAutomation: true,
  },
  /** Begins to upload files for a shell. The pieces follow in order, one at a time. */
  startUpload: op(
    "writer",
    z.object({
      shell: ShellId,
      /** The folder that the shell is in, as the user was shown it; absent for a private temporary one. */
      folder: z.string().min(1).max(4096).optional(),
      files: z
        .array(
          z.object({
            name: z.string().max(uploadLimits.nameLength),
            size: z.int().nonnegative().max(uploadLimits.fileBytes),
          }),
        )
        .min(1)
        .max(uploadLimits.files),
    }),
    z.object({ upload: z.int(), folder: z.string() }),
    "screen",
  ),
  sendUpload: op(
    "writer",
    z.object({
      upload: z.int(),
      /** Index of the file; the next one only once all bytes of this one were sent. */
      file: z.int().min(0).max(uploadLimits.files),
      data: z.base64().min(1).max(uploadLimits.pieceLength),
    }),
    z.object({ received: z.int().describe("bytes of the file so far") }),
    "screen",
    ["data"],
  ),
  /** Gives the files their names. Names in use get a number. */
  finishUpload: op("writer", z.object({ upload: z.int() }), z.object({ paths: z.array(z.string()) }), "screen"),
  cancelUpload: op("writer", z.object({ upload: z.int() }), z.object({ cancelled: z.boolean() }), "screen"),
  /** As the operation `restoreSession`, for a client on its own account. */
  restoreShells: { ...op("admin", RestoreWish, z.array(RestorableShell), "new"), closedToAutomation: true },
  restrictShells: {
    ...op(
      "admin",
      z.object({ on: z.boolean(), shell: ShellId.optional() }),
      z.object({ restricted: z.boolean() }),
      "screen",
    ),
    closedToAutomation: true,
  },
  answerAgent: {
    ...op("writer", z.object({ request: z.int(), answer: AgentAnswer }), z.object({ answer: AgentAnswer }), "screen"),
    closedToAutomation: true,
  },
  /** As the operation of this name, for a client on its own account. */
  answerQuestion: op("writer", GivenAnswer.extend({ id: z.int().positive() }), Question, "screen", ["text", "answers"]),
  forgetAgent: {
    ...op(
      "admin",
      z.object({ agentType: z.string().min(1).max(100), folder: z.string().max(4096) }),
      z.object({ forgotten: z.int() }),
      "screen",
    ),
    closedToAutomation: true,
  },
  allowPlugin: {
    ...op(
      "admin",
      z.object({ plugin: pluginId(), methods: z.array(z.string().max(100)).max(100) }),
      PluginRecord,
      "screen",
    ),
    closedToAutomation: true,
  },
  removePlugin: op("admin", z.object({ plugin: pluginId() }), z.object({ id: z.string() }), "screen"),
  getPluginState: op("reader", z.object({ plugin: pluginId(), key: stateKey() }), z.object({ value: JsonValue })),
  setPluginState: op(
    "writer",
    z.object({ plugin: pluginId(), key: stateKey(), value: JsonValue }),
    z.object({ key: z.string() }),
    "screen",
    ["value"],
  ),
  getAgentCost: op("reader", z.object({ explain: z.boolean().default(false) }), AgentCost),
  getAgentSessions: op("reader", z.object({}), z.array(AgentSession)),
  /** Quotes transcripts (docs/agents.md). */
  getAgentEvents: op(
    "admin",
    z.object({
      sessionId: z.string().min(1).max(200),
      types: z.array(AgentEventType).max(100).optional(),
      limit: z.int().min(1).max(10_000).optional(),
    }),
    z.array(AgentEvent),
  ),
} as const;

/** Returns the method whose execution an operation reports; undefined for one that does something itself. */
export function reportedBy(op: RelayOp): string | undefined {
  const spec = relayOps[op];
  return "reports" in spec ? spec.reports : undefined;
}

export type RelayOp = keyof typeof relayOps;
export type OpInput<K extends RelayOp> = z.input<(typeof relayOps)[K]["params"]>;
export type OpParams<K extends RelayOp> = z.output<(typeof relayOps)[K]["params"]>;
export type OpResult<K extends RelayOp> = z.output<(typeof relayOps)[K]["result"]>;

export const RelayOpName = z.enum(Object.keys(relayOps) as [RelayOp, ...RelayOp[]]);

/**
 * Parses the parameters of an operation by its declaration. Keys as a page sends them are recognised without the schema,
 * which takes several times as long.
 * @throws RemoteError `invalid_params`
 */
export function parseOpParams<K extends RelayOp>(op: K, params: unknown): OpParams<K>;
export function parseOpParams(op: RelayOp, params: unknown): unknown {
  return op === "writeShell" && isRawInput(params)
    ? { ...params, literal: false }
    : parseParams(relayOps[op].params, params);
}

/** Whether these are valid parameters of `writeShell` that say nothing but that the input is raw. */
function isRawInput(params: unknown): params is { shell: number; data: string; raw: true } {
  if (typeof params !== "object" || params === null || Object.keys(params).length !== 3) return false;
  const { shell, data, raw } = params as Readonly<Record<string, unknown>>;
  const isShell = Number.isSafeInteger(shell) && Number(shell) > 0;
  return isShell && raw === true && typeof data === "string" && data.length <= MAX_INPUT_CHARACTERS;
}

/** A client that does not say how it has shown nothing, as far as anyone can tell. */
function shownBy() {
  return ShownBy.default("log");
}

function shown() {
  return z.object({
    shown: z.boolean().describe("whether the user's screen showed it"),
    by: ShownBy.describe("native: a notification of the system; toast: inside the client; log: not on a screen"),
  });
}

function pluginId() {
  return z.string().min(1).max(64);
}

function stateKey() {
  return z.string().min(1).max(200);
}

function chatText() {
  return z
    .string()
    .min(1)
    .refine((text) => utf8Length(text) <= limits.chatMessageBytes, {
      error: `a chat message holds at most ${limits.chatMessageBytes} bytes`,
    });
}
