import type { ToastKind } from "../../../core/protocol/events.ts";
import { createStore, type Store } from "../../ui/store.ts";

export interface ToastAction {
  readonly label: string;
  /** The frame offers the same: the message need not stay for it. */
  readonly again?: true;
  run(): void;
}

export interface ShownToast {
  readonly id: number;
  readonly kind: ToastKind;
  readonly message: string;
  readonly actions: readonly ToastAction[];
  /** Number of identical messages. */
  readonly times: number;
  /** What the message is about; a newer one about the same replaces it. */
  readonly about: string | undefined;
}

/** Maximum number of toasts; beyond it, the oldest that is not an error is removed. */
const MAX_TOASTS = 5;

/** The visible toasts. Identical messages are counted, not stacked. */
export class ToastStore {
  readonly shown: Store<readonly ShownToast[]> = createStore<readonly ShownToast[]>([]);
  #nextId = 1;

  /**
   * Shows a message and returns its id.
   * @param actions with the very actions of the earlier message about the matter, that one is renewed in its place: its
   * buttons can be pressed on
   * @param about names the matter: the message replaces an earlier one about it, and `dismissAbout` removes it
   */
  show(kind: ToastKind, message: string, actions: readonly ToastAction[] = [], about?: string): number {
    const now = this.shown.get();
    const renewed = now.find((toast) => about !== undefined && toast.about === about && toast.kind === kind);
    if (renewed !== undefined && actions.length > 0 && haveSame(renewed.actions, actions)) {
      this.shown.set(now.map((toast) => (toast === renewed ? { ...toast, message } : toast)));
      return renewed.id;
    }
    const id = this.#nextId++;
    const same =
      actions.length === 0 ? now.find((toast) => toast.kind === kind && toast.message === message) : undefined;
    const rest = now.filter((toast) => toast !== same && (about === undefined || toast.about !== about));
    this.shown.set(trimmed([...rest, { id, kind, message, actions, times: (same?.times ?? 0) + 1, about }]));
    return id;
  }

  /** Removes the message about a matter that is settled. */
  dismissAbout(about: string): void {
    this.shown.set(this.shown.get().filter((toast) => toast.about !== about));
  }

  dismiss(id: number): void {
    this.shown.set(this.shown.get().filter((toast) => toast.id !== id));
  }
}

function haveSame(before: readonly ToastAction[], actions: readonly ToastAction[]): boolean {
  return before.length === actions.length && before.every((action, index) => action === actions[index]);
}

function trimmed(toasts: readonly ShownToast[]): readonly ShownToast[] {
  if (toasts.length <= MAX_TOASTS) return toasts;
  const oldest = toasts.find((toast) => toast.kind !== "error" && toast.actions.length === 0) ?? toasts[0];
  return toasts.filter((toast) => toast !== oldest);
}
