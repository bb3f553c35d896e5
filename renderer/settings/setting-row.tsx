import * as Switch from "@radix-ui/react-switch";
import { type ReactNode, useEffect, useId, useMemo, useState } from "react";
import { parseHours, type Setting, shownText } from "../../core/protocol/settings.ts";
import { installedFonts, isInstalled } from "../ui/terminal-fonts.ts";
import { words } from "./words.ts";

/** A setting with its value. */
export interface SettingValue {
  readonly setting: Setting;
  readonly text: string;
  /** Sets a valid text. */
  set(text: string): void;
  /** It cannot be changed now. */
  readonly disabled?: boolean;
}

/** One setting: its name, its explanation, the control of its kind, and the way back to the default. */
export function SettingRow({ value, note }: { readonly value: SettingValue; readonly note?: ReactNode }) {
  const id = useId();
  const { setting, text, set, disabled = false } = value;
  const { label, help, control, fallback } = setting;
  const unit = control.kind === "number" || control.kind === "optional" ? control.unit : "";
  const isOwn = text !== fallback && !disabled;
  return (
    <div className="setting-row" data-kind={control.kind} data-setting={setting.name}>
      <div className="setting-text">
        <label htmlFor={id}>
          {label}
          {unit !== "" && <span className="unit"> ({unit})</span>}
        </label>
        {help !== "" && (
          <span id={`${id}-help`} className="help">
            {help}
          </span>
        )}
        {note}
      </div>
      {isOwn && (
        <button
          type="button"
          className="button quiet small setting-reset"
          aria-label={words.settings.resetTo(label, defaultLabel(setting))}
          title={words.settings.resetTo(label, defaultLabel(setting))}
          onClick={() => set(fallback)}
        >
          {words.settings.reset}
        </button>
      )}
      <Control id={id} value={value} />
    </div>
  );
}

/** What the word for none is called. */
function noneLabel(none: string | undefined): string | undefined {
  const said: Readonly<Record<string, string>> = words.settings.noneOf;
  return said[none ?? ""] ?? none;
}

function defaultLabel(setting: Setting): string {
  const { control, fallback } = setting;
  if (control.kind === "optional" && fallback === control.none) return noneLabel(fallback) ?? fallback;
  const choice = control.kind === "choice" ? control.choices.find(({ value }) => value === fallback) : undefined;
  return choice?.label ?? shownText(setting, fallback);
}

interface ControlProps {
  readonly id: string;
  readonly value: SettingValue;
}

function Control({ id, value: { setting, text, set, disabled = false } }: ControlProps) {
  const { control, help } = setting;
  const common = { id, disabled, "aria-describedby": help === "" ? undefined : `${id}-help` };
  switch (control.kind) {
    case "switch":
      return (
        <Switch.Root
          {...common}
          className="toggle"
          checked={text === "on"}
          onCheckedChange={(on) => set(on ? "on" : "off")}
        >
          <Switch.Thumb className="toggle-thumb" />
        </Switch.Root>
      );
    case "choice":
      return (
        <select {...common} className="field" value={text} onChange={({ target }) => set(target.value)}>
          {control.choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      );
    case "hours":
      return <HoursField common={common} text={text} set={set} />;
    // Themes have cards.
    case "theme":
      return null;
    default:
      return <TypedField common={common} setting={setting} text={text} set={set} />;
  }
}

interface Common {
  readonly id: string;
  readonly disabled: boolean;
  readonly "aria-describedby": string | undefined;
}

interface FieldProps {
  readonly common: Common;
  readonly text: string;
  set(text: string): void;
}

const USUAL_HOURS = "22:00-07:00";

/** A switch, and two times while it is on. */
function HoursField({ common, text, set }: FieldProps) {
  const hours = parseHours(text) ?? null;
  return (
    <span className="setting-hours">
      {hours !== null &&
        (["from", "to"] as const).map((end) => (
          <input
            key={end}
            className="field"
            type="time"
            aria-label={words.settings[end]}
            value={hours[end]}
            required
            onChange={({ target }) => {
              const next = { ...hours, [end]: target.value };
              if (target.value !== "") set(`${next.from}-${next.to}`);
            }}
          />
        ))}
      <Switch.Root
        {...common}
        className="toggle"
        checked={hours !== null}
        onCheckedChange={(on) => set(on ? USUAL_HOURS : "off")}
      >
        <Switch.Thumb className="toggle-thumb" />
      </Switch.Root>
    </span>
  );
}

/**
 * A field for a number or a font. What is typed applies as soon as it is valid, for the app and the relay once it is left or
 * Enter is pressed; what is no value stays in the field until then, with the reason.
 */
function TypedField({ common, setting, text, set }: FieldProps & { readonly setting: Setting }) {
  const { control, place } = setting;
  const none = control.kind === "optional" ? control.none : undefined;
  const shown = text === none ? "" : text;
  const [draft, setDraft] = useState(shown);
  // Another page, a shortcut or "Reset" has changed it.
  useEffect(() => setDraft((now) => (isSame(now, shown) ? now : shown)), [shown]);
  const typed = draft.trim() === "" && none !== undefined ? none : draft;
  const valid = setting.isValid(typed);
  const isLate = place !== "terminals";
  const apply = () => {
    if (valid && typed !== text) set(typed);
    else setDraft(shown);
  };
  const input = {
    ...common,
    className: "field",
    "aria-invalid": !valid,
    value: draft,
    onChange: ({ target }: { target: HTMLInputElement }) => {
      setDraft(target.value);
      if (!isLate && setting.isValid(target.value)) set(target.value);
    },
    onBlur: isLate ? apply : () => setDraft(shown),
    onKeyDown: ({ key }: { key: string }) => isLate && key === "Enter" && apply(),
  };
  if (control.kind === "number" || control.kind === "optional") {
    const { min, max, step } = control;
    return (
      <span className="setting-typed">
        <input {...input} type="number" min={min} max={max} step={step} placeholder={noneLabel(none)} />
        {!valid && <Problem text={words.settings.numberBetween(min, max)} />}
      </span>
    );
  }
  return <FontField input={input} draft={draft} valid={valid} />;
}

interface FontFieldProps {
  readonly input: Common & Omit<React.ComponentProps<"input">, keyof Common>;
  readonly draft: string;
  readonly valid: boolean;
}

function FontField({ input, draft, valid }: FontFieldProps) {
  const fonts = useMemo(() => installedFonts(document), []);
  const missing = useMemo(() => draft.trim() !== "" && !isInstalled(document, draft), [draft]);
  const list = `${input.id}-list`;
  return (
    <span className="setting-typed">
      <input {...input} list={list} spellCheck={false} placeholder={words.settings.fontHint} />
      <datalist id={list}>
        {fonts.map((font) => (
          <option key={font} value={font} />
        ))}
      </datalist>
      {!valid && <Problem text={words.settings.noFontName} />}
      {valid && missing && <Problem text={words.settings.noSuchFont} />}
    </span>
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
