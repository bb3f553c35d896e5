import { WebglAddon } from "@xterm/addon-webgl";
import type { Terminal } from "@xterm/xterm";

/** Browsers drop the oldest WebGL context beyond about 16 per page, so terminals share fewer than that. */
const MAX_CONTEXTS = 10;

/** Names of drivers that draw WebGL with the processor. */
const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;

/** Limits the number of WebGL contexts. A terminal without one draws with the DOM. */
export class WebglSlots {
  readonly #driver: () => string | undefined;
  #free = MAX_CONTEXTS;
  #works: boolean | undefined;

  /** @param driver returns the name of what draws WebGL, undefined where there is no WebGL; called once */
  constructor(driver = webglDriver) {
    this.#driver = driver;
  }

  /** The browser has no WebGL: asking it again for every terminal that appears would take time, and fail. */
  giveUp(): void {
    this.#works = false;
  }

  /**
   * Takes a slot. Returns a function that releases it, or undefined if all are taken or there is no WebGL with a graphics
   * card: without one, WebGL takes several times as long as the DOM to draw the same text.
   */
  take(): (() => void) | undefined {
    if (this.#works === undefined) {
      const driver = this.#driver();
      this.#works = driver !== undefined && !SOFTWARE.test(driver);
    }
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

function webglDriver(): string | undefined {
  const gl = document.createElement("canvas").getContext("webgl2", { failIfMajorPerformanceCaveat: true });
  if (gl === null) return undefined;
  const named = gl.getExtension("WEBGL_debug_renderer_info");
  const driver: unknown = gl.getParameter(named === null ? gl.RENDERER : named.UNMASKED_RENDERER_WEBGL);
  // It counts as one of the page's contexts until it is collected.
  gl.getExtension("WEBGL_lose_context")?.loseContext();
  return String(driver);
}

/**
 * Returns a switch that gives the terminal a WebGL context or releases it. Without a context (all slots taken, no WebGL,
 * or a lost context) the terminal draws with the DOM. It does so at first too, because a context takes long to make: each
 * is made in a task of its own, between which the page answers.
 */
export function createWebglSwitch(terminal: Terminal, slots: WebglSlots): (on: boolean) => void {
  let stop: (() => void) | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (on) => {
    if (on) {
      timer ??= setTimeout(() => {
        stop ??= startWebgl(terminal, slots);
      });
      return;
    }
    clearTimeout(timer);
    timer = undefined;
    stop?.();
    stop = undefined;
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
