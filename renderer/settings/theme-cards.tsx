import { type CSSProperties, useId } from "react";
import { type Appearance, OWN_THEME, type SettingName } from "../../core/protocol/settings.ts";
import { builtInThemes, isDark, type TerminalPalette } from "../ui/terminal-themes.ts";
import { words } from "./words.ts";

/** The themes of terminals as cards, those for this brightness first. The one that is pointed at is told, to be tried. */
export function ThemeCards(props: {
  readonly label: string;
  /** The setting that is chosen here. */
  readonly setting: SettingName;
  readonly appearance: Appearance;
  readonly imported: readonly TerminalPalette[];
  /** Name of the chosen theme. */
  readonly chosen: string;
  choose(name: string): void;
  /** Tells the name of the theme under the pointer; undefined: none. */
  tryOut(name: string | undefined): void;
}) {
  const { label, setting, appearance, imported, chosen, choose, tryOut } = props;
  const group = useId();
  const fitting = (theme: TerminalPalette) => isDark(theme) === (appearance === "dark");
  const all = [...imported, ...builtInThemes];
  const themes = [...all.filter(fitting), ...all.filter((theme) => !fitting(theme))];
  const isOwn = !themes.some(({ name }) => name === chosen);
  const card = (name: string, theme: TerminalPalette | undefined, checked: boolean) => (
    <label
      key={name}
      className="theme-card"
      onPointerEnter={() => tryOut(name)}
      onPointerLeave={() => tryOut(undefined)}
    >
      <input
        type="radio"
        className="visually-hidden"
        name={group}
        value={name}
        checked={checked}
        onChange={() => choose(name)}
      />
      <Sample theme={theme} appearance={appearance} />
      <span className="ellipsis" title={name}>
        {name}
      </span>
    </label>
  );
  return (
    <div className="theme-cards" role="radiogroup" aria-label={label} data-setting={setting}>
      {card(OWN_THEME, undefined, isOwn)}
      {themes.map((theme) => card(theme.name, theme, !isOwn && theme.name === chosen))}
    </div>
  );
}

/** A few words in a theme's colours. */
function Sample({
  theme,
  appearance,
}: {
  readonly theme: TerminalPalette | undefined;
  readonly appearance: Appearance;
}) {
  const { folder, command, passed, failed, took, prompt } = words.settings.sample;
  const ansi = (index: number, token: string): CSSProperties => ({
    color: theme?.ansi[index] ?? `var(--ansi-${token})`,
  });
  const ground: CSSProperties =
    theme === undefined
      ? { colorScheme: appearance, background: "var(--terminal)", color: "var(--text)" }
      : { background: theme.background, color: theme.foreground };
  return (
    <span className="theme-sample" style={ground} aria-hidden="true">
      {/* Drawn by the style sheet: it is a picture of the theme, whose contrast is the theme's own. */}
      <span>
        <span style={ansi(4, "blue")} data-drawn={folder} /> <span data-drawn={command} />
      </span>
      <span>
        <span style={ansi(2, "green")} data-drawn={passed} /> <span style={ansi(1, "red")} data-drawn={failed} />{" "}
        <span style={ansi(3, "yellow")} data-drawn={took} />
      </span>
      <span>
        <span data-drawn={prompt} />{" "}
        <span className="theme-cursor" style={{ background: theme?.cursor ?? "var(--text)" }} />
      </span>
    </span>
  );
}
