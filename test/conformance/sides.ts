import type { Page } from "playwright-core";
import { Stops } from "../../tools/bench/support/stops.mjs";
import { type BareTerminal, startViewLab } from "../../tools/bench/view/lab.ts";
import { until } from "../support/until.ts";
import { type Row, readRows } from "./screen.ts";

/** One of the two terminals that are compared, with a shell in it. */
export interface Side {
  readonly name: "xterm.js" | "Patchbay";
  /** Presses the keys of a text in the terminal. */
  type(text: string): Promise<void>;
  /** Returns what the terminal shows now. */
  screen(): Promise<Row[]>;
}

export interface Sides {
  readonly alone: Side;
  readonly own: Side;
  /** A folder that is removed with the sides. */
  readonly folder: string;
  stop(): Promise<void>;
}

interface Size {
  readonly cols: number;
  readonly rows: number;
}

/**
 * Terminals of Patchbay raise the contrast of colours, which the page then draws as other colours: not here. The font is
 * large enough for a window in which the page has its ordinary layout.
 */
const SETTINGS = { "patchbay.contrast": "1", "patchbay.font-size": "18" };

/** Starts xterm.js with node-pty, and the built Patchbay, each in a page of one browser, at a size in cells. */
export async function startSides(terminal: BareTerminal & Size): Promise<Sides> {
  const stops = new Stops();
  const stop = () => stops.all();
  try {
    const { page, relay, folder, openBare } = await startViewLab(stops, SETTINGS);
    await fitWindow(page, terminal, async () => {
      const [shell] = await relay.call("getShells");
      if (shell === undefined) throw new Error("the session has no shell");
      return shell;
    });
    return { alone: side("xterm.js", await openBare(terminal)), own: side("Patchbay", page), folder, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function side(name: Side["name"], page: Page): Side {
  return { name, type: (text) => page.keyboard.type(text), screen: () => readRows(page) };
}

/** Changes the size of the window so that the terminal in it has a size in cells. */
async function fitWindow(page: Page, wanted: Size, shellSize: () => Promise<Size>): Promise<void> {
  const { cols, rows } = await shellSize();
  const screen = await page.locator(".xterm-screen").boundingBox();
  const window = page.viewportSize();
  if (screen === null || window === null) throw new Error("the page shows no terminal");
  await page.setViewportSize({
    width: Math.round(window.width + (wanted.cols - cols) * (screen.width / cols)),
    height: Math.round(window.height + (wanted.rows - rows) * (screen.height / rows)),
  });
  await until(`a terminal of ${wanted.cols} x ${wanted.rows}`, async () => {
    const size = await shellSize();
    return size.cols === wanted.cols && size.rows === wanted.rows;
  });
}
