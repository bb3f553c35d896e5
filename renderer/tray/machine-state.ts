import type { PanelRemote } from "../../preload/panel-content.ts";

/** Whether a machine answers, and accepts the key that is kept for it. */
export function isUsable({ state, key }: Pick<PanelRemote, "state" | "key">): boolean {
  return state === "reachable" && key === "valid";
}
