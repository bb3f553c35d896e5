import { useEffect, useRef, useState } from "react";
import { useStore } from "../../ui/store.ts";
import type { Appearance } from "../../ui/terminal-settings.ts";
import { type OpenTerminal, openTerminal } from "../terminal/open-terminal.ts";
import { useThemeOf } from "../terminal/terminal-theme.ts";
import { useView } from "../view/view.ts";

const none = () => undefined;
const ports = {
  mac: false,
  write: none,
  refusedInput: none,
  openLink: none,
  bell: none,
  clipboard: none,
  newOutputBelow: none,
  tooSmall: none,
  missed: none,
  isShortcut: () => true,
};

const blocks = (from: number) => Array.from({ length: 8 }, (_, index) => `\x1b[${from + index}m  \x1b[0m`).join("");

const SAMPLE = [
  "\x1b[32m~/orders\x1b[0m \x1b[34mmain\x1b[0m $ npm test",
  " \x1b[32m✓\x1b[0m totals \x1b[2m31 tests\x1b[0m  \x1b[31m✗ 1 failed\x1b[0m  \x1b[33m2 skipped\x1b[0m",
  " a != b => c <= d -> e 0O 1lI \x1b[1mbold\x1b[0m \x1b[3mitalic\x1b[0m \x1b[4munderlined\x1b[0m",
  ` ${blocks(40)}${blocks(100)}`,
  "$ ",
].join("\r\n");

/** A terminal with sample text, drawn as all terminals are with the current settings while the app is dark or light. */
export function TerminalPreview({ appearance }: { appearance: Appearance }) {
  const { ui, terminals } = useView();
  const element = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState<OpenTerminal>();
  const settings = useStore(ui.settings);
  const theme = useThemeOf(document.body, ui, appearance);
  const look = { theme, settings, writable: false, size: undefined };
  const first = useRef(look);
  useEffect(() => {
    if (element.current === null) return;
    const { webgl: slots, typing } = terminals;
    const opened = openTerminal(element.current, { look: first.current, ports, slots, typing, shell: undefined });
    opened.layOut();
    opened.terminal.write(SAMPLE);
    setOpen(opened);
    return () => opened.dispose();
  }, [terminals]);
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
