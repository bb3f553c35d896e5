import { useEffect, useState } from "react";
import { SessionId } from "../../core/protocol/ids.ts";
import type { PageBridge, PanelSession } from "../../preload/channels.ts";

const SAY_COPIED_MS = 2_000;

/** One session: name, what is in it, its id to copy, and the way into it. */
export function SessionRow({ session, bridge }: { readonly session: PanelSession; readonly bridge: PageBridge }) {
  const id = SessionId.parse(session.id);
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), SAY_COPIED_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () => void bridge.invoke("panel.copyId", { id }).then(() => setCopied(true));
  return (
    <li className="panel-session">
      <div className="panel-session-text">
        <h2 className="ellipsis" title={session.name}>
          {session.name}
        </h2>
        <p>
          {counted(session.shells, "shell")}, {counted(session.clients, "client")}
        </p>
        <code className="ellipsis" title={session.id}>
          {session.id}
        </code>
      </div>
      <button type="button" className="button outlined" onClick={copy} aria-label={`Copy the id of ${session.name}`}>
        <span aria-live="polite">{copied ? "Copied" : "Copy id"}</span>
      </button>
      <button
        type="button"
        className="button primary"
        onClick={() => void bridge.invoke("panel.open", { id })}
        aria-label={`Open ${session.name}`}
      >
        Open
      </button>
    </li>
  );
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
