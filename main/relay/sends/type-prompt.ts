import { RemoteError } from "../../../core/protocol/errors.ts";
import type { ShellId } from "../../../core/protocol/ids.ts";
import type { PromptInput } from "../../../core/protocol/prompt-input.ts";
import type { RefusalReason } from "../../../core/protocol/receipts.ts";
import type { ShellCallResult } from "../../../core/protocol/shell-host.ts";

/** The terminals of the session's shells. */
export interface TerminalPort {
  readonly info: (shell: ShellId) => Promise<ShellCallResult<"info">>;
  /** Resolves to the text of a shell's screen. */
  readonly screen: (shell: ShellId) => Promise<string>;
  /** Resolves to the bytes that the terminal has not taken yet. */
  readonly write: (shell: ShellId, data: string) => Promise<{ readonly queued: number }>;
}

interface TypedPrompt {
  readonly shell: ShellId;
  readonly text: string;
  /** How the agent takes prompts; undefined for a program that is not known. */
  readonly input: PromptInput | undefined;
  /** Returns what has come in the way; undefined while the prompt may be written and entered. */
  readonly obstacle: () => Obstacle | undefined;
  /** Called before the first byte is written. */
  readonly begin: () => void;
  readonly written: (evidence: string) => void;
  readonly echoed: (evidence: string) => void;
  /** Called when Enter is about to be pressed. */
  readonly entering: () => void;
}

/** What is in the way of a prompt, or of other input. */
export interface Obstacle {
  readonly reason: RefusalReason;
  /** A sentence without its full stop. */
  readonly why: string;
}

/** Why nothing was written, or what is not known of what was written. */
type Typed =
  | { readonly end: "entered" }
  | ({ readonly end: "refused" } & Obstacle)
  | { readonly end: "uncertain"; readonly why: string };

interface Timing {
  readonly lookEveryMs: number;
  /** An agent that starts draws its input a moment before it accepts pastes. */
  readonly pasteWithinMs: number;
  readonly writtenWithinMs: number;
  readonly echoedWithinMs: number;
  /** For so long the text may wait in the input while a dialog is open. */
  readonly dialogWithinMs: number;
}

const TIMING: Timing = {
  lookEveryMs: 40,
  pasteWithinMs: 10_000,
  writtenWithinMs: 10_000,
  echoedWithinMs: 8_000,
  dialogWithinMs: 600_000,
};
const UNKNOWN_SETTLE_MS = 150;
/** As much of the end of a text as the screen of an unknown program must show. */
const SHOWN_END = 20;

/**
 * Pastes a prompt into a program's input and presses Enter, once the screen shows exactly this text there. Whatever else
 * the screen shows, Enter is not pressed: it could confirm a dialog, or send what a person has typed.
 */
export async function typePrompt(port: TerminalPort, prompt: TypedPrompt, timing = TIMING): Promise<Typed> {
  const { shell, text, input, obstacle } = prompt;
  const bracketedPaste = await acceptsPastes(port, prompt, timing);
  if (!bracketedPaste && /[\r\n]/.test(text)) {
    return {
      end: "refused",
      reason: "terminal_mode",
      why: "the program does not accept pastes (bracketed paste is off), and the first line end would send a part",
    };
  }
  const before = await port.screen(shell);
  const shows = (screen: string) =>
    input === undefined ? showsMore(before, screen, text) : input.shows(screen, text, before);
  if (input?.shows(before, text) === true) {
    return { end: "refused", reason: "draft_unsent", why: "the screen shows this text in the agent's input already" };
  }
  const hindered = obstacle();
  if (hindered !== undefined) return { end: "refused", ...hindered };
  prompt.begin();
  const bytes = pasted(text, bracketedPaste);
  let { queued } = await port.write(shell, bytes);
  const size = Buffer.byteLength(bytes);
  queued = await settle(queued, timing.writtenWithinMs, timing, async () => (await port.write(shell, "")).queued);
  if (queued > 0)
    return { end: "uncertain", why: `the program has not read ${queued} of ${size} bytes; Enter was not pressed` };
  prompt.written(`the terminal has taken ${size} bytes`);
  const missing = await awaitInput(port, prompt, shows, timing);
  if (missing !== undefined) return { end: "uncertain", why: `${missing}; Enter was not pressed` };
  await port.write(shell, "\r");
  return { end: "entered" };
}

