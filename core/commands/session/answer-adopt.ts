import { z } from "zod";
import { RemoteError } from "../../protocol/errors.ts";
import { relayOps } from "../../protocol/relay-ops.ts";
import { command } from "../command.ts";

export const answerAdopt = command({
  area: "session",
  summary: "Allow or deny a request to adopt one of your shells",
  params: z.object({
    request: z.int().positive().describe("id of the request"),
    allow: z.boolean().default(true).describe("allow it"),
  }),
  result: relayOps.answerAdopt.result,
  role: "writer",
  scope: "client",
  onScreen: false,
  touches: "screen",
  closedToPlugins: true,
  cli: [{ name: "answer-adopt", args: ["request"], examples: ["answer-adopt 1", "answer-adopt 1 --no-allow"] }],
  run(context, { request, allow }) {
    const known = context.mirror.adoptRequests.find((candidate) => candidate.id === request);
    if (known === undefined) throw new RemoteError("unknown_request", `No request ${request} is open.`);
    context.hit.shell = known.shellId;
    return context.delegate("answerAdopt", { request, allow });
  },
});
