import type { ClientId } from "../../../core/protocol/ids.ts";
import type { ChatMessage } from "../../../core/protocol/records.ts";

/** How many messages of others came after the last one that was read. */
export function unreadSince(messages: readonly ChatMessage[], lastRead: number, self: ClientId | undefined): number {
  return messages.filter(({ id, from }) => id > lastRead && from.clientId !== self).length;
}
