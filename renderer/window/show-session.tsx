import "../ui/tokens.css";
import "../ui/base.css";
import { createRoot, type Root } from "react-dom/client";
import type { PageBridge } from "../../preload/channels.ts";
import { mountSessionView } from "../session/mount.tsx";
import { MachineDoor } from "./machine-door.tsx";
import type { WindowHost } from "./window-host.ts";
import { words } from "./words.ts";

/**
 * Shows the session in an element, or why another machine does not give it. What is on screen goes when the machine refuses
 * the session, and stays while the machine is away.
 */
export function showSession(root: HTMLElement, host: WindowHost, bridge: PageBridge): void {
  let leave: (() => void) | undefined;
  let door: Root | undefined;
  const show = () => {
    const link = host.link();
    const isKnown = host.snapshot().mirror !== undefined;
    if (link === undefined || (isKnown && link.state !== "refused")) {
      door?.unmount();
      door = undefined;
      leave ??= mountSessionView(root, host);
      return;
    }
    leave?.();
    leave = undefined;
    document.title = words.title(link.session, link.machine);
    door ??= createRoot(root);
    door.render(
      <MachineDoor
        link={link}
        retry={() => void bridge.invoke("session.retry", undefined)}
        enterKey={() => void bridge.invoke("session.enterKey", undefined)}
      />,
    );
  };
  host.subscribe(show);
  show();
}
