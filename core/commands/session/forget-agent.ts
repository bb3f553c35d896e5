import { z } from "zod";
import { relayCommand } from "../command.ts";

export const forgetAgent = relayCommand({
  area: "session",
  summary: "Revoke that an agent may always control the session from a folder",
  params: z.object({
    agentType: z.string().min(1).max(100).describe("kind of the agent, such as claude"),
    folder: z.string().max(4096).describe("the folder, as `list-restrictions` shows it"),
  }),
  result: z.object({ forgotten: z.int() }),
  role: "admin",
  scope: "session",
  touches: "screen",
  closedToPlugins: true,
  decidesRights: true,
  closedToAutomation: true,
  panel: true,
  cli: [{ name: "forget-agent", args: ["agentType", "folder"], examples: ["forget-agent claude /home/ann/project"] }],
});
