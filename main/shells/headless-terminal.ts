import type { ITerminalAddon, Terminal } from "@xterm/headless";

/** Sequences that repeat an action as often as their parameter says. */
const REPEATING = ["b", "S", "T", "L", "M", "@", "P", "X", "I", "Z"] as const;
/** No screen is larger. xterm.js itself would repeat two billion times. */
const MOST_REPEATS = 10_000;

/** Creates a terminal without a screen that knows the widths of characters. Loads xterm.js on first use. */
export async function createTerminal(size: { cols: number; rows: number; scrollback: number }): Promise<Terminal> {
  const [headless, unicode] = await Promise.all([import("@xterm/headless"), import("@xterm/addon-unicode11")]);
  const terminal = new (named(headless).Terminal)({ ...size, allowProposedApi: true, logLevel: "off" });
  terminal.loadAddon(new (named(unicode).Unicode11Addon)() as unknown as ITerminalAddon);
  terminal.unicode.activeVersion = "11";
  for (const final of REPEATING) {
    terminal.parser.registerCsiHandler({ final }, ([count]) => typeof count === "number" && count > MOST_REPEATS);
  }
  return terminal;
}

/** These packages are CommonJS to Node and ES modules to a bundler, so their exports are in one of two places. */
export function named<Module extends object>(module: Module): Module {
  return "default" in module && typeof module.default === "object" ? (module.default as Module) : module;
}
