import { LineInput, type PressedKey } from "./line-input.ts";
import type { Screen, TextStyle } from "./screen.ts";
import type { SessionView } from "./session-parts.ts";
import { wrapText } from "./wrap-text.ts";

interface Dialog {
  readonly title: string;
  readonly labels: readonly string[];
  readonly choose: (place: number) => void;
  /** The digits so far, where an option needs two. */
  digits: string;
}

/** What the user does at the terminal. */
interface TerminalActions {
  readonly entered: (text: string) => void;
  /** Escape, and Ctrl-C. Returns whether there was anything to stop. */
  readonly stop: () => boolean;
  readonly nextMode: () => void;
  readonly leave: () => void;
}

/** The terminal of an agent that is spoken to by the protocol: its text, the user's input, and its questions. */
export class TerminalView implements SessionView {
  readonly #screen: Screen;
  readonly #app: string;
  readonly #input = new LineInput();
  readonly #dialogs: Dialog[] = [];
  #actions: TerminalActions | undefined;
  #isReady = false;
  #queued = 0;
  #wantsToLeave = false;
  #said = "";

  /** @param app - the name by which the state is reported (`app=` of OSC 7501) */
  constructor(screen: Screen, app: string) {
    this.#screen = screen;
    this.#app = app;
  }

  /** Begins to take keys. */
  open(actions: TerminalActions): void {
    this.#actions = actions;
    this.draw();
  }

  /** Shows the input: the agent takes prompts. */
  ready(): void {
    this.#isReady = true;
    this.#screen.control("\x1b[?2004h");
    this.state("idle");
    this.draw();
  }

  close(): void {
    this.#actions = undefined;
    this.#report("clear");
    this.#screen.control("\x1b[?2004l");
    this.#screen.close();
  }

  print(text: string, style?: TextStyle): void {
    this.#screen.print(text, style);
  }

  stream(text: string, style?: TextStyle): void {
    this.#screen.stream(text, style);
  }

  endStream(): void {
    this.#screen.endStream();
  }

  queued(prompts: number): void {
    this.#queued = prompts;
    this.draw();
  }

  state(state: "working" | "blocked" | "idle" | "error", message?: string): void {
    const more = message === undefined ? "" : `:msg=${Buffer.from(message.slice(0, 500)).toString("base64")}`;
    this.#report(state === "blocked" ? "blocked:kind=permission" : `${state}${more}`);
  }

  choose(
    { title, labels }: { readonly title: string; readonly labels: readonly string[] },
    signal: AbortSignal,
  ): Promise<number | undefined> {
    return new Promise((resolve) => {
      const dialog: Dialog = { title, labels, choose: (place) => end(place), digits: "" };
      const end = (place?: number) => {
        const at = this.#dialogs.indexOf(dialog);
        if (at >= 0) this.#dialogs.splice(at, 1);
        resolve(place);
        this.draw();
      };
      signal.addEventListener("abort", () => end(), { once: true });
      this.#dialogs.push(dialog);
      this.draw();
    });
  }

  /** Takes a key of the user. */
  press(character: string | undefined, key: PressedKey): void {
    if (this.#actions === undefined) return;
    const isPaste = this.#input.isPasting || key.name === "paste-start";
    const leaves = this.#wantsToLeave;
    this.#wantsToLeave = false;
    if (isPaste) this.#input.press(character, key);
    else if (!this.#pressedAction(this.#actions, key, leaves)) this.#pressedText(this.#actions, character, key);
    // A paste is drawn when it is complete.
    if (!this.#input.isPasting) this.draw();
  }

  draw(): void {
    const { columns } = this.#screen;
    const dialog = this.#dialogs[0];
    const hint = this.#wantsToLeave ? ["Press Ctrl-C again to end the agent."] : [];
    const waiting = this.#queued > 0 ? [`${this.#queued} queued until the turn ends`] : [];
    if (this.#actions === undefined) this.#screen.setBottom({ lines: [] });
    else if (dialog === undefined) {
      const { lines, cursor } = this.#isReady ? this.#input.draw(columns) : { lines: [] };
      this.#screen.setBottom({ lines: [...waiting, ...hint, ...lines], cursor });
    } else {
      const lines = [...dialogLines(dialog, this.#dialogs.length - 1), ...hint];
      this.#screen.setBottom({ lines: lines.flatMap((line) => wrapText(line, columns - 1)) });
    }
  }

  /** Keys that mean the same in a dialog and out of it. */
  #pressedAction(actions: TerminalActions, { name, ctrl, shift }: PressedKey, leaves: boolean): boolean {
    if (ctrl && name === "c") {
      if (actions.stop()) return true;
      if (leaves) actions.leave();
      else if (this.#input.isEmpty) this.#wantsToLeave = true;
      else this.#input.clear();
      return true;
    }
    if (name === "escape") return actions.stop() || true;
    if (ctrl && name === "d" && this.#input.isEmpty) actions.leave();
    else if (shift && name === "tab") actions.nextMode();
    else return false;
    return true;
  }

  #pressedText(actions: TerminalActions, character: string | undefined, key: PressedKey): void {
    const dialog = this.#dialogs[0];
    if (dialog !== undefined) {
      pressedDigit(dialog, character, key);
      return;
    }
    const entered = this.#isReady ? this.#input.press(character, key) : undefined;
    if (entered === undefined) return;
    this.draw();
    actions.entered(entered);
  }

  /** OSC 7501, once for each change. */
  #report(state: string): void {
    if (state === this.#said) return;
    this.#said = state;
    this.#screen.control(`\x1b]7501;app=${this.#app}:state=${state}\x1b\\`);
  }
}

function dialogLines({ title, labels, digits }: Dialog, others: number): string[] {
  const more = others > 0 ? [`${others} more after this one.`] : [];
  const keys = labels.length < 2 ? "1" : `1-${labels.length}`;
  const how = labels.length > 9 ? `Type ${keys} and Enter${digits === "" ? "" : `: ${digits}`}` : `Press ${keys}`;
  const options = labels.map((label, index) => `  ${index + 1}. ${label}`);
  return [
    `? ${title}`,
    ...options,
    ...more,
    `${labels.length === 0 ? "No option is offered" : how}, or Escape to stop the turn.`,
  ];
}

function pressedDigit(dialog: Dialog, character: string | undefined, { name }: PressedKey): void {
  const isLineEnd = name === "return" || name === "enter";
  if (character !== undefined && /^\d$/.test(character)) dialog.digits = (dialog.digits + character).slice(-3);
  else if (!isLineEnd) dialog.digits = "";
  if (dialog.labels.length > 9 && !isLineEnd) return;
  const place = Number(dialog.digits) - 1;
  dialog.digits = "";
  if (place >= 0 && place < dialog.labels.length) dialog.choose(place);
}
