import { z } from "zod";
import { LeftBehind, ShellUsage } from "../protocol/shell-usage.ts";
import { operation } from "./operation.ts";
import { SessionParam } from "./sessions.ts";

export const processOperations = {
  getShellUsage: operation({
    summary:
      "Show what each shell of a session costs: processor, memory, processes, and what ended agents left running",
    details:
      "Read from the system at the call, never in between. The first call measures the processor for a moment; later ones since the call before, if that is less than a minute ago. Names of programs are shown, not their arguments. `leftBehind` has the processes that an agent had started and that run on although the agent has ended; they are known while the relay that saw the agent runs.",
    params: z.object({ session: SessionParam }),
    result: z.array(ShellUsage),
    access: "read",
    effect: "read",
    http: { method: "GET", path: "sessions/:session/usage" },
    cli: {
      word: "top",
      action: "list",
      isDefault: true,
      wordSummary: "show what shells cost the machine, and what ended agents left running",
      columns: ["shellId", "title", "cpuPercent", "memoryBytes", "count", "leftCount"],
      examples: ["top", "top --json"],
    },
    panel: true,
  }),
  endLeftBehind: operation({
    summary: "End processes that ended agents have left running",
    details:
      "SIGTERM, and SIGKILL after 3 s. Only processes that `getShellUsage` lists as left behind. Returns those that were ended.",
    params: z.object({
      session: SessionParam,
      pid: z.int().positive().optional().describe("only this process; without it all of them"),
      dryRun: z.boolean().default(false).describe("end nothing, and list what would be ended"),
    }),
    result: z.array(LeftBehind.omit({ cpuPercent: true, memoryBytes: true, parent: true })),
    access: "change",
    closedToAgents: true,
    effect: "change",
    http: { method: "POST", path: "sessions/:session/left-behind/end" },
    cli: { word: "top", action: "end", args: ["pid"], examples: ["top end --dry-run", "top end 4711"] },
    panel: true,
  }),
} as const;
