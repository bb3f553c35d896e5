import type { MachineOverview } from "../../core/protocol/machines.ts";
import type { Question } from "../../core/protocol/questions.ts";

/** Returns a machine that answers and accepts its key, with questions of its agents. */
export function machineWith(questions: readonly Question[], parts: Partial<MachineOverview> = {}): MachineOverview {
  return {
    ...{ via: "remote", machine: "box", url: "https://box:7717", version: "0.1.0", state: "reachable", key: "valid" },
    ...{ awaySince: null, keepsKey: true, sessions: [], agents: [], cost: 0 },
    questions: questions.map((question) => ({ session: "work", question })),
    ...parts,
  };
}
