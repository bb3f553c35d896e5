import { z } from "zod";
import { ConversationPage } from "./conversations.ts";
import { SearchHit, SearchQuery } from "./history-search.ts";
import { ShellId } from "./ids.ts";
import { op } from "./relay-op.ts";

/**
 * Whether the output of a session is recorded: `unasked` and `off`: of no session; `excepted`: of others only; `locked`: not
 * without the key in the keychain; `unavailable`: this relay cannot record.
 */
export const Recording = z.enum(["on", "unasked", "off", "excepted", "locked", "unavailable"]);
export type Recording = z.infer<typeof Recording>;

const ByteOffset = z.int().nonnegative();

/** What a page asks of the history, in its user's name. */
export const historyOps = {
  /** As the operation `search`; without `query`: only whether the session is recorded. */
  searchSession: op(
    "reader",
    SearchQuery.partial({ query: true }),
    z.object({
      hits: z.array(SearchHit),
      recording: Recording,
      conversations: z.boolean().describe("whether the user may search conversations with agents: the owner may"),
    }),
  ),
  /** Reads what was printed before and after a place, also in a shell that is closed. */
  readAround: op(
    "reader",
    z.object({ shell: ShellId, offset: ByteOffset }),
    z.object({
      /** Columns of the terminal at that place. */
      cols: z.int(),
      before: z.string(),
      after: z.string(),
      /** Offsets of the first byte of `before`, and of the byte after the last of `after`. */
      from: ByteOffset,
      to: ByteOffset,
    }),
  ),
  /** Reads the messages of a conversation around one of them. */
  readConversation: op(
    "admin",
    z.object({
      agentType: z.string().min(1).max(100),
      agentSessionId: z.string().min(1).max(200),
      cursor: z.string().min(1).max(200),
    }),
    ConversationPage,
  ),
} as const;
