import type { Terminal } from "@xterm/xterm";
import { useSyncExternalStore } from "react";
import type { TerminalSettings } from "../../../core/protocol/settings.ts";
import { isObject, memberOf } from "../../../core/xterm-members.ts";
import { terminalFonts } from "../../ui/terminal-fonts.ts";

/**
 * Returns the width of a cell, in CSS pixels: the advance of a character rounded to whole device pixels. xterm.js alone
 * would draw cells of different widths: its WebGL renderer cuts the fraction off, its DOM renderer keeps it.
 * @param advance width of a character of the font, in CSS pixels
 * @param ratio device pixels per CSS pixel
 */
export function cellWidth(advance: number, ratio: number): number {
  // The addition keeps the product with the ratio from falling below the whole number, where WebGL would cut it off.
  return (Math.max(1, Math.round(advance * ratio)) + 1e-6) / ratio;
}

export interface Cell {
  readonly width: number;
  readonly height: number;
}

/** The settings that the size of a cell follows from. */
type CellFont = Pick<TerminalSettings, "font" | "fontSize" | "lineHeight">;

/** A canvas that measures text; undefined until it is needed. */
let measuring: CanvasRenderingContext2D | null | undefined;

/** Returns the size of a cell that a terminal draws with a font, in CSS pixels. Needs no terminal. */
export function cellSize({ font, fontSize: size, lineHeight }: CellFont, ratio: number): Cell {
  measuring ??= document.createElement("canvas").getContext("2d");
  const context = measuring;
  if (context === null) return { width: cellWidth(size * 0.6, ratio), height: size * 1.6 };
  context.font = `${size}px ${terminalFonts(font)}`;
  const { width, fontBoundingBoxAscent, fontBoundingBoxDescent } = context.measureText("W");
  const height = Math.ceil((fontBoundingBoxAscent + fontBoundingBoxDescent) * ratio);
  return { width: cellWidth(width, ratio), height: Math.floor(height * lineHeight) / ratio };
}

/**
 * Rounds the character width that the terminal measures, now and after every change of its font or of the device pixel
 * ratio, so that both renderers lay out equal columns. Call it after `open`.
 */
export function roundCellWidth(terminal: Terminal, window: Window): void {
  // xterm.js has no public option for this. Without these members, it keeps its own widths.
  const service = memberOf(memberOf(terminal, "_core"), "_charSizeService");
  const strategy = memberOf(service, "_measureStrategy");
  const measure = memberOf(strategy, "measure");
  if (!isObject(service) || !isObject(strategy) || typeof measure !== "function") return;
  strategy.measure = (): Cell => {
    const { width, height }: Cell = Reflect.apply(measure, strategy, []);
    return { width: cellWidth(width, window.devicePixelRatio), height };
  };
  if (typeof service.measure === "function") Reflect.apply(service.measure, service, []);
}

/** Returns the device pixels per CSS pixel, which zooming and another screen change. */
export function usePixelRatio(): number {
  return useSyncExternalStore(subscribe, () => window.devicePixelRatio);
}

function subscribe(changed: () => void): () => void {
  return onPixelRatioChange(window, changed);
}

/** Calls back when the device pixel ratio changes. Returns an unsubscribe function. */
function onPixelRatioChange(window: Window, changed: () => void): () => void {
  let media = ratioQuery();
  const listen = () => {
    media.removeEventListener("change", listen);
    media = ratioQuery();
    media.addEventListener("change", listen);
    changed();
  };
  media.addEventListener("change", listen);
  return () => media.removeEventListener("change", listen);

  function ratioQuery(): MediaQueryList {
    return window.matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`);
  }
}
