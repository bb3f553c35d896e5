import { WebglAddon } from "@xterm/addon-webgl";
import type { Terminal } from "@xterm/xterm";
import type { WebglSlots } from "./webgl-slots.ts";

/**
 * Answers a switch that gives the terminal a WebGL context, or takes it away. Without one (all slots taken, no WebGL, or
 * a context that the browser took back) the terminal draws with the DOM.
 */
export function switchWebgl(terminal: Terminal, slots: WebglSlots): (on: boolean) => void {
  let stop: (() => void) | undefined;
  return (on) => {
    if (!on) {
      stop?.();
      stop = undefined;
    } else stop ??= start(terminal, slots);
  };
}

function start(terminal: Terminal, slots: WebglSlots): (() => void) | undefined {
  const giveBack = slots.take();
  if (giveBack === undefined) return undefined;
  try {
    const addon = new WebglAddon();
    let open = true;
    const stop = () => {
      if (!open) return;
      open = false;
      addon.dispose();
      giveBack();
    };
    addon.onContextLoss(stop);
    terminal.loadAddon(addon);
    return stop;
  } catch {
    giveBack();
    return undefined;
  }
}
