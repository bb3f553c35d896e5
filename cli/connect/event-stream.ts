import { createParser } from "eventsource-parser";

/** One message of a server-sent event stream. */
export interface StreamMessage {
  readonly id: string;
  readonly data: string;
}

/** Reads `text/event-stream`. A message without an id has that of the message before it; event types are not read. */
export async function* readEventStream(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<StreamMessage> {
  const decoder = new TextDecoder();
  const messages: StreamMessage[] = [];
  let lastId = "";
  const parser = createParser({
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