/** Waits until a known agent has turned bracketed paste on. Resolves to whether the program in front accepts pastes. */
async function acceptsPastes(
  port: TerminalPort,
  { shell, input, obstacle }: TypedPrompt,
  { pasteWithinMs, lookEveryMs }: Timing,
): Promise<boolean> {
  const until = performance.now() + pasteWithinMs;
  for (;;) {
    const { bracketedPaste = false } = await port.info(shell);
    if (bracketedPaste || input === undefined) return bracketedPaste;
    if (obstacle() !== undefined || performance.now() > until) return false;
    await pause(lookEveryMs);
  }
}

/** @throws RemoteError `invalid_params` for characters that a terminal takes for keys */
export function checkText(text: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to refuse
  const [key] = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/.exec(text) ?? [];
  if (key === undefined) {
    if (text.trim() !== "") return;
    throw new RemoteError("invalid_params", "text: expected a prompt, got spaces only.");
  }
  const code = key.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
  throw new RemoteError(
    "invalid_params",
    `text: holds the control character U+${code}, which a terminal takes for a key.`,
  );
}

/** The end of a word at which programs offer completions, which would take the Enter. */
const COMPLETED = /(?:^|\s)[@/]\S*$/;

function pasted(text: string, bracketedPaste: boolean): string {
  const lines = text.trimEnd().replace(/\r\n?|\n/g, "\r") + (COMPLETED.test(text.trimEnd()) ? " " : "");
  return bracketedPaste ? `\u001b[200~${lines}\u001b[201~` : lines;
}

/**
 * Waits until the screen has shown the text in the program's input for as long as the program needs. A dialog may come
 * between and go again. Resolves to what is missing; to undefined when Enter may be pressed.
 */
async function awaitInput(
  port: TerminalPort,
  prompt: TypedPrompt,
  shows: (screen: string) => boolean,
  { echoedWithinMs, dialogWithinMs, lookEveryMs }: Timing,
): Promise<string | undefined> {
  const { shell, input, obstacle } = prompt;
  const latest = performance.now() + dialogWithinMs;
  let until = performance.now() + echoedWithinMs;
  let isEchoed = false;
  for (;;) {
    let found = obstacle();
    if (found === undefined && shows(await port.screen(shell))) {
      if (!isEchoed) prompt.echoed("the screen shows the text in the program's input");
      isEchoed = true;
      await pause(input?.settleMs ?? UNKNOWN_SETTLE_MS);
      // Before the last look, because the store takes its time.
      prompt.entering();
      const isThere = shows(await port.screen(shell));
      found = obstacle();
      if (isThere && found === undefined) return undefined;
    }
    const now = performance.now();
    if (found?.reason === "question_open") until = Math.min(latest, now + echoedWithinMs);
    else if (found !== undefined) return found.why;
    if (now > until) return found?.why ?? "the screen does not show the text in the program's input";
    await pause(lookEveryMs);
  }
}

async function settle(
  queued: number,
  withinMs: number,
  { lookEveryMs }: Timing,
  look: () => Promise<number>,
): Promise<number> {
  const until = performance.now() + withinMs;
  let left = queued;
  while (left > 0 && performance.now() < until) {
    await pause(lookEveryMs);
    left = await look();
  }
  return left;
}

/** Whether the end of a text stands on a screen more often than on an earlier one. */
function showsMore(before: string, now: string, text: string): boolean {
  const end = text.replace(/\s+/g, "").slice(-SHOWN_END);
  const count = (screen: string) => screen.replace(/\s+/g, "").split(end).length - 1;
  return count(now) > count(before);
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
