import type { AdoptRequest } from "../../../core/protocol/records.ts";
import { Undo } from "../../../core/undo.ts";
import { hasAskedToType, TYPING_REQUEST } from "../actions/ask-to-type.ts";
import type { SessionHost } from "../view/session-host.ts";
import { shellInfo } from "../view/tile-info.ts";
import type { ToastStore } from "../view/toast-store.ts";
import { words } from "../words/index.ts";

interface ReportingView {
  readonly host: Pick<SessionHost, "snapshot" | "subscribe" | "onEvent">;
  readonly ui: { readonly toasts: ToastStore };
}

/** Reports to the user who asked for a shell that the owner was asked, and the answer. Returns a function that stops. */
export function reportTakeovers({ host, ui: { toasts } }: ReportingView): () => void {
  const undo = new Undo();
  /** This client's latest request for each shell, and who was asked. */
  const asked = new Map<number, { readonly id: number; readonly owner: string }>();
  const mine = (): readonly AdoptRequest[] => {
    const { mirror, self } = host.snapshot();
    return (mirror?.adoptRequests ?? []).filter(({ from }) => from.clientId === self?.id);
  };
  const note = () => {
    for (const { id: request, shellId, to, expiresAt } of mine()) {
      if (asked.get(shellId)?.id === request) continue;
      const snapshot = host.snapshot();
      const owner = snapshot.mirror?.clients.find(({ id }) => id === to)?.name ?? words.toasts.owner;
      asked.set(shellId, { id: request, owner });
      const seconds = Math.max(1, Math.round((Date.parse(expiresAt) - Date.now()) / 1000));
      const message = words.toasts.askedOwner(owner, shellInfo(shellId, snapshot).name, seconds);
      toasts.show("info", message, [], aboutShell(shellId));
    }
  };
  note();
  undo.add(host.subscribe(note));
  undo.add(
    host.onEvent((event) => {
      const snapshot = host.snapshot();
      if (event.type !== "adopt.answered" || event.data.from !== snapshot.self?.id) return;
      const { shellId, outcome } = event.data;
      const owner = asked.get(shellId)?.owner ?? words.toasts.owner;
      const { name } = shellInfo(shellId, snapshot);
      const outcomes = {
        allowed: words.toasts.agreed(name, owner),
        denied: words.toasts.refused(name, owner),
        expired: words.toasts.unanswered(name, owner),
      } as const;
      toasts.show(outcome === "allowed" ? "success" : "info", outcomes[outcome], [], aboutShell(shellId));
    }),
  );
  return () => undo.dispose();
}

/** Tells the user when their role in the session was changed. Returns a function that stops. */
export function reportRole({ host, ui: { toasts } }: ReportingView): () => void {
  let known = host.snapshot().self?.role;
  return host.subscribe(() => {
    const role = host.snapshot().self?.role;
    if (role === known || role === undefined) return;
    if (known !== undefined) toasts.show(role === "reader" ? "info" : "success", words.toasts.roles[role], [], "role");
    known = role;
  });
}

/** Tells the user who asked to type how that ended; that they may type now is told with the role. Returns a function that stops. */
export function reportTypingRequest({ host, ui: { toasts } }: ReportingView): () => void {
  const undo = new Undo();
  let { connected } = host.snapshot();
  let isOpen = hasAskedToType(host.snapshot());
  const tell = (message: string) => toasts.show("info", message, [], TYPING_REQUEST);
  undo.add(
    host.subscribe(() => {
      const snapshot = host.snapshot();
      const isBack = snapshot.connected && !connected;
      connected = snapshot.connected;
      if (!connected) return;
      const was = isOpen;
      isOpen = hasAskedToType(snapshot);
      if (isBack && was && !isOpen && snapshot.self?.role === "reader") {
        tell(words.toasts.withdrawn);
      }
    }),
  );
  undo.add(
    host.onEvent((event) => {
      if (event.type !== "role.answered" || event.data.from !== host.snapshot().self?.id) return;
      const { outcome } = event.data;
      if (outcome === "allowed") toasts.dismissAbout(TYPING_REQUEST);
      if (outcome === "denied") tell(words.toasts.notNow);
      if (outcome === "expired") tell(words.toasts.noAnswer);
    }),
  );
  return () => undo.dispose();
}

function aboutShell(shell: number): string {
  return `takeover of ${shell}`;
}
