/** One message of a server-sent event stream. */
export interface StreamMessage {
  readonly id: string;
  readonly data: string;
}

/** Reads `text/event-stream` (the WHATWG's rules for parsing it; `retry` is not used here). */
export async function* readEventStream(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<StreamMessage> {
  const decoder = new TextDecoder();
  let rest = "";
  let id = "";
  let data: string[] = [];
  for await (const piece of pieces) {
    rest += decoder.decode(piece, { stream: true });
    // A carriage return at the end may be the first half of a line end.
    const complete = rest.endsWith("\r") ? rest.slice(0, -1) : rest;
    const lines = complete.split(/\r\n|\n|\r/);
    rest = (lines.pop() ?? "") + rest.slice(complete.length);
    for (const line of lines) {
      if (line === "") {
        if (data.length > 0) yield { id, data: data.join("\n") };
        data = [];
        continue;
      }
      const colon = line.indexOf(":");
      const field = colon < 0 ? line : line.slice(0, colon);
      const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
      if (field === "data") data.push(value);
      else if (field === "id" && !value.includes("\0")) id = value;
    }
  }
}
