import type { ShellId } from "../../../core/protocol/ids.ts";

interface Draft {
  /** Characters that stand in the line, as far as the keys tell. */
  length: number;
  /** The cursor was moved, or text was taken from the history: Backspace no longer tells when the line is empty. */
  isLost: boolean;
}

/** What terminals send on their own account: reports of the focus, the mouse, the cursor, colours, sizes and the terminal itself. */
const REPORTS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what terminals send
  /\u001b\[(?:[IO]|<[\d;]*[Mm]|M[\s\S]{3}|[?>]?[\d;]*(?:[cRnt]|\$y)|\?[\d;]+[Su])|\u001b[\]P][^\u0007\u001b]*(?:\u0007|\u001b\\)/g;
/** A paste, the keys that take a line from the history, other keys that begin with Escape, and single characters. */
const INPUT =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are keys
  /\u001b\[200~([\s\S]*?)(?:\u001b\[201~|$)|\u001b(?:\[|O)(?:1;\d)?([AB])|\u001b(?:\[[0-9;]*[ -/]*[@-~]|O[@-~]|[\s\S]?)|[\s\S]/gu;
/** Enter, Ctrl-C, Ctrl-D and Ctrl-U: the line is sent, given up or erased. */
const ENDS: readonly string[] = ["\r", "\n", "\u0003", "\u0004", "\u0015"];
const ERASES: readonly string[] = ["\b", "\u007f"];
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are keys, not text
const IS_TEXT = /[^\u0000-\u001f\u007f]/u;

/**
 * What people have typed into shells and not sent yet, by the keys since the last Enter. An estimate: programs may treat
 * keys in their own way. Kept in memory: after a restart of the relay no draft is known.
 */
export class Drafts {
  readonly #drafts = new Map<ShellId, Draft>();

  has(shell: ShellId): boolean {
    return this.#drafts.has(shell);
  }

  /** Takes the keys that a person's terminal has sent. Returns whether a person pressed any. */
  typed(shell: ShellId, data: string): boolean {
    const keys = data.replace(REPORTS, "");
    if (keys === "") return false;
    const draft = this.#drafts.get(shell) ?? { length: 0, isLost: false };
    for (const [key, pasted, history] of keys.matchAll(INPUT)) press(draft, { key, pasted, history });
    if (draft.length > 0 || draft.isLost) this.#drafts.set(shell, draft);
    else this.#drafts.delete(shell);
    return true;
  }

  /** A prompt was typed there and not sent: it is in the way until a person has sent or erased it. */
  leave(shell: ShellId): void {
    this.#drafts.set(shell, { length: 0, isLost: true });
  }

  /** The line is gone: the shell shows a new prompt, another program is in front, or the shell has ended. */
  forget(shell: ShellId): void {
    this.#drafts.delete(shell);
  }
}

function press(
  draft: Draft,
  { key, pasted, history }: { key: string; pasted: string | undefined; history: string | undefined },
): void {
  if (pasted !== undefined) draft.length += pasted.length;
  else if (history !== undefined) draft.isLost = true;
  else if (ENDS.includes(key)) Object.assign(draft, { length: 0, isLost: false });
  else if (ERASES.includes(key)) draft.length = Math.max(0, draft.length - 1);
  else if (IS_TEXT.test(key) && !key.startsWith("\u001b")) draft.length += 1;
}
