import type { InvokeArgs } from "../../../preload/channels.ts";
import type { PanelCall } from "../host.ts";
import { words } from "../words/index.ts";

/** What a host in a browser does for the calls that have an effect there. */
export type PanelHandlers = { readonly [N in PanelCall]?: (args: InvokeArgs<N>) => unknown };

/** Makes a call of the panel. Rejects with a message for the user where the host has no handler for it. */
export async function handleCall<N extends PanelCall>(
  handlers: PanelHandlers,
  name: N,
  args: InvokeArgs<N>,
): Promise<unknown> {
  const handle: ((args: InvokeArgs<N>) => unknown) | undefined = handlers[name];
  if (handle === undefined) throw new Error(words.browser.onlyInApp);
  return await handle(args);
}
