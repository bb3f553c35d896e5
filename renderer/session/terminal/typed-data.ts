/** The modes of a terminal on which the encoding of keys and pastes depends. */
interface InputModes {
  readonly applicationCursorKeysMode: boolean;
  readonly bracketedPasteMode: boolean;
}

/**
 * Terminals send more than what was typed: reports of the pointer and of the focus, and answers to a program's questions.
 * F3 with a modifier has the form of one of them (the cursor's position), and counts as an answer.
 */
const REPORTS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: sequences start with control characters
  /^\x1b(?:\[(?:<[\d;]+[Mm]|M[\s\S]{3}|[\d;]+[Mm]|[IO]|[?>=]?[\d;]*[cnRtx]|\??[\d;]+\$y|\?[\d;]+[Su])|[\]P_^][\s\S]+)$/u;
/** Those of the pointer, which come from the user alone. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: sequences start with control characters
const POINTER = /^\x1b\[(?:<|M|[\d;]+[Mm]$)/u;

/** Reports whether what a terminal sends was typed or pasted by its user. */
export function isTyped(data: string): boolean {
  return !REPORTS.test(data);
}

/** Reports whether a terminal sends this because of output: an answer to a query, or the focus when reports of it begin. */
export function isAnswer(data: string): boolean {
  return !isTyped(data) && !POINTER.test(data);
}

/** Encodes what was typed in one terminal for another one, which may be in other modes. */
export function encodeFor(data: string, { applicationCursorKeysMode, bracketedPasteMode }: InputModes): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: sequences start with control characters
  const [, cursor] = /^\x1b[[O]([A-DHF])$/.exec(data) ?? [];
  if (cursor !== undefined) return `\x1b${applicationCursorKeysMode ? "O" : "["}${cursor}`;
  const isMarked = data.startsWith("\x1b[200~") && data.endsWith("\x1b[201~");
  return isMarked && !bracketedPasteMode ? data.slice(6, -6) : data;
}
