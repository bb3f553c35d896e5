import { useEffect, useState } from "react";
import type { PageBridge, SessionToast } from "../../preload/channels.ts";
import { Icon } from "../ui/icon.tsx";
import { useLanguage } from "../ui/language.ts";
import { words } from "./words.ts";

/** Toasts of sessions whose windows are not visible. A click opens the session. */
export function ToastStack({ bridge }: { readonly bridge: PageBridge }) {
  useLanguage();
  const [toasts, setToasts] = useState<readonly SessionToast[]>([]);
  useEffect(() => {
    const stop = bridge.on("toast.changed", setToasts);
    void bridge.invoke("toast.start", undefined);
    return stop;
  }, [bridge]);
  return (
    // Toasts do not expire while the pointer is over them.
    <main
      aria-label={words.title}
      aria-live="polite"
      onPointerEnter={() => void bridge.invoke("toast.hold", { held: true })}
      onPointerLeave={() => void bridge.invoke("toast.hold", { held: false })}
    >
      {toasts.map(({ id, from, message, kind }) => (
        <div key={id} className="toast" data-kind={kind}>
          <Icon name={icons[kind]} />
          <button type="button" className="toast-text" onClick={() => void bridge.invoke("toast.open", { id })}>
            <span className="toast-message" title={message}>
              <span className="visually-hidden">{words.kinds[kind]}: </span>
              {message}
            </span>
            <span className="toast-from ellipsis" title={from}>
              {from}
            </span>
          </button>
          <button
            type="button"
            className="icon-button"
            aria-label={words.dismiss}
            onClick={() => void bridge.invoke("toast.dismiss", { id })}
          >
            <Icon name="close" size={14} />
          </button>
        </div>
      ))}
    </main>
  );
}

const icons = { info: "info", success: "check", error: "warning" } as const;
