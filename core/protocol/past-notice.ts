import { z } from "zod";

/** A notification as the app keeps it: what it said, and whether the user got it then. */
export const PastNotice = z.object({
  id: z.int(),
  at: z.iso.datetime(),
  /** Id of its session, and the session's name at that time. */
  session: z.string(),
  sessionName: z.string(),
  title: z.string(),
  body: z.string(),
  /** The shell that it is about. */
  shell: z.int().nullable(),
  /** False where a pause or quiet hours held it back. */
  shown: z.boolean(),
});
export type PastNotice = z.infer<typeof PastNotice>;
