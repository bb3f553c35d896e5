import { z } from "zod";
import { StreamClosed } from "./events.ts";

/** Events of `GET shells/{shell_id}/output`. An event's id is a byte offset: `Last-Event-ID` resumes there. */
export const OutputEvent = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("output"),
    data: z.object({
      output: z.string(),
      offset: z.int().describe("byte position of the first byte"),
      end: z.int().describe("byte position after the last byte"),
    }),
  }),
  /** The reader was too slow or requested output that is no longer kept. Output continues at `offset`. */
  z.object({ type: z.literal("missed"), data: z.object({ bytes: z.int(), offset: z.int() }) }),
  /** The shell has ended. This is the last event. */
  z.object({
    type: z.literal("end"),
    data: z.object({ exitCode: z.int().nullable(), signal: z.string().nullable().optional() }),
  }),
  StreamClosed,
]);
export type OutputEvent = z.infer<typeof OutputEvent>;
