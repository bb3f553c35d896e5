import { relayOps } from "../../protocol/relay-ops.ts";
import { command } from "../command.ts";

const { agentType, folder } = relayOps.forgetAgent.params.shape;

export const forgetAgent = command({
  area: "session",
  summary: "Revoke that an agent may always control the session from a folder",
  params: relayOps.forgetAgent.params.extend({
    agentType: agentType.describe("kind of the agent, such as claude"),
    folder: folder.describe("the folder, as `list-restrictions` shows it"),
  }),
  result: relayOps.forgetAgent.result,
  role: "admin",
  scope: "session",
  touches: "screen",
  closedToPlugins: true,
  decidesRights: true,
  cli: [{ name: "forget-agent", args: ["agentType", "folder"], examples: ["forget-agent claude /home/ann/project"] }],
  run: (context, wanted) => context.delegate("forgetAgent", wanted),
});
