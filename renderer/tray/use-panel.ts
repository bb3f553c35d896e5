import { createContext, useContext } from "react";
import type { OperationInput, OperationName, OperationResult } from "../../core/operations/index.ts";
import type { InvokeName } from "../../preload/channel-names.ts";
import type { InvokeArgs, PageBridge, PanelContent, PanelResults } from "../../preload/channels.ts";
import type { Store } from "../ui/store.ts";

type PanelName = Extract<InvokeName, `panel.${string}`>;
type PanelResult<N extends PanelName> = N extends keyof PanelResults ? PanelResults[N] : unknown;

export interface PanelView {
  readonly content: PanelContent;
  /** Lines that terminals keep. */
  readonly scrollback: Store<number>;
  /** Asks the main process; a refusal is shown, and answered with undefined. */
  run<N extends PanelName>(name: N, args: InvokeArgs<N>): Promise<PanelResult<N> | undefined>;
  /** Calls an operation of the relay; a refusal is shown, and the result is undefined. */
  call<N extends OperationName>(name: N, params: OperationInput<N>): Promise<OperationResult<N> | undefined>;
  /** Says something at the foot of the panel. */
  showStatus(sentence: string, kind?: "info" | "bad"): void;
}

export const PanelContext = createContext<PanelView | undefined>(undefined);

export function usePanel(): PanelView {
  const view = useContext(PanelContext);
  if (view === undefined) throw new Error("There is no panel around this part.");
  return view;
}

/** The view's functions over a page's bridge. */
export function panelView(
  bridge: PageBridge,
  shown: Pick<PanelView, "content" | "scrollback" | "showStatus">,
): PanelView {
  const answered = async <T>(answer: Promise<unknown>): Promise<T | undefined> => {
    try {
      return (await answer) as T;
    } catch (error) {
      shown.showStatus(error instanceof Error ? error.message : String(error), "bad");
      return undefined;
    }
  };
  return {
    ...shown,
    run: (name, args) => answered(bridge.invoke(name, args)),
    call: (operation, params) => answered(bridge.invoke("panel.run", { operation, params: { ...params } })),
  };
}
