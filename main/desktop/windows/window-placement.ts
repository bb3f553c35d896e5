import { readFileSync } from "node:fs";
import { z } from "zod";
import { writeAtomically } from "../../system/write-atomically.ts";

const WindowPlacement = z.object({
  x: z.int(),
  y: z.int(),
  width: z.int().min(1),
  height: z.int().min(1),
  maximized: z.boolean(),
});
export type Place = z.infer<typeof WindowPlacement>;
const WindowPlacements = z.record(z.string(), WindowPlacement);

interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Minimum part of a window that must be on a screen to restore it there, in pixels. */
const GRIP = 80;

/** Placements of closed windows by name, in one small file. A damaged file counts as missing. */
export class WindowPlacementStore {
  readonly #file: string;
  readonly #log: (line: string) => void;
  #places: Readonly<Record<string, Place>>;

  constructor(file: string, log: (line: string) => void) {
    this.#file = file;
    this.#log = log;
    this.#places = readPlacements(file);
  }

  /** The window's last placement, when it is visible on one of these screens. */
  find(name: string, screens: readonly Rectangle[]): Place | undefined {
    const place = this.#places[name];
    return place !== undefined && screens.some((screen) => canBeGrabbed(place, screen)) ? place : undefined;
  }

  remember(name: string, place: Place): void {
    this.#save({ ...this.#places, [name]: place });
  }

  forget(name: string): void {
    if (this.#places[name] === undefined) return;
    this.#save(Object.fromEntries(Object.entries(this.#places).filter(([other]) => other !== name)));
  }

  #save(places: Readonly<Record<string, Place>>): void {
    this.#places = places;
    try {
      // Synchronous, because the app often ends right after its windows.
      writeAtomically(this.#file, JSON.stringify(places));
    } catch (error) {
      this.#log(`The places of windows could not be saved: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}

function readPlacements(file: string): Readonly<Record<string, Place>> {
  try {
    const parsed = WindowPlacements.safeParse(JSON.parse(readFileSync(file, "utf8")));
    return parsed.success ? parsed.data : {};
  } catch {
    return {};
  }
}

/** New bounds, within `nearest`, for a window that is on none of these screens; undefined when it can stay. */
export function boundsOnScreen(
  window: Rectangle,
  screens: readonly Rectangle[],
  nearest: Rectangle,
): Rectangle | undefined {
  if (screens.some((screen) => canBeGrabbed(window, screen))) return undefined;
  const width = Math.min(window.width, nearest.width);
  const height = Math.min(window.height, nearest.height);
  const x = Math.max(nearest.x, Math.min(window.x, nearest.x + nearest.width - width));
  const y = Math.max(nearest.y, Math.min(window.y, nearest.y + nearest.height - height));
  return { x, y, width, height };
}

function canBeGrabbed(window: Rectangle, screen: Rectangle): boolean {
  const across = Math.min(window.x + window.width, screen.x + screen.width) - Math.max(window.x, screen.x);
  return across >= GRIP && window.y >= screen.y && window.y < screen.y + screen.height - GRIP;
}
