import { z } from "zod";

/** A past notification as the app stores it. */
export const NotificationRecord = z.object({
  id: z.int(),
  at: z.iso.datetime(),
  /** Id of the session; `sessionName` is its name at that time. */
  session: z.string(),
  sessionName: z.string(),
  title: z.string(),
  body: z.string(),
  /** The related shell. */
  shell: z.int().nullable(),
  /** False if a pause or quiet hours suppressed it. */
  shown: z.boolean(),
});
export type NotificationRecord = z.infer<typeof NotificationRecord>;
