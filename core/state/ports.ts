import type { ShownBy, ToastKind } from "../protocol/events.ts";
import type { ShellId } from "../protocol/ids.ts";
import type { ClientKind } from "../protocol/records.ts";

/** The size of the whole workspace in terminal cells; new shells get their share of it. */
export interface Viewport {
  readonly cols: number;
  readonly rows: number;
  /** Sizes in CSS pixels, for a host that draws: of a cell, and of what a tile shows around its terminal. */
  readonly pixels?: { readonly cell: PixelSize; readonly inset: PixelSize } | undefined;
}

interface PixelSize {
  readonly width: number;
  readonly height: number;
}

/** The services that a client's host (Electron, a browser page, a headless process) provides. */
export interface ClientHost {
  readonly kind: ClientKind;
  /** A human-readable label: `desktop`, `headless`, `Firefox on Linux`. */
  readonly device: string;
  /** Shows a short message and returns how it was shown. `shell`: the shell that the caller runs in, if any. */
  toast(toast: { message: string; kind: ToastKind; shell?: ShellId | undefined }): ShownBy | Promise<ShownBy>;
  /** Shows a notification and returns how it was shown. Resolves within a few seconds even if the desktop hangs. */
  notify(notification: {
    title: string;
    body?: string | undefined;
    shell?: ShellId | undefined;
  }): ShownBy | Promise<ShownBy>;
  viewport(): Viewport;
}
