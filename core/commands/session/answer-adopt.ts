import { z } from "zod";
import { relayCommand } from "../command.ts";

export const answerAdopt = relayCommand({
  area: "session",
  summary: "Allow or deny a request to adopt one of your shells",
  params: z.object({
    request: z.int().positive().describe("id of the request"),
    allow: z.boolean().default(true).describe("allow it"),
  }),
  result: z.object({ allowed: z.boolean() }),
  role: "writer",
  scope: "client",
  onScreen: false,
  touches: "screen",
  closedToPlugins: true,
  panel: true,
  cli: [{ name: "answer-adopt", args: ["request"], examples: ["answer-adopt 1", "answer-adopt 1 --no-allow"] }],
});
