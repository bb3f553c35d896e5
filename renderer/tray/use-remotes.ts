import { useEffect, useState } from "react";
import type { PageBridge } from "../../preload/channels.ts";
import type { PanelRemote } from "../../preload/panel-content.ts";

const ASK_EVERY_MS = 30_000;

/**
 * The relays of other machines as they last answered; empty until the first answer. They are asked while the panel is
 * visible, one request at a time, and nothing waits for them.
 */
export function useRemotes(bridge: PageBridge): readonly PanelRemote[] {
  const [remotes, setRemotes] = useState<readonly PanelRemote[]>([]);
  useEffect(() => {
    let asking = false;
    let stopped = false;
    const ask = async () => {
      if (asking || document.hidden) return;
      asking = true;
      try {
        const answer = (await bridge.invoke("panel.remotes", undefined)) as readonly PanelRemote[] | undefined;
        if (!stopped && answer !== undefined) setRemotes(answer);
      } catch {
        // The last answer stays; the next one comes soon.
      } finally {
        asking = false;
      }
    };
    const visible = () => void ask();
    const timer = setInterval(visible, ASK_EVERY_MS);
    document.addEventListener("visibilitychange", visible);
    visible();
    return () => {
      stopped = true;
      clearInterval(timer);
      document.removeEventListener("visibilitychange", visible);
    };
  }, [bridge]);
  return remotes;
}
