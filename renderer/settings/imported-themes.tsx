import { useRef, useState } from "react";
import { errorText } from "../../core/protocol/error-text.ts";
import type { Appearance } from "../../core/protocol/settings.ts";
import { Icon } from "../ui/icon.tsx";
import { MAX_FILE_LENGTH, parseThemeFile } from "../ui/import-theme.ts";
import { useStore } from "../ui/store.ts";
import { addThemes, isDark, type TerminalPalette } from "../ui/terminal-themes.ts";
import type { TerminalStores } from "./terminal-stores.ts";
import { words } from "./words.ts";

/** Imports themes from files, and removes imported ones. Each import says for which brightness of the app it was chosen. */
export function ImportedThemes({
  chosen,
  ...stores
}: TerminalStores & { readonly chosen: (appearance: Appearance) => void }) {
  const themes = useStore(stores.themes);
  const files = useRef<HTMLInputElement>(null);
  const [outcome, setOutcome] = useState<{ readonly text: string; readonly failed: boolean }>();
  const remove = ({ name }: TerminalPalette) => {
    stores.themes.set(themes.filter((one) => one.name !== name));
    setOutcome({ text: words.settings.removed(name), failed: false });
  };
  return (
    <div className="imported-themes">
      <input
        ref={files}
        type="file"
        multiple
        hidden
        aria-label={words.settings.files}
        onChange={({ currentTarget }) => {
          void importFiles(stores, [...(currentTarget.files ?? [])], chosen).then(setOutcome);
          currentTarget.value = "";
        }}
      />
      <ul>
        {themes.map((theme) => (
          <li key={theme.name} className="chip">
            {theme.name}
            <button
              type="button"
              className="icon-button"
              aria-label={words.settings.removeTheme(theme.name)}
              title={words.settings.remove}
              onClick={() => remove(theme)}
            >
              <Icon name="close" size={12} />
            </button>
          </li>
        ))}
        <li>
          <button type="button" className="button outlined small" onClick={() => files.current?.click()}>
            {words.settings.importThemes}
          </button>
        </li>
      </ul>
      <span className="help">{words.settings.importHint}</span>
      {outcome !== undefined && (
        <span className={outcome.failed ? "setting-problem" : "help"} role={outcome.failed ? "alert" : "status"}>
          {outcome.text}
        </span>
      )}
    </div>
  );
}

/** Imports all themes of the files, or none, and chooses one for the brightness of the app that it is made for. */
async function importFiles(
  { settings, themes }: TerminalStores,
  files: readonly File[],
  chosen: (appearance: Appearance) => void,
): Promise<{ text: string; failed: boolean } | undefined> {
  const added: TerminalPalette[] = [];
  try {
    for (const file of files) added.push(...(await readThemes(file)));
    const names = new Set(themes.get().map(({ name }) => name));
    themes.set(addThemes(themes.get(), added));
    // It may have got a name of its own.
    const first = themes.get().find((one) => !names.has(one.name)) ?? added[0];
    if (first === undefined) return undefined;
    settings.set(isDark(first) ? "darkTheme" : "lightTheme", first.name);
    chosen(isDark(first) ? "dark" : "light");
  } catch (error) {
    return { text: errorText(error), failed: true };
  }
  const text = words.settings.imported(added.length, added[0]?.name);
  return { text, failed: false };
}

async function readThemes(file: File): Promise<readonly TerminalPalette[]> {
  try {
    // The start of a larger file is enough to refuse it.
    return parseThemeFile(file.name, await file.slice(0, MAX_FILE_LENGTH * 4 + 4).text());
  } catch (error) {
    throw new Error(`${file.name}: ${errorText(error)}`);
  }
}
