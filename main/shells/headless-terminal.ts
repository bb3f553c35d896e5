import type { ITerminalAddon, Terminal } from "@xterm/headless";
import { boundRepeats } from "../../core/protocol/terminal-repeats.ts";
import { countGraphemes } from "../../core/protocol/terminal-widths.ts";

/** Creates a terminal without a screen that knows the widths of characters. Loads xterm.js on first use. */
export async function createTerminal(size: { cols: number; rows: number; scrollback: number }): Promise<Terminal> {
  const [headless, graphemes] = await Promise.all([import("@xterm/headless"), loadGraphemes()]);
  const terminal = new (named(headless).Terminal)({ ...size, allowProposedApi: true, logLevel: "off" });
  const addon = new (named(graphemes).UnicodeGraphemesAddon)();
  terminal.loadAddon(addon as unknown as ITerminalAddon);
  countGraphemes(terminal, addon);
  boundRepeats(terminal);
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
