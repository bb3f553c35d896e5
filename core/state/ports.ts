import type { ShownBy, ToastKind } from "../protocol/events.ts";
import type { ShellId } from "../protocol/ids.ts";
import type { ClientKind } from "../protocol/records.ts";
import type { OpInput, OpResult, RelayOp } from "../protocol/relay-ops.ts";

/** What the place where a client runs (Electron, a browser page, a headless process) must lend it. */
export interface ClientHost {
  readonly kind: ClientKind;
  /** A label for people: `desktop`, `headless`, `Firefox on Linux`. */
  readonly device: string;
  /** Shows a short message and returns how it was shown. `shell`: the one that the caller sits in, if any. */
  toast(toast: { message: string; kind: ToastKind; shell?: ShellId | undefined }): ShownBy | Promise<ShownBy>;
  /** As `toast`, for a notification; resolves within a few seconds, whatever the desktop does. */
  notify(notification: {
    title: string;
    body?: string | undefined;
    shell?: ShellId | undefined;
  }): ShownBy | Promise<ShownBy>;
  /** Size of the whole workspace in terminal cells: shells start with their share of it. */
  viewport(): { cols: number; rows: number };
}

/** Asks the relay for what only the relay has; rejects with a RemoteError when it is refused. */
export type AskRelay = <K extends RelayOp>(op: K, params: OpInput<K>) => Promise<OpResult<K>>;
