import "./toasts.css";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { Icon } from "../../ui/icon.tsx";
import { useStore } from "../../ui/store.ts";
import type { ShownToast } from "../view/toast-store.ts";
import { useSnapshot, useView } from "../view/view.ts";
import { words } from "../words/index.ts";
import { AdoptRequests } from "./adopt-requests.tsx";
import { AgentRequests } from "./agent-requests.tsx";
import { RoleRequests } from "./role-requests.tsx";
import { ToastActions } from "./toast-actions.tsx";

/** How long a message is visible. Errors stay until they are dismissed, or the fault ends. */
const TOAST_DURATION_MS = 8_000;
/** How long a message is visible whose button is nowhere else: an offer that can be missed. */
const OFFER_DURATION_MS = 30_000;

/** Bars whose lower edge is within this many pixels of the window's may be covered. */
const LOWEST_BAR = 100;

/** Messages at the lower right, on phones and touch screens on top. Screen readers announce errors immediately, others politely. */
export function Toasts() {
  const { toasts } = useView().ui;
  const shown = useStore(toasts.shown);
  const section = useRef<HTMLElement>(null);
  useLift(section);
  const calm = shown.filter(({ kind }) => kind !== "error");
  const errors = shown.filter(({ kind }) => kind === "error");
  return (
    <section ref={section} className="toasts" aria-label={words.toasts.title}>
      <AdoptRequests />
      <RoleRequests />
      <AgentRequests />
      <div aria-live="polite">
        {calm.map((toast) => (
          <Toast key={toast.id} toast={toast} />
        ))}
      </div>
      <div aria-live="assertive">
        {errors.map((toast) => (
          <Toast key={toast.id} toast={toast} />
        ))}
      </div>
    </section>
  );
}

/** Keeps the messages above the bars of tiles that they would cover, and above the keys of a touch screen. */
function useLift(section: React.RefObject<HTMLElement | null>): void {
  useSnapshot();
  useEffect(() => {
    const { current } = section;
    // Every message has a button. Without one, a measurement would only lay out the page once more.
    if (current === null || current.querySelector("button") === null) return;
    const { left, right } = current.getBoundingClientRect();
    const bars = [...document.querySelectorAll(".ended-bar, .agent-question, .key-row")].map((bar) =>
      bar.getBoundingClientRect(),
    );
    const lowest = window.innerHeight - LOWEST_BAR;
    const tops = bars.flatMap((bar) =>
      bar.width > 0 && bar.right > left && bar.left < right && bar.bottom > lowest ? [bar.top] : [],
    );
    const lift = tops.length === 0 ? 0 : window.innerHeight - Math.min(...tops);
    current.style.setProperty("--lift", `${lift}px`);
  });
}

function Toast({ toast }: { toast: ShownToast }) {
  const { id, kind, message, actions, times } = toast;
  const { toasts } = useView().ui;
  const visible = useVisible();
  const [held, setHeld] = useState(false);
  const leaves = kind !== "error" && visible && !held;
  const duration = actions.every(({ again }) => again) ? TOAST_DURATION_MS : OFFER_DURATION_MS;
  useEffect(() => {
    if (!leaves) return;
    // A renewed message is another toast, whose time begins anew.
    const timer = setTimeout(() => toasts.dismiss(toast.id), duration);
    return () => clearTimeout(timer);
  }, [leaves, duration, toast, toasts]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the pointer over a message only keeps it longer
    <div
      className="toast"
      data-kind={kind}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <span className="toast-icon">
        <Icon name={kind === "success" ? "check" : kind === "error" ? "warning" : "info"} size={14} />
      </span>
      <div className="toast-text">
        <span className="visually-hidden">{words.toasts.kinds[kind]}: </span>
        {message}
        {times > 1 && <span className="times"> × {times}</span>}
        {actions.length > 0 && (
          <ToastActions>
            {actions.map(({ label, run }) => (
              <button
                key={label}
                type="button"
                className="button outlined small"
                onClick={() => {
                  // First, so that a message that the action shows about the same matter stays.
                  toasts.dismiss(id);
                  run();
                }}
              >
                {label}
              </button>
            ))}
          </ToastActions>
        )}
      </div>
      <button
        type="button"
        className="icon-button"
        aria-label={words.toasts.dismiss}
        onClick={() => toasts.dismiss(id)}
      >
        <Icon name="close" size={12} />
      </button>
    </div>
  );
}

/** Reports whether the page is visible: toasts do not expire while it is hidden. */
function useVisible(): boolean {
  return useSyncExternalStore(subscribe, () => document.visibilityState === "visible");
}

function subscribe(changed: () => void): () => void {
  document.addEventListener("visibilitychange", changed);
  return () => document.removeEventListener("visibilitychange", changed);
}
