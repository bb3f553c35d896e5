import { memberOf } from "../xterm-members.ts";

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
  const input = memberOf(memberOf(terminal, "_core"), "_inputHandler");
  for (const [final, method, mostOf] of REPEATED) {
    const act = memberOf(input, method);
    terminal.parser.registerCsiHandler({ final }, ([count]) => {
      const most = mostOf(terminal);
      if (typeof count !== "number" || count <= most) return false;
      // Where this version has no such method, the sequence does nothing.
      if (typeof act === "function") Reflect.apply(act, input, [{ params: [most] }]);
      return true;
    });
  }
}
