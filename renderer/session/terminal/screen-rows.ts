import type { Terminal } from "@xterm/xterm";

/** Returns the text of the rows that a terminal shows, without the empty ones at its end. */
export function screenRows({ buffer: { active }, rows }: Pick<Terminal, "buffer" | "rows">): readonly string[] {
  const shown = Array.from(
    { length: rows },
    (_, row) => active.getLine(active.viewportY + row)?.translateToString(true) ?? "",
  );
  return shown.slice(0, shown.findLastIndex((text) => text !== "") + 1);
}
