/** What the terminal of a view and that of the relay have in common. */
interface RepeatingTerminal {
  readonly cols: number;
  readonly rows: number;
  readonly parser: {
    registerCsiHandler(
      id: { readonly final: string },
      callback: (params: readonly (number | readonly number[])[]) => boolean,
    ): unknown;
  };
}

/**
 * The sequences whose action xterm.js repeats as often as they say, up to two billion times: their last byte, its method, and
 * how often the action can change what a screen shows.
 */
const REPEATED: readonly (readonly [final: string, method: string, most: (screen: RepeatingTerminal) => number])[] = [
  ["b", "repeatPrecedingCharacter", ({ cols, rows }) => cols * rows],
  ["S", "scrollUp", ({ rows }) => rows],
  ["T", "scrollDown", ({ rows }) => rows],
  ["L", "insertLines", ({ rows }) => rows],
  ["M", "deleteLines", ({ rows }) => rows],
  ["I", "cursorForwardTab", ({ cols }) => cols],
  ["Z", "cursorBackwardTab", ({ cols }) => cols],
];

/**
 * Makes a terminal repeat an action no more often than changes its screen: a few bytes would keep its process busy for minutes.
 * Views and the relay call this, so that both show the same.
 */
export function boundRepeats(terminal: RepeatingTerminal): void {
  const core: unknown = Reflect.get(terminal, "_core");
  const input: unknown = isObject(core) ? Reflect.get(core, "_inputHandler") : undefined;
  for (const [final, method, mostOf] of REPEATED) {
    const act: unknown = isObject(input) ? Reflect.get(input, method) : undefined;
    terminal.parser.registerCsiHandler({ final }, ([count]) => {
      const most = mostOf(terminal);
      if (typeof count !== "number" || count <= most) return false;
      // Where this version has no such method, the sequence does nothing.
      if (typeof act === "function") Reflect.apply(act, input, [{ params: [most], length: 1 }]);
      return true;
    });
  }
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
