import { WebglAddon } from "@xterm/addon-webgl";
import type { Terminal } from "@xterm/xterm";

/** Browsers drop the oldest WebGL context beyond about 16 per page, so terminals share fewer than that. */
const MAX_CONTEXTS = 10;

/** Limits the number of WebGL contexts. A terminal without one draws with the DOM. */
export class WebglSlots {
  #free = MAX_CONTEXTS;
  #works = true;

  /** The browser has no WebGL: asking it again for every terminal that appears would take time, and fail. */
  giveUp(): void {
    this.#works = false;
  }

  /** Takes a slot. Returns a function that releases it, or undefined if all are taken or there is no WebGL. */
  take(): (() => void) | undefined {
    if (this.#free === 0 || !this.#works) return undefined;
    this.#free -= 1;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.#free += 1;
    };
  }
}

/**
 * Returns a switch that gives the terminal a WebGL context or releases it. Without a context (all slots taken, no WebGL,
 * or a lost context) the terminal draws with the DOM.
 */
export function createWebglSwitch(terminal: Terminal, slots: WebglSlots): (on: boolean) => void {
  let stop: (() => void) | undefined;
  return (on) => {
    if (!on) {
      stop?.();
      stop = undefined;
    } else stop ??= startWebgl(terminal, slots);
  };
}

function startWebgl(terminal: Terminal, slots: WebglSlots): (() => void) | undefined {
  const release = slots.take();
  if (release === undefined) return undefined;
  try {
    const addon = new WebglAddon();
    let open = true;
    const stop = () => {
      if (!open) return;
      open = false;
      addon.dispose();
      release();
    };
    addon.onContextLoss(stop);
    terminal.loadAddon(addon);
    return stop;
  } catch {
    release();
    slots.giveUp();
    return undefined;
  }
}
