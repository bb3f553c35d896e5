import { z } from "zod";

/** A program that asks to be logged in (RFC 8628), and waits for the answer of this machine's user. */
export const PendingLogin = z.object({
  code: z.string().describe("What the program shows to its user, for comparing: `WDJB-MJHT`."),
  name: z.string().describe("What the program says of itself; not checked."),
  address: z.string().describe("Address that its request came from."),
  since: z.string(),
  expiresAt: z.string(),
});
export type PendingLogin = z.infer<typeof PendingLogin>;
