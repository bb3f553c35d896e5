import { useEffect, useId, useMemo, useState } from "react";
import { useStore } from "../../ui/store.ts";
import { installedFonts, isInstalled } from "../../ui/terminal-fonts.ts";
import { type Appearance, type SettingDescription, type SettingName, settingText } from "../../ui/terminal-settings.ts";
import { builtInThemes, findTheme, isDark, OWN_THEME } from "../../ui/terminal-themes.ts";
import { useView } from "../view/view.ts";
import { words } from "../words/index.ts";

type Setting = SettingDescription & { readonly name: SettingName };

/** One setting: its name, its explanation and the control of its kind. */
export function SettingField({ setting, focused }: { setting: Setting; focused: () => void }) {
  const id = useId();
  const { settings } = useView().ui;
  const { name, label, control } = setting;
  const text = settingText(useStore(settings)[name]);
  const help = `${id}-help`;
  if (control.kind === "switch") {
    return (
      <label className="param switch" htmlFor={id}>
        <input
          id={id}
          type="checkbox"
          aria-describedby={help}
          checked={text === "1"}
          onChange={({ target }) => settings.setText(name, target.checked ? "1" : "0")}
        />
        <span>
          {label}
          <Help id={help} text={setting.help} />
        </span>
      </label>
    );
  }
  return (
    <div className="param">
      <label htmlFor={id}>
        {label}
        {control.kind === "number" && control.unit !== "" && <span className="unit"> ({control.unit})</span>}
      </label>
      {control.kind === "theme" ? (
        <ThemeField id={id} help={help} name={name} text={text} appearance={control.appearance} focused={focused} />
      ) : control.kind === "choice" ? (
        <select
          id={id}
          className="field"
          aria-describedby={help}
          value={text}
          onChange={({ target }) => settings.setText(name, target.value)}
        >
          {control.choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      ) : (
        <TypedField id={id} help={help} setting={setting} text={text} />
      )}
      <Help id={help} text={setting.help} />
    </div>
  );
}

interface ThemeFieldProps {
  readonly id: string;
  readonly help: string;
  readonly name: SettingName;
  readonly text: string;
  readonly appearance: Appearance;
  readonly focused: () => void;
}

function ThemeField({ id, help, name, text, appearance, focused }: ThemeFieldProps) {
  const { settings, themes } = useView().ui;
  const imported = useStore(themes);
  const groups = [
    { label: words.settings.importedGroup, list: imported },
    { label: words.settings.darkGroup, list: builtInThemes.filter(isDark) },
    { label: words.settings.lightGroup, list: builtInThemes.filter((theme) => !isDark(theme)) },
  ];
  return (
    <select
      id={id}
      className="field"
      aria-describedby={help}
      data-appearance={appearance}
      value={findTheme(imported, text)?.name ?? ""}
      onFocus={focused}
      onChange={({ target }) => settings.setText(name, target.value)}
    >
      <option value="">{OWN_THEME}</option>
      {groups
        .filter(({ list }) => list.length > 0)
        .map(({ label, list }) => (
          <optgroup key={label} label={label}>
            {list.map((theme) => (
              <option key={theme.name} value={theme.name}>
                {theme.name}
              </option>
            ))}
          </optgroup>
        ))}
    </select>
  );
}

function Help({ id, text }: { id: string; text: string }) {
  return (
    <span id={id} className="help">
      {text}
    </span>
  );
}

/** A field for a number or a font. What is typed applies as soon as it is valid, and otherwise stays in the field. */
function TypedField({ id, help, setting, text }: { id: string; help: string; setting: Setting; text: string }) {
  const { settings } = useView().ui;
  const { name, control } = setting;
  const [draft, setDraft] = useState(text);
  // Another page, a shortcut or "Use the defaults" has changed it.
  useEffect(() => setDraft((now) => (isSame(now, text) ? now : text)), [text]);
  const valid = setting.isValid(draft);
  const type = (typed: string) => {
    setDraft(typed);
    settings.setText(name, typed);
  };
  const common = {
    id,
    className: "field",
    "aria-describedby": help,
    "aria-invalid": !valid,
    value: draft,
    onChange: ({ target }: { target: HTMLInputElement }) => type(target.value),
    onBlur: () => setDraft(text),
  };
  if (control.kind === "number") {
    const { min, max, step } = control;
    return (
      <>
        <input {...common} type="number" min={min} max={max} step={step} />
        {!valid && <Problem text={words.settings.numberBetween(min, max)} />}
      </>
    );
  }
  return <FontField common={common} draft={draft} valid={valid} />;
}

interface FontFieldProps {
  readonly common: { readonly id: string };
  readonly draft: string;
  readonly valid: boolean;
}

function FontField({ common, draft, valid }: FontFieldProps) {
  const fonts = useMemo(() => installedFonts(document), []);
  const missing = useMemo(() => draft.trim() !== "" && !isInstalled(document, draft), [draft]);
  const list = `${common.id}-list`;
  return (
    <>
      <input {...common} list={list} spellCheck={false} placeholder={words.settings.fontHint} />
      <datalist id={list}>
        {fonts.map((font) => (
          <option key={font} value={font} />
        ))}
      </datalist>
      {!valid && <Problem text={words.settings.noFontName} />}
      {valid && missing && <Problem text={words.settings.noSuchFont} />}
    </>
  );
}

function Problem({ text }: { text: string }) {
  return (
    <span className="setting-problem" role="status">
      {text}
    </span>
  );
}

/** Reports whether two texts are one value: `1.20` and `1.2`. */
function isSame(one: string, other: string): boolean {
  return one.trim() === other.trim() || (one !== "" && other !== "" && Number(one) === Number(other));
}
