import { useEffect, useRef, useState } from "react";
import type { Appearance } from "../../core/protocol/settings.ts";
import { inertPorts, type OpenTerminal, openTerminal } from "../session/terminal/open-terminal.ts";
import { useThemeOf } from "../session/terminal/terminal-theme.ts";
import { WebglSlots } from "../session/terminal/webgl.ts";
import { TypingPriority } from "../session/terminal/write-queue.ts";
import { useStore } from "../ui/store.ts";
import type { TerminalStores } from "./terminal-stores.ts";

const blocks = (from: number) => Array.from({ length: 8 }, (_, index) => `\x1b[${from + index}m  \x1b[0m`).join("");

const SAMPLE = [
  "\x1b[32m~/orders\x1b[0m \x1b[34mmain\x1b[0m $ npm test",
  " \x1b[32m✓\x1b[0m totals \x1b[2m31 tests\x1b[0m  \x1b[31m✗ 1 failed\x1b[0m  \x1b[33m2 skipped\x1b[0m",
  " a != b => c <= d -> e 0O 1lI \x1b[1mbold\x1b[0m \x1b[3mitalic\x1b[0m \x1b[4munderlined\x1b[0m",
  ` ${blocks(40)}${blocks(100)}`,
  "$ ",
].join("\r\n");

interface Props extends TerminalStores {
  readonly appearance: Appearance;
  /** Name of a theme to show in place of the chosen one. */
  readonly tried: string | undefined;
}

/** A terminal with sample text, drawn as all terminals are with the current settings while the app is dark or light. */
export function TerminalPreview({ appearance, tried, ...stores }: Props) {
  const element = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState<OpenTerminal>();
  const settings = useStore(stores.settings);
  const theme = useThemeOf(document.body, stores, appearance, tried);
  const look = { theme, settings, writable: false, size: undefined };
  const first = useRef(look);
  useEffect(() => {
    if (element.current === null) return;
    const typing = new TypingPriority((callback) => void requestAnimationFrame(callback));
    const shared = { ports: inertPorts, slots: new WebglSlots(), typing, shell: undefined };
    const opened = openTerminal(element.current, { ...shared, look: first.current });
    opened.layOut();
    opened.terminal.write(SAMPLE);
    setOpen(opened);
    return () => opened.dispose();
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: these are what the look is made of
  useEffect(() => void open?.look(look), [open, theme, settings]);
  return (
    <div
      ref={element}
      className="terminal settings-preview"
      style={{ backgroundColor: theme.background }}
      inert
      aria-hidden="true"
    />
  );
}
