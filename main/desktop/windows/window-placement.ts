import { readFileSync, statSync } from "node:fs";
import { z } from "zod";
import { errorText } from "../../../core/protocol/error-text.ts";
import { MachineSessionRef } from "../../../preload/panel-content.ts";
import { writeAtomically } from "../../system/write-atomically.ts";

const Coordinate = z.int().min(-100_000).max(100_000);
const Length = z.int().min(1).max(100_000);
const Place = z.object({ x: Coordinate, y: Coordinate, width: Length, height: Length, maximized: z.boolean() });
type Place = z.infer<typeof Place>;

/** What is shown again at the next start: a session of this machine by the window's name, or one of another machine. */
const OpenSession = z.union([z.literal(true), MachineSessionRef]);
export type OpenSession = z.infer<typeof OpenSession>;

/** A window with its last place. `open`: it is open, or was when the app ended. */
const KeptWindow = Place.extend({ open: OpenSession.optional() });
type KeptWindow = z.infer<typeof KeptWindow>;
const KeptWindows = z.record(z.string().max(300), KeptWindow);

interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Minimum part of a window that must be on a screen to restore it there, in pixels. */
const GRIP = 80;
/** Between a window and one that would open exactly over it: the height of a title bar, so that both can be seen. */
const STEP = 32;
const MAX_WINDOWS = 200;
const MAX_BYTES = 256 * 1024;

/**
 * The session windows by name, the one that was used last at the end: their places, and which are open. In one small
 * file, which holds the same after a crash. A damaged file counts as missing.
 */
export class WindowPlacementStore {
  readonly #file: string;
  readonly #log: (line: string) => void;
  #windows: ReadonlyMap<string, KeptWindow>;

  constructor(file: string, log: (line: string) => void) {
    this.#file = file;
    this.#log = log;
    this.#windows = new Map(Object.entries(readWindows(file)));
  }

  /** The window's last placement, when it is visible on one of these screens. */
  find(name: string, screens: readonly Rectangle[]): Place | undefined {
    const kept = this.#windows.get(name);
    if (kept === undefined || !screens.some((screen) => canBeGrabbed(kept, screen))) return undefined;
    const { open: _, ...place } = kept;
    return place;
  }

  /** The windows that are open, or were when the app ended last. */
  open(): readonly { readonly name: string; readonly session: OpenSession }[] {
    return [...this.#windows].flatMap(([name, { open }]) => (open === undefined ? [] : [{ name, session: open }]));
  }

  /** Keeps where a window is. @param open what it shows, while it is open */
  remember(name: string, place: Place, open?: OpenSession): void {
    const others = [...this.#windows].filter(([other]) => other !== name);
    // A window that is closed gives way to one that is open.
    const surplus = Math.max(0, others.length + 1 - MAX_WINDOWS);
    const dropped = new Set(
      others
        .sort(closedFirst)
        .slice(0, surplus)
        .map(([other]) => other),
    );
    const kept = [...this.#windows].filter(([other]) => other !== name && !dropped.has(other));
    this.#save(new Map([...kept, [name, open === undefined ? place : { ...place, open }]]));
  }

  /** Keeps that a window is no longer open; its place stays. */
  close(name: string): void {
    const { open, ...place } = this.#windows.get(name) ?? {};
    if (open !== undefined) this.#save(new Map([...this.#windows, [name, Place.parse(place)]]));
  }

  forget(name: string): void {
    if (this.#windows.has(name)) this.#save(new Map([...this.#windows].filter(([other]) => other !== name)));
  }

  #save(windows: ReadonlyMap<string, KeptWindow>): void {
    this.#windows = windows;
    try {
      // Synchronous, because the app often ends right after its windows.
      writeAtomically(this.#file, JSON.stringify(Object.fromEntries(windows)));
    } catch (error) {
      this.#log(`The places of windows could not be saved: ${errorText(error)}`);
    }
  }
}

function closedFirst([, one]: [string, KeptWindow], [, other]: [string, KeptWindow]): number {
  return Number(one.open !== undefined) - Number(other.open !== undefined);
}

function readWindows(file: string): Readonly<Record<string, KeptWindow>> {
  try {
    if (statSync(file).size > MAX_BYTES) return {};
    const parsed = KeptWindows.safeParse(JSON.parse(readFileSync(file, "utf8")));
    return parsed.success ? parsed.data : {};
  } catch {
    return {};
  }
}

/** Where a new window goes that would open exactly over one of `others`: in steps to the right and below, within `area`. */
export function besideOthers(
  window: Rectangle,
  others: readonly Rectangle[],
  area: Rectangle,
): { x: number; y: number } {
  const isFree = ({ x, y }: { x: number; y: number }) => others.every((other) => other.x !== x || other.y !== y);
  // From the corner of the screen where there is no room left beside the place that it would have.
  const places = [window, area].flatMap(({ x, y }) => {
    const room = Math.min(area.x + area.width - x - window.width, area.y + area.height - y - window.height);
    const steps = Math.max(0, Math.floor(room / STEP));
    return Array.from({ length: steps + 1 }, (_, step) => ({ x: x + step * STEP, y: y + step * STEP }));
  });
  return places.find(isFree) ?? { x: window.x, y: window.y };
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
