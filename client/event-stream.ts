import { createParser } from "eventsource-parser";
import { z } from "zod";
import { InvalidAnswer } from "./errors.ts";

/** An event of a session, as the relay sent it; `id` resumes after it. `type` is `gap` where events are missing. */
export interface SessionEvent {
  readonly id: string;
  readonly type: string;
  readonly seq?: number | undefined;
  readonly at?: string | undefined;
  readonly data?: unknown;
}

/** The content of a message. */
export const EventData = z.object({
  type: z.string(),
  seq: z.number().optional(),
  at: z.string().optional(),
  data: z.unknown(),
});

/** One message of a server-sent event stream. */
interface StreamMessage {
  readonly id: string;
  readonly data: string;
}

/** The relay's first comment (docs/decisions/0023). */
const POSITION = /^patchbay ([0-9a-z]+:\d{1,15})$/;

/** One event carries a broadcast of at most 1 MiB, which JSON may spell with six characters for each. */
const MAX_MESSAGE_CHARACTERS = 8 * 1024 * 1024;

/**
 * Reads `text/event-stream`. A message without an id has that of the message before it; event types are not read.
 *
 * @param onPosition called with the id to resume after, as the relay gives it before the first message
 * @throws InvalidAnswer for a message that is larger than any of a relay
 */
export async function* readEventStream(
  pieces: AsyncIterable<Uint8Array>,
  { onPosition }: { readonly onPosition?: ((id: string) => void) | undefined } = {},
): AsyncGenerator<StreamMessage> {
  const decoder = new TextDecoder();
  const messages: StreamMessage[] = [];
  let lastId = "";
  const parser = createParser({
    maxBufferSize: MAX_MESSAGE_CHARACTERS,
    onError(error) {
      if (error.type === "max-buffer-size-exceeded")
        throw new InvalidAnswer("The relay sent an event that is too large.");
    },
    onComment(comment) {
      const [, position] = POSITION.exec(comment) ?? [];
      if (position !== undefined) onPosition?.(position);
    },
    onEvent({ id, data }) {
      lastId = id ?? lastId;
      messages.push({ id: lastId, data });
    },
  });
  for await (const piece of pieces) {
    parser.feed(decoder.decode(piece, { stream: true }));
    yield* messages.splice(0);
  }
}
