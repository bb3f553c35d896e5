import "./settings.css";
import { useEffect, useId, useRef, useState } from "react";
import { useStore } from "../../ui/store.ts";
import { chordLabel, chordOf } from "../keys/chord.ts";
import type { Binding } from "../keys/keymap.ts";
import { bindingName, chooseChord, formatChords, isUsable, parseChords, resetChord } from "../keys/own-chords.ts";
import { useKeys, useView } from "../view/view.ts";
import { words } from "../words/index.ts";

/** Dialog with all shortcuts, while it is open. Each change applies at once. */
export function ShortcutsDialog() {
  const { shortcutsOpen } = useView().ui;
  return useStore(shortcutsOpen) ? <ShortcutList close={() => shortcutsOpen.set(false)} /> : null;
}

function ShortcutList({ close }: { close: () => void }) {
  const { ui } = useView();
  const { bindings } = useKeys();
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  const [typed, setTyped] = useState("");
  const [recording, setRecording] = useState<string>();
  const [note, setNote] = useState("");
  useEffect(() => dialog.current?.showModal(), []);
  const wanted = typed.trim().toLowerCase();
  const shown = bindings.filter(({ title }) => title.toLowerCase().includes(wanted));
  const choose = (binding: Binding, chord: string) => {
    const before = bindings.find((other) => chord !== "" && other.chord === chord && other !== binding);
    ui.chords.set(chooseChord(ui.chords.get(), binding, chord));
    setNote(before === undefined ? "" : words.shortcuts.taken(before.title));
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it too, through onCancel
    <dialog
      ref={dialog}
      className="dialog settings shortcuts"
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        if (recording === undefined) close();
      }}
      onClick={(event) => event.target === dialog.current && close()}
    >
      <div className="settings-inside">
        <h2 id={heading}>{words.shortcuts.title}</h2>
        <p>{words.shortcuts.hint}</p>
        <input
          className="field"
          aria-label={words.shortcuts.filter}
          placeholder={words.shortcuts.filter}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        <ul className="settings-groups">
          {shown.map((binding) => (
            <ShortcutLine
              key={bindingName(binding)}
              binding={binding}
              recording={recording === bindingName(binding)}
              record={(on) => setRecording(on ? bindingName(binding) : undefined)}
              choose={(chord) => choose(binding, chord)}
            />
          ))}
          {shown.length === 0 && <li>{words.palette.nothing(typed)}</li>}
        </ul>
        <p className="shortcuts-note" role="status">
          {note}
        </p>
        <ShortcutFiles say={setNote} close={close} />
      </div>
    </dialog>
  );
}

interface LineProps {
  readonly binding: Binding;
  readonly recording: boolean;
  record(on: boolean): void;
  choose(chord: string): void;
}

function ShortcutLine({ binding, recording, record, choose }: LineProps) {
  const { ui } = useView();
  const { mac } = useKeys();
  const [refused, setRefused] = useState(false);
  const own = useStore(ui.chords)[bindingName(binding)] !== undefined;
  const keys = binding.chord === undefined ? words.shortcuts.none : chordLabel(binding.chord, mac);
  const pressed = (event: React.KeyboardEvent) => {
    if (!recording || event.key === "Tab") return;
    event.preventDefault();
    event.stopPropagation();
    const chord = chordOf(event.nativeEvent);
    if (chord === undefined) return;
    const isRemoval = chord === "Backspace" || chord === "Delete";
    if (chord !== "Escape" && !isRemoval && !isUsable(chord)) {
      setRefused(true);
      return;
    }
    record(false);
    if (chord !== "Escape") choose(isRemoval ? "" : chord);
  };
  return (
    <li className="shortcut">
      <span>{binding.title}</span>
      {recording && refused && <span className="setting-problem">{words.shortcuts.unusable}</span>}
      {own && (
        <button
          type="button"
          className="button quiet small"
          aria-label={words.shortcuts.resetOf(binding.title)}
          onClick={() => ui.chords.set(resetChord(ui.chords.get(), binding))}
        >
          {words.shortcuts.reset}
        </button>
      )}
      <button
        type="button"
        className="button outlined small"
        aria-label={words.shortcuts.keysOf(binding.title, keys)}
        onClick={() => {
          setRefused(false);
          record(!recording);
        }}
        onBlur={() => recording && record(false)}
        onKeyDown={pressed}
      >
        {recording ? words.shortcuts.press : keys}
      </button>
    </li>
  );
}

/** Saves the user's own shortcuts as a file, reads one, and takes all back. */
function ShortcutFiles({ say, close }: { say: (text: string) => void; close: () => void }) {
  const { ui } = useView();
  const file = useRef<HTMLInputElement>(null);
  const read = async (chosen: File | undefined) => {
    const chords = parseChords(await chosen?.text());
    if (chords === undefined) {
      say(words.shortcuts.noFile);
      return;
    }
    ui.chords.set(chords);
    say(words.shortcuts.read(Object.keys(chords).length));
  };
  const save = () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([formatChords(ui.chords.get())], { type: "application/json" }));
    link.download = "patchbay-shortcuts.json";
    link.click();
    URL.revokeObjectURL(link.href);
  };
  return (
    <div className="actions">
      <input
        ref={file}
        type="file"
        hidden
        accept="application/json,.json"
        aria-label={words.shortcuts.file}
        onChange={({ target }) => {
          void read(target.files?.[0]);
          target.value = "";
        }}
      />
      <button type="button" className="button quiet" onClick={() => ui.chords.set({})}>
        {words.settings.useDefaults}
      </button>
      <button type="button" className="button quiet" onClick={() => file.current?.click()}>
        {words.shortcuts.open}
      </button>
      <button type="button" className="button quiet" onClick={save}>
        {words.shortcuts.save}
      </button>
      <button type="button" className="button primary" onClick={close}>
        {words.settings.done}
      </button>
    </div>
  );
}
