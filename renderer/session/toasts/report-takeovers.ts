import type { AdoptRequest } from "../../../core/protocol/records.ts";
import { Undo } from "../../../core/undo.ts";
import { hasAskedToType, TYPING_REQUEST } from "../actions/ask-to-type.ts";
import type { SessionHost } from "../view/session-host.ts";
import { shellInfo } from "../view/tile-info.ts";
import type { ToastStore } from "../view/toast-store.ts";

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
      const owner = snapshot.mirror?.clients.find(({ id }) => id === to)?.name ?? "the owner";
      asked.set(shellId, { id: request, owner });
      const seconds = Math.max(1, Math.round((Date.parse(expiresAt) - Date.now()) / 1000));
      const words = `You asked ${owner} for “${shellInfo(shellId, snapshot).name}”, who has ${seconds} s to answer.`;
      toasts.show("info", words, [], aboutShell(shellId));
    }
  };
  note();
  undo.add(host.subscribe(note));
  undo.add(
    host.onEvent((event) => {
      const snapshot = host.snapshot();
      if (event.type !== "adopt.answered" || event.data.from !== snapshot.self?.id) return;
      const { shellId, outcome } = event.data;
      const owner = asked.get(shellId)?.owner ?? "the owner";
      const name = `“${shellInfo(shellId, snapshot).name}”`;
      const outcomes = {
        allowed: `${name} is yours now: ${owner} agreed.`,
        denied: `${name} stays with ${owner}, who said no.`,
        expired: `${name} stays with ${owner}, who did not answer. You can ask again.`,
      } as const;
      toasts.show(outcome === "allowed" ? "success" : "info", outcomes[outcome], [], aboutShell(shellId));
    }),
  );
  return () => undo.dispose();
}

const roleNews = {
  admin: "You are an admin of this session now: you can type in every shell.",
  writer: "You can type now: open a shell, or ask for one that another person has.",
  reader: "You can only watch in this session now.",
} as const;

/** Tells the user when their role in the session was changed. Returns a function that stops. */
export function reportRole({ host, ui: { toasts } }: ReportingView): () => void {
  let known = host.snapshot().self?.role;
  return host.subscribe(() => {
    const role = host.snapshot().self?.role;
    if (role === known || role === undefined) return;
    if (known !== undefined) toasts.show(role === "reader" ? "info" : "success", roleNews[role], [], "role");
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
        tell("Your request to type was withdrawn while you were not connected. You can ask again.");
      }
    }),
  );
  undo.add(
    host.onEvent((event) => {
      if (event.type !== "role.answered" || event.data.from !== host.snapshot().self?.id) return;
      const { outcome } = event.data;
      if (outcome === "allowed") toasts.dismissAbout(TYPING_REQUEST);
      if (outcome === "denied") tell("The host did not let you type for now. You can ask again in 5 min.");
      if (outcome === "expired") tell("No one answered your request to type. You can ask again.");
    }),
  );
  return () => undo.dispose();
}

function aboutShell(shell: number): string {
  return `takeover of ${shell}`;
}
