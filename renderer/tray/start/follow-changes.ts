import { EventSourceParserStream } from "eventsource-parser/stream";
import { type OverviewChange, OverviewEvent } from "../../../core/protocol/overview-changes.ts";
import { isKeyRefusal, type RelayCalls } from "./call-relay.ts";

const MIN_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;
/** A message names at most every session. */
const MAX_MESSAGE_CHARACTERS = 1024 * 1024;

interface FollowOptions {
  readonly calls: Pick<RelayCalls, "changes">;
  readonly window: Window & typeof globalThis;
  /** The stream has begun: everything may have changed since the last one. */
  readonly onBegin: () => void;
  readonly onChange: (change: OverviewChange) => void;
  /** The stream could not be opened, or broke. It is opened again after a pause. */
  readonly onFailed: () => void;
  /** The relay does not accept the key. */
  readonly onRefused: (why: string) => void;
}

/**
 * Follows what changes in the relay while the page is visible. A stream that ends is opened again, after pauses that grow
 * to a minute, and at once when the page is shown or the network returns. Returns a function that stops.
 */
export function followChanges(options: FollowOptions): () => void {
  const { window, calls, onBegin, onChange, onFailed, onRefused } = options;
  let pause = MIN_PAUSE_MS;
  let timer: number | undefined;
  let current: AbortController | undefined;

  const open = async () => {
    const stream = new AbortController();
    current = stream;
    try {
      const bytes = await calls.changes(stream.signal);
      onBegin();
      for await (const { data } of messagesOf(bytes)) {
        const event = OverviewEvent.parse(JSON.parse(data));
        if (event.type === "closed") break;
        pause = MIN_PAUSE_MS;
        onChange(event.data);
      }
    } catch (error) {
      if (stream.signal.aborted) return;
      if (isKeyRefusal(error)) {
        stop();
        return onRefused(error.message);
      }
      onFailed();
    }
    if (stream.signal.aborted) return;
    current = undefined;
    // Pages whose relay was restarted do not come back all at once.
    timer = window.setTimeout(open, pause * (0.5 + Math.random() / 2));
    pause = Math.min(pause * 2, MAX_PAUSE_MS);
  };
  const close = () => {
    window.clearTimeout(timer);
    current?.abort();
    current = undefined;
  };
  const look = () => {
    if (window.document.hidden) return close();
    if (current !== undefined) return;
    window.clearTimeout(timer);
    pause = MIN_PAUSE_MS;
    void open();
  };
  const stop = () => {
    close();
    window.document.removeEventListener("visibilitychange", look);
    window.removeEventListener("online", look);
  };
  window.document.addEventListener("visibilitychange", look);
  window.addEventListener("online", look);
  look();
  return stop;
}

async function* messagesOf(bytes: ReadableStream<Uint8Array<ArrayBuffer>>) {
  const reader = bytes
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream({ maxBufferSize: MAX_MESSAGE_CHARACTERS, onError: "terminate" }))
    .getReader();
  // Not every browser iterates over a stream.
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
}
