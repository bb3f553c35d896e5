import { useState } from "react";
import type { MachineOverview } from "../../core/protocol/machines.ts";
import { hostRuns, type PanelHost } from "./host.ts";
import { usePolling } from "./use-polling.ts";

const ASK_EVERY_MS = 10_000;
const none: readonly MachineOverview[] = [];

/**
 * The relays of other machines as they last answered, none until the first answer; a function that asks them now; and whether
 * they have answered.
 */
export function useRemotes(host: PanelHost): readonly [readonly MachineOverview[], () => void, boolean] {
  const [remotes, setRemotes] = useState<readonly MachineOverview[]>();
  const ask = async () =>
    (hostRuns(host, "getMachines") ? await host.invoke("panel.run", { operation: "getMachines", params: {} }) : []) as
      | readonly MachineOverview[]
      | undefined;
  const askNow = usePolling(ask, (answer) => answer !== undefined && setRemotes(answer), ASK_EVERY_MS);
  return [remotes ?? none, askNow, remotes !== undefined];
}
