import { z } from "zod";
import { ShownBy, ToastKind } from "./events.ts";
import { historyOps } from "./history-ops.ts";
import { ClientId, ShellId } from "./ids.ts";
import { limits } from "./limits.ts";
import { parseParams } from "./parse-params.ts";
import { GivenAnswer, Question } from "./questions.ts";
import { ChatMessage } from "./records.ts";
import { op } from "./relay-op.ts";
import { RestorableShell, RestoreWish } from "./restore.ts";
import { MAX_INPUT_CHARACTERS, shellOps } from "./shell-ops.ts";
import { uploadLimits } from "./uploads.ts";
import { utf8Length } from "./utf8-length.ts";

/**
 * What only clients ask of the relay, beside commands (core/commands/asked.ts): what a screen needs of shells, pages and
 * other clients, and what it reports. The role is checked by the relay against the asking client, whatever the client
 * itself believes.
 */
export const relayOps = {
  ...shellOps,
  ...historyOps,
  sendChat: op("writer", z.object({ text: chatText() }), ChatMessage, "messages", { sensitive: ["text"] }),
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
    /** With `focus: false` the tile does not get the focus once a request is allowed. */
    z.object({ shell: ShellId, focus: z.boolean().optional() }),
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
    { sensitive: ["data"], frequent: true },
  ),
  /** Gives the files their names. Names in use get a number. */
  finishUpload: op("writer", z.object({ upload: z.int() }), z.object({ paths: z.array(z.string()) }), "screen"),
  cancelUpload: op("writer", z.object({ upload: z.int() }), z.object({ cancelled: z.boolean() }), "screen"),
  /** As the operation `restoreSession`, for a client on its own account. */
  restoreShells: op("admin", RestoreWish, z.array(RestorableShell), "new", { closedToAutomation: true }),
  restrictShells: op(
    "admin",
    z.object({ on: z.boolean(), shell: ShellId.optional() }),
    z.object({ restricted: z.boolean() }),
    "screen",
    { closedToAutomation: true },
  ),
  /** As the operation of this name, for a client on its own account. */
  answerQuestion: op("writer", GivenAnswer.extend({ id: z.int().positive() }), Question, "screen", {
    sensitive: ["text", "answers"],
  }),
} as const;

/** Returns the method whose execution an operation reports; undefined for one that does something itself. */
export function reportedBy(op: string): string | undefined {
  return op === "toastShown" || op === "notificationShown" ? relayOps[op].reports : undefined;
}

export type RelayOp = keyof typeof relayOps;
export type OpInput<K extends RelayOp> = z.input<(typeof relayOps)[K]["params"]>;
export type OpParams<K extends RelayOp> = z.output<(typeof relayOps)[K]["params"]>;
export type OpResult<K extends RelayOp> = z.output<(typeof relayOps)[K]["result"]>;

/**
 * Parses typed input by its declaration. Keys as a page sends them are recognised without the schema, which takes several
 * times as long.
 * @throws RemoteError `invalid_params`
 */
export function parseInput(params: unknown): OpParams<"writeShell">;
export function parseInput(params: unknown): unknown {
  return isRawInput(params) ? { ...params, literal: false } : parseParams(relayOps.writeShell.params, params);
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

function chatText() {
  return z
    .string()
    .min(1)
    .refine((text) => utf8Length(text) <= limits.chatMessageBytes, {
      error: `a chat message holds at most ${limits.chatMessageBytes} bytes`,
    });
}
