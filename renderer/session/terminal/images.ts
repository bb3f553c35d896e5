import type { IImageAddonOptions, ImageAddon } from "@xterm/addon-image";
import type { IDisposable, Terminal } from "@xterm/xterm";
import { ImageIntroducer } from "./image-introducer.ts";
import { completeImages } from "./iterm2-images.ts";
import { OutputDecoder } from "./output-decoder.ts";

/** 8 megapixels, which is a little less than what is kept of all images: 4 bytes for each pixel. */
const MAX_PIXELS = 8_000_000;
/** Of one image, encoded. */
const MAX_ENCODED_BYTES = 16 * 1024 * 1024;
/** MB of decoded images that a terminal keeps; the oldest go first. */
const KEPT_MEGABYTES = 32;

const OPTIONS: IImageAddonOptions = {
  pixelLimit: MAX_PIXELS,
  storageLimit: KEPT_MEGABYTES,
  sixelSizeLimit: MAX_ENCODED_BYTES,
  iipSizeLimit: MAX_ENCODED_BYTES,
};

/** The answer of the add-on to the query for the terminal's attributes (DA1): a VT220 with sixel graphics. */
const ATTRIBUTES = "\x1b[?62;4;9;22c";

/** The decoder of sixel is compiled in the background; output is held back no longer than this. */
const MAX_COMPILE_MS = 3000;
const COMPILE_CHECK_MS = 5;

/** The output of a terminal, in which images are drawn once the first one has come. */
interface ImageOutput {
  write(data: string | Uint8Array, done?: () => void): void;
  /** Drops what is held back, because a snapshot replaces it. */
  drop(): void;
  /** Whether images are drawn from now on. */
  draw(images: boolean): void;
  dispose(): void;
}

/**
 * Gives a terminal images in the sixel and the iTerm2 protocol. The code for it is loaded when the first image begins;
 * output that comes meanwhile waits, in order. If the code cannot be loaded, images are left out.
 */
export function createImageOutput(terminal: Terminal): ImageOutput {
  let wanted = false;
  let disposed = false;
  let introducer = new ImageIntroducer();
  let decoder = new OutputDecoder();
  let addon: IDisposable | "failed" | undefined;
  /** Output that waits until the add-on is ready; undefined while none has to. */
  let held: { readonly text: string; readonly done: (() => void) | undefined }[] | undefined;

  const release = () => {
    const waiting = held ?? [];
    held = undefined;
    for (const { text, done } of waiting) terminal.write(text, done);
  };
  const load = async () => {
    try {
      const loaded = await loadAddon(terminal, () => wanted && !disposed);
      if (wanted) addon = loaded;
      else loaded?.dispose();
    } catch {
      addon = "failed";
    }
    if (!disposed) release();
  };
  const attributes = terminal.parser.registerCsiHandler({ final: "c" }, ([kind]) => {
    if (!wanted || (kind ?? 0) !== 0) return false;
    terminal.input(ATTRIBUTES, false);
    return true;
  });

  return {
    write(data, done) {
      const begins = wanted && addon === undefined && typeof data !== "string" && introducer.isIn(data);
      if (begins && held === undefined) {
        held = [];
        void load();
      }
      const text = typeof data === "string" ? data : decoder.decode(data);
      if (held === undefined) terminal.write(text, done);
      else held.push({ text, done });
    },
    drop() {
      introducer = new ImageIntroducer();
      decoder = new OutputDecoder();
      for (const { done } of held?.splice(0) ?? []) done?.();
    },
    draw(images) {
      wanted = images;
      // Programs ask for the size of the screen and of a cell in pixels before they draw.
      terminal.options.windowOptions = { getWinSizePixels: images, getCellSizePixels: images, getWinSizeChars: images };
      if (images) return;
      if (typeof addon === "object") addon.dispose();
      addon = undefined;
    },
    dispose() {
      disposed = true;
      attributes.dispose();
      for (const { done } of held?.splice(0) ?? []) done?.();
    },
  };
}

/** Returns undefined if the add-on is no longer wanted when it has been loaded. */
async function loadAddon(terminal: Terminal, isWanted: () => boolean): Promise<IDisposable | undefined> {
  const { ImageAddon } = await import("@xterm/addon-image");
  if (!isWanted()) return undefined;
  const addon = new ImageAddon(OPTIONS);
  terminal.loadAddon(addon);
  const completed = completeImages(terminal, addon, MAX_ENCODED_BYTES);
  // The add-on has no event for this, and skips every sixel image before.
  const latest = performance.now() + MAX_COMPILE_MS;
  while (isCompiling(addon) && performance.now() < latest) {
    await new Promise((resolve) => setTimeout(resolve, COMPILE_CHECK_MS));
  }
  return {
    dispose() {
      completed.dispose();
      addon.dispose();
    },
  };
}

function isCompiling(addon: ImageAddon): boolean {
  const handlers: unknown = Reflect.get(addon, "_handlers");
  const sixel: unknown = handlers instanceof Map ? handlers.get("sixel") : undefined;
  return typeof sixel === "object" && sixel !== null && Reflect.get(sixel, "_dec") === undefined;
}
