import { z } from "zod";

/** What a check of the machine and the relay found: `ok`, a note worth knowing, or a problem to solve. */
export const Finding = z.object({
  check: z.string().describe("what was checked, such as `data folder`"),
  state: z.enum(["ok", "note", "problem"]),
  found: z.string().describe("the fact, in one sentence"),
  advice: z.string().optional().describe("what to do about it; commands stand between backticks"),
});
export type Finding = z.infer<typeof Finding>;
