import { MONO_FONT } from "../../ui/fonts.ts";
import type { Size } from "../stage/pixels.ts";

/** Size of a terminal cell at a font size, near enough to reckon with before any terminal is there. */
export function cellSize(document: Document, fontSize: number): Size {
  const context = document.createElement("canvas").getContext("2d");
  if (context === null) return { width: fontSize * 0.6, height: fontSize * 1.6 };
  context.font = `${fontSize}px "${MONO_FONT}", monospace`;
  const { width, fontBoundingBoxAscent, fontBoundingBoxDescent } = context.measureText("W");
  return { width, height: Math.ceil((fontBoundingBoxAscent + fontBoundingBoxDescent) * 1.2) };
}
