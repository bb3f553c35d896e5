import { useState } from "react";
import type { PanelRemote } from "../../preload/panel-content.ts";
import type { PanelHost } from "./host.ts";
import { usePolling } from "./use-polling.ts";

const ASK_EVERY_MS = 10_000;

/** The relays of other machines as they last answered, none until the first answer; and a function that asks them now. */
export function useRemotes(host: PanelHost): readonly [readonly PanelRemote[], () => void] {
  const [remotes, setRemotes] = useState<readonly PanelRemote[]>([]);
  const ask = async () =>
    (host.can("panel.remotes") ? await host.invoke("panel.remotes", undefined) : []) as
      | readonly PanelRemote[]
      | undefined;
  const askNow = usePolling(ask, (answer) => answer !== undefined && setRemotes(answer), ASK_EVERY_MS);
  return [remotes, askNow];
}
