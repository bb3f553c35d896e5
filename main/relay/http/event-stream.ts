import type { Response } from "express";
import type { z } from "zod";
import type { StreamClosed } from "../../../core/protocol/events.ts";

const KEEP_ALIVE_MS = 15_000;

/** Begins a stream of server-sent events. */
export function beginEventStream(response: Response): void {
  response.writeHead(200, {
    "Content-Type": "text/event-stream; charset=utf-8",
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",
  });
}

/** Writes a comment every 15 s, so that a connection that is gone is noticed. Returns a function that stops it. */
export function keepStreamAlive(response: Response): () => void {
  const timer = setInterval(() => response.write(": \n\n"), KEEP_ALIVE_MS);
  return () => clearInterval(timer);
}

/** Returns the last message of a stream that the relay ends. */
export function closedMessage(data: z.infer<typeof StreamClosed>["data"]): string {
  return `event: closed\ndata: ${JSON.stringify({ type: "closed", data })}\n\n`;
}
