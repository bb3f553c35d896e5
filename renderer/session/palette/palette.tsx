import "./palette.css";
import { useEffect, useId, useMemo, useRef, useState } from "react";
import type { MethodName } from "../../../core/commands/specs.ts";
import { Keys } from "../../ui/keys.tsx";
import { useStore } from "../../ui/store.ts";
import { runBinding } from "../actions/run-binding.ts";
import { chordLabel } from "../keys/chord.ts";
import type { PaletteRequest } from "../view/ui-state.ts";
import { useSnapshot, useView } from "../view/view.ts";
import { CommandForm } from "./command-form.tsx";
import { type PaletteEntry, paletteEntries, searchEntries } from "./palette-entries.ts";

/** Dialog with all commands, searchable by name. Commands with parameters open a form. */
export function Palette() {
  const view = useView();
  const request = useStore(view.ui.palette);
  return request === undefined ? null : (
    <PaletteDialog request={request} close={() => view.ui.palette.set(undefined)} />
  );
}

function PaletteDialog({ request, close }: { request: PaletteRequest; close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [method, setMethod] = useState<MethodName | undefined>(request.method);
  useEffect(() => setMethod(request.method), [request]);
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it too, through onCancel
    <dialog
      ref={dialog}
      className="dialog palette"
      aria-label="Commands"
      onCancel={(event) => {
        event.preventDefault();
        if (method !== undefined && request.method === undefined) setMethod(undefined);
        else close();
      }}
      onClick={(event) => event.target === dialog.current && close()}
    >
      <div className="palette-inside">
        {method === undefined ? (
          <CommandList choose={setMethod} close={close} />
        ) : (
          <CommandForm key={method} method={method} close={close} />
        )}
      </div>
    </dialog>
  );
}

function CommandList({ choose, close }: { choose: (method: MethodName) => void; close: () => void }) {
  const view = useView();
  const { self } = useSnapshot();
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const list = useId();
  const all = useMemo(() => paletteEntries(view.shortcuts.bindings, self?.role ?? "reader"), [view, self?.role]);
  const entries = searchEntries(all, typed);
  const current = Math.min(at, entries.length - 1);
  const runEntry = (entry: PaletteEntry | undefined) => {
    if (entry === undefined) return;
    if (entry.action.kind === "method") choose(entry.action.method);
    else {
      close();
      runBinding(view, entry.action.binding);
    }
  };
  return (
    <>
      <input
        className="palette-field"
        role="combobox"
        aria-label="Search the commands"
        aria-expanded="true"
        aria-controls={list}
        aria-activedescendant={entries[current] === undefined ? undefined : `${list}-${current}`}
        placeholder="What do you want to do?"
        spellCheck={false}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };
          const step = steps[event.key];
          if (step !== undefined) setAt(Math.max(0, Math.min(entries.length - 1, current + step)));
          else if (event.key === "Enter") runEntry(entries[current]);
          else return;
          event.preventDefault();
        }}
      />
      <div id={list} className="palette-list" role="listbox" aria-label="Commands">
        {entries.map((entry, index) => (
          <EntryRow
            key={entry.id}
            id={`${list}-${index}`}
            entry={entry}
            selected={index === current}
            point={() => setAt(index)}
            act={() => runEntry(entry)}
          />
        ))}
        {entries.length === 0 && <p className="palette-none">No command matches “{typed}”.</p>}
      </div>
    </>
  );
}

interface EntryRowProps {
  readonly id: string;
  readonly entry: PaletteEntry;
  readonly selected: boolean;
  point(): void;
  act(): void;
}

function EntryRow({ id, entry, selected, point, act }: EntryRowProps) {
  const { mac } = useView().shortcuts;
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (selected) element.current?.scrollIntoView({ block: "nearest" });
  }, [selected]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the focus and the keys
    <div
      ref={element}
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={selected}
      className="palette-line"
      onPointerMove={point}
      onClick={act}
    >
      <span className="ellipsis" title={entry.title}>
        {entry.title}
      </span>
      <span className="detail">{entry.detail}</span>
      {entry.chord !== undefined && <Keys label={chordLabel(entry.chord, mac)} />}
    </div>
  );
}
