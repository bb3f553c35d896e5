import type { ProcedureName } from "../../core/procedures/index.ts";
import type { OverviewPart } from "../../core/protocol/overview-changes.ts";
import type { InvokeName } from "../../preload/channel-names.ts";
import type { InvokeArgs, OnMessages, PageBridge } from "../../preload/channels.ts";
import type { Store } from "../ui/store.ts";

/** A request of the panel to its host. */
export type PanelCall = Extract<InvokeName, `panel.${string}`>;
/** What the host tells the panel. */
export type PanelMessage = "panel.changed" | "panel.tab" | "panel.section";

/** A call that changes something got no answer in time: the relay may have executed it, or may still do so. */
export class OutcomeUnknown extends Error {}

/** A relay that does not answer. */
export interface RelayAway {
  /** When the relay answered last (ISO 8601); undefined: never. */
  readonly lastAnswer: string | undefined;
}

/** The connection to a relay in another process, which may be lost. */
export interface RelayConnection {
  /** Undefined while the relay answers, and until the first request has failed. */
  readonly away: Pick<Store<RelayAway | undefined>, "get" | "subscribe">;
  /** Asks the relay again now. Resolves once it has answered or failed to. */
  retry(): Promise<void>;
}

/**
 * What the panel needs of the place that it is shown in: the app, over its main process; a browser, over HTTP with the
 * owner's key; or the page of a guest, over what that page has of its session.
 */
export interface PanelHost {
  /** Whether calls of this name have an effect here; what needs others is absent. */
  can(name: PanelCall): boolean;
  /** Reports whether `panel.run` runs a procedure here; what needs others is absent. Not there where it runs each. */
  readonly canRun?: (name: ProcedureName) => boolean;
  /** Makes a call. Rejects with an Error whose message is meant for the user. */
  invoke<N extends PanelCall>(name: N, args: InvokeArgs<N>): Promise<unknown>;
  /** Subscribes to messages. Returns an unsubscribe function. */
  on<N extends PanelMessage>(name: N, listener: (message: OnMessages[N]) => void): () => void;
  /**
   * Calls back with what has changed, for what is read beside the content. Returns an unsubscribe function. Absent where the
   * host does not tell.
   */
  readonly onTouched?: (listener: (parts: readonly OverviewPart[]) => void) => () => void;
  /** Absent in the app: the relay runs in the same process. */
  readonly connection?: RelayConnection;
}

/** Reports whether a host runs a procedure of the relay. */
export function hostRuns({ canRun }: PanelHost, name: ProcedureName): boolean {
  return canRun?.(name) ?? true;
}

/** The panel's host in the app, which can do everything. */
export function appHost({ invoke, on }: PageBridge): PanelHost {
  return { can: () => true, invoke, on };
}
