import { z } from "zod";
import { ConversationPage, KnownResume, MessageCursor } from "./conversations.ts";
import { SearchAnswer, SearchQuery } from "./history-search.ts";
import { ShellId } from "./ids.ts";
import { Variables } from "./launch.ts";
import { Recording } from "./recording.ts";
import { op } from "./relay-op.ts";

const ByteOffset = z.int().nonnegative();
const Characters = z.int().nonnegative();

/** Characters of a text, and the time in ms since 1970 at which what follows them was printed. */
export const TimeMark = z.tuple([Characters, z.number()]);
export type TimeMark = z.infer<typeof TimeMark>;

/** Characters of a text, and the columns and rows of the terminal from there on. */
export const SizeMark = z.tuple([Characters, z.int(), z.int()]);
export type SizeMark = z.infer<typeof SizeMark>;

const conversationName = {
  agentType: z.string().min(1).max(100),
  agentSessionId: z.string().min(1).max(200),
};

/** What a page asks of the history, in its user's name. */
export const historyOps = {
  /** As the operation `search`; without `query`: only whether the session is recorded. */
  searchSession: op(
    "reader",
    SearchQuery.partial({ query: true }),
    SearchAnswer.extend({
      recording: Recording,
      conversations: z.boolean().describe("whether the user may search conversations with agents: the owner may"),
    }),
  ),
  /** Reads what was printed before and after a place, default: the end, also in a shell that is closed. */
  readAround: op(
    "reader",
    z.object({ shell: ShellId, offset: ByteOffset.optional() }),
    z.object({
      /** Columns of the terminal at that place. */
      cols: z.int(),
      before: z.string(),
      after: z.string(),
      /** Offsets of the first byte of `before`, and of the byte after the last of `after`. */
      from: ByteOffset,
      to: ByteOffset,
      /** When `before` and `after`, one after the other, were printed; empty where that is not known. */
      times: z.array(TimeMark),
      /** Sizes of the terminal in them; the first is that at their beginning. */
      sizes: z.array(SizeMark).min(1),
    }),
  ),
  /**
   * Reads the messages of a conversation around the one at `cursor`; without it the last ones, `after` another one as soon as
   * there is one, or after a while. Without `after` it tells how the conversation is resumed, too.
   */
  readConversation: op(
    "admin",
    z.object({
      ...conversationName,
      cursor: MessageCursor.optional(),
      after: MessageCursor.optional(),
    }),
    ConversationPage.extend({ resume: KnownResume.optional() }),
  ),
  /** Resumes a conversation in a new shell, as the operation of this name does. The client shows the shell in a tile itself. */
  resumeConversation: op(
    "admin",
    z.object({
      ...conversationName,
      /** The line as the user was shown it, with its folder and variables. */
      command: z.string().max(65_536),
      cwd: z.string().max(4096),
      env: Variables,
    }),
    z.object({
      shellId: ShellId.nullable().describe("null where the line is another one now: then nothing was started"),
    }),
    "new",
    { sensitive: ["command", "env"] },
  ),
} as const;
