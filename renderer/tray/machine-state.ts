import type { MachineOverview } from "../../core/protocol/machines.ts";

/** Whether a machine answers, and accepts the key that is kept for it. */
export function isUsable({ state, key }: Pick<MachineOverview, "state" | "key">): boolean {
  return state === "reachable" && key === "valid";
}
