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
  loseContext(gl);
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
  const start = () => {
    timer ??= setTimeout(() => {
      stop ??= startWebgl(terminal, slots, (canvas) => {
        stop = undefined;
        canvas.addEventListener("webglcontextrestored", () => again(canvas), { once: true });
      });
    });
  };
  const again = (canvas: HTMLCanvasElement) => {
    loseContext(canvas.getContext("webgl2"));
    if (timer === undefined) return;
    timer = undefined;
    start();
  };
  return (on) => {
    if (on) return start();
    clearTimeout(timer);
    timer = undefined;
    stop?.();
    stop = undefined;
  };
}

/**
 * A browser takes a context away when the graphics card is reset and, of pages that share a process, from the oldest beyond
 * 16; it gives it back when there is room. The add-on waits 3 s for that, in which the terminal would be blank.
 * @param lost called when its context was taken away, with the canvas that hears of its return
 */
function startWebgl(
  terminal: Terminal,
  slots: WebglSlots,
  lost: (canvas: HTMLCanvasElement) => void,
): (() => void) | undefined {
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
    const others = new Set(canvasesOf(terminal));
    terminal.loadAddon(addon);
    for (const canvas of canvasesOf(terminal)) {
      if (others.has(canvas)) continue;
      canvas.addEventListener("webglcontextlost", () => {
        if (!open) return;
        stop();
        lost(canvas);
      });
    }
    return stop;
  } catch {
    release();
    slots.giveUp();
    return undefined;
  }
}

function canvasesOf({ element }: Terminal): readonly HTMLCanvasElement[] {
  return [...(element?.querySelectorAll("canvas") ?? [])];
}

/** A context counts as one of the page's until it is collected, or lost. */
function loseContext(gl: WebGL2RenderingContext | null): void {
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
}
