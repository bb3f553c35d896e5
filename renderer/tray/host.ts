import type { OverviewPart } from "../../core/protocol/overview-changes.ts";
import type { InvokeName } from "../../preload/channel-names.ts";
import type { InvokeArgs, OnMessages, PageBridge } from "../../preload/channels.ts";

/** A request of the panel to its host. */
export type PanelCall = Extract<InvokeName, `panel.${string}`>;
/** What the host tells the panel. */
export type PanelMessage = "panel.changed" | "panel.tab" | "panel.section";

/**
 * What the panel needs of the place that it is shown in: the app, over its main process, or a browser, over HTTP with the
 * owner's key.
 */
export interface PanelHost {
  /** Whether calls of this name have an effect here; what needs others is absent. */
  can(name: PanelCall): boolean;
  /** Makes a call. Rejects with an Error whose message is meant for the user. */
  invoke<N extends PanelCall>(name: N, args: InvokeArgs<N>): Promise<unknown>;
  /** Subscribes to messages. Returns an unsubscribe function. */
  on<N extends PanelMessage>(name: N, listener: (message: OnMessages[N]) => void): () => void;
  /**
   * Calls back with what has changed, for what is read beside the content. Returns an unsubscribe function. Absent where the
   * host does not tell.
   */
  readonly onTouched?: (listener: (parts: readonly OverviewPart[]) => void) => () => void;
}

/** The panel's host in the app, which can do everything. */
export function appHost({ invoke, on }: PageBridge): PanelHost {
  return { can: () => true, invoke, on };
}
