import type { ITerminalAddon, Terminal } from "@xterm/headless";
import { countGraphemes } from "../../core/protocol/terminal-widths.ts";

/** Sequences that repeat an action as often as their parameter says. */
const REPEATING = ["b", "S", "T", "L", "M", "@", "P", "X", "I", "Z"] as const;
/** No screen is larger. xterm.js itself would repeat two billion times. */
const MOST_REPEATS = 10_000;

/** Creates a terminal without a screen that knows the widths of characters. Loads xterm.js on first use. */
export async function createTerminal(size: { cols: number; rows: number; scrollback: number }): Promise<Terminal> {
  const [headless, graphemes] = await Promise.all([import("@xterm/headless"), loadGraphemes()]);
  const terminal = new (named(headless).Terminal)({ ...size, allowProposedApi: true, logLevel: "off" });
  const addon = new (named(graphemes).UnicodeGraphemesAddon)();
  terminal.loadAddon(addon as unknown as ITerminalAddon);
  countGraphemes(terminal, addon);
  for (const final of REPEATING) {
    terminal.parser.registerCsiHandler({ final }, ([count]) => typeof count === "number" && count > MOST_REPEATS);
  }
  return terminal;
}

/**
 * Loads the widths of characters. The add-on decodes its table with Node's `Buffer` and reads it from the start of the
 * memory below, which is another place if `Buffer` takes that memory from its pool: emoji then have the wrong width.
 */
async function loadGraphemes() {
  const { poolSize } = Buffer;
  Buffer.poolSize = 0;
  try {
    return await import("@xterm/addon-unicode-graphemes");
  } finally {
    Buffer.poolSize = poolSize;
  }
}

/** These packages are CommonJS to Node and ES modules to a bundler, so their exports are in one of two places. */
export function named<Module extends object>(module: Module): Module {
  return "default" in module && typeof module.default === "object" ? (module.default as Module) : module;
}
