import { useRef, useState } from "react";
import { chordLabel, chordOf } from "../session/keys/chord.ts";
import type { Binding, Shortcuts } from "../session/keys/keymap.ts";
import {
  bindingName,
  chooseChord,
  formatChords,
  isUsable,
  type OwnChords,
  parseChords,
  resetChord,
} from "../session/keys/own-chords.ts";
import { type Store, useStore } from "../ui/store.ts";
import { words } from "./words.ts";

/** All shortcuts, with a filter; each change applies at once. Below, the user's own are saved and read as a file. */
export function ShortcutList(props: {
  /** The shortcuts with the user's own keys. */
  readonly shortcuts: Pick<Shortcuts, "bindings" | "mac">;
  /** The user's own keys. */
  readonly chords: Store<OwnChords>;
  /** More buttons. */
  readonly children?: React.ReactNode;
}) {
  const { chords, shortcuts, children } = props;
  const { bindings, mac } = shortcuts;
  const [typed, setTyped] = useState("");
  const [recording, setRecording] = useState<string>();
  const [note, setNote] = useState("");
  const wanted = typed.trim().toLowerCase();
  const shown = bindings.filter(({ title }) => title.toLowerCase().includes(wanted));
  const choose = (binding: Binding, chord: string) => {
    const before = bindings.find((other) => chord !== "" && other.chord === chord && other !== binding);
    chords.set(chooseChord(chords.get(), binding, chord));
    setNote(before === undefined ? "" : words.shortcuts.taken(before.title));
  };
  return (
    <>
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
            mac={mac}
            chords={chords}
            recording={recording === bindingName(binding)}
            record={(on) => setRecording(on ? bindingName(binding) : undefined)}
            choose={(chord) => choose(binding, chord)}
          />
        ))}
        {shown.length === 0 && <li>{words.shortcuts.nothing(typed)}</li>}
      </ul>
      <p className="shortcuts-note" role="status">
        {note}
      </p>
      <ShortcutFiles say={setNote} chords={chords}>
        {children}
      </ShortcutFiles>
    </>
  );
}

interface LineProps {
  readonly binding: Binding;
  readonly mac: boolean;
  readonly chords: Store<OwnChords>;
  readonly recording: boolean;
  record(on: boolean): void;
  choose(chord: string): void;
}

function ShortcutLine({ binding, mac, chords, recording, record, choose }: LineProps) {
  const [refused, setRefused] = useState(false);
  const own = useStore(chords)[bindingName(binding)] !== undefined;
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
          onClick={() => chords.set(resetChord(chords.get(), binding))}
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
function ShortcutFiles(props: {
  readonly say: (text: string) => void;
  readonly chords: Store<OwnChords>;
  readonly children: React.ReactNode;
}) {
  const { say, chords, children } = props;
  const file = useRef<HTMLInputElement>(null);
  const read = async (chosen: File | undefined) => {
    const given = parseChords(await chosen?.text());
    if (given === undefined) {
      say(words.shortcuts.noFile);
      return;
    }
    chords.set(given);
    say(words.shortcuts.read(Object.keys(given).length));
  };
  const save = () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([formatChords(chords.get())], { type: "application/json" }));
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
      <button type="button" className="button quiet" onClick={() => chords.set({})}>
        {words.settings.useDefaults}
      </button>
      <button type="button" className="button quiet" onClick={() => file.current?.click()}>
        {words.shortcuts.open}
      </button>
      <button type="button" className="button quiet" onClick={save}>
        {words.shortcuts.save}
      </button>
      {children}
    </div>
  );
}
