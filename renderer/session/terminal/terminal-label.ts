import type { Terminal } from "@xterm/xterm";
import { useEffect } from "react";
import { words } from "../words/index.ts";

/** Names the field of a terminal by its tile: a screen reader may read only the field that has the keys. */
export function useTerminalLabel(terminal: Pick<Terminal, "textarea"> | undefined, title: string): void {
  const label = words.terminal.label(title);
  useEffect(() => terminal?.textarea?.setAttribute("aria-label", label), [terminal, label]);
}
