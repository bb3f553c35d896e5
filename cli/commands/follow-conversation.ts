import type { ConversationPage } from "../../core/protocol/conversations.ts";
import { defined } from "../../core/protocol/defined.ts";
import { usageError } from "../parse/exit-codes.ts";
import { messageText } from "../render/conversation-text.ts";
import { jsonLine } from "../render/format-result.ts";
import type { Io, Style } from "../render/io.ts";

/** How long one call waits for the next message, in seconds. */
const WAIT_S = 50;
/** Tool calls without a result that are looked at before each page. One that was interrupted never has a result. */
const MOST_OPEN = 32;

/**
 * Prints what the parameters select of a conversation, then each message when it is said, until the program is ended. A tool
 * call is printed when it is made, and again with its result. For programs each message is a line of JSON.
 *
 * @param pageOf calls `getConversation`
 */
export async function followConversation(
  io: Io,
  pageOf: (params: Readonly<Record<string, unknown>>) => Promise<ConversationPage>,
  params: Readonly<Record<string, unknown>>,
  style: Style,
): Promise<never> {
  if (params.before !== undefined) throw usageError("--follow goes on from the end: leave --before out.");
  const { agentSessionId, agentType, secrets } = params;
  const named = { agentSessionId, ...defined({ agentType, secrets }) };
  const read = async (range: Readonly<Record<string, unknown>>) => pageOf({ ...named, ...range });
  const print = (message: ConversationPage["messages"][number]) =>
    io.stdout.write(style.json || !style.isTTY ? jsonLine(message) : `${messageText(message, style)}\n`);
  /** Cursors of the messages before tool calls that have not ended. */
  const open = new Set<string>();
  let page = await pageOf(params);
  /** Unknown before a page that is not the first, until a tool call there needs it. */
  let last = page.before === null ? "start" : undefined;
  const [first] = page.messages;
  if (last === undefined && first !== undefined && isOpen(first))
    last = (await read({ before: first.cursor, limit: 1 })).messages[0]?.cursor;
  for (;;) {
    for (const before of open) {
      const [message] = (await read({ after: before, limit: 1 })).messages;
      if (message?.tool?.result === undefined) continue;
      open.delete(before);
      print(message);
    }
    for (const message of page.messages) {
      if (isOpen(message) && last !== undefined) open.add(last);
      const [oldest] = open;
      if (open.size > MOST_OPEN && oldest !== undefined) open.delete(oldest);
      print(message);
      last = message.cursor;
    }
    page = await read({ after: last ?? page.after ?? "start", wait: WAIT_S });
  }
}

function isOpen({ tool }: ConversationPage["messages"][number]): boolean {
  return tool !== undefined && tool.result === undefined;
}
