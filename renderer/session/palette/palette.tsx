import { errorText } from "../../../core/protocol/error-text.ts";
import "./palette.css";
import { Fragment, Suspense, useEffect, useId, useMemo, useState } from "react";
import { activeWorkspace } from "../../../core/state/client-state.ts";
import { Icon } from "../../ui/icon.tsx";
import { Keys } from "../../ui/keys.tsx";
import { LoadGuard, lazyPart } from "../../ui/load-guard.tsx";
import { rememberRecent } from "../../ui/persisted.ts";
import { useStore } from "../../ui/store.ts";
import { useInSight } from "../../ui/use-in-sight.ts";
import { useNow } from "../../ui/use-now.ts";
import { words as shared } from "../../ui/words.ts";
import { useCanInvite } from "../actions/toggle-drawer.ts";
import { chordLabel } from "../keys/chord.ts";
import type { PaletteRequest } from "../view/ui-state.ts";
import { useModalDialog } from "../view/use-modal-dialog.ts";
import { useKeys, useSnapshot, useView, type View } from "../view/view.ts";
import { words } from "../words/index.ts";
import { commandEntries, formsOf } from "./commands.ts";
import { type Entry, type EntryAction, type FoundEntry, searchEntries } from "./entry.ts";
import type { Hit } from "./match.ts";
import type { MethodForm } from "./param-form.ts";
import { placeEntries } from "./places.ts";

// Most commands have no form, so what forms need is loaded once the palette is open.
const loadForm = () => import("./command-form.tsx");
const loadValues = () => import("./inline-values.ts");
const CommandForm = lazyPart(loadForm, ({ CommandForm }) => CommandForm);

/** Number of lines that are drawn at first, and that each approach to the end adds. */
const LINES_PER_PAGE = 40;
/** Number of places that a search for commands shows among them. */
const MAX_PLACES = 6;
const AGENT_TIME_MS = 5_000;
/** By how many lines a key moves the selection. */
const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };

/** Dialog with the commands, or with the places to go to. Commands with parameters open a form. */
export function Palette() {
  const view = useView();
  const request = useStore(view.ui.palette);
  return request === undefined ? null : (
    <PaletteDialog request={request} close={() => view.ui.palette.set(undefined)} />
  );
}

function PaletteDialog({ request, close }: { request: PaletteRequest; close: () => void }) {
  const dialog = useModalDialog();
  const only = request.kind === "forms" ? formsOf(request.method) : [];
  const single = only.length === 1 ? only[0] : undefined;
  const [form, setForm] = useState<MethodForm | undefined>(single);
  const [typed, setTyped] = useState("");
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new request starts anew
  useEffect(() => {
    setForm(single);
    setTyped("");
  }, [request]);
  const places = request.kind === "places" && !typed.startsWith(">");
  const label = places ? words.palette.goTo : words.palette.commands;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it too, through onCancel
    <dialog
      ref={dialog}
      className="dialog palette"
      aria-label={form === undefined ? label : form.form.title}
      onCancel={(event) => {
        event.preventDefault();
        if (form !== undefined && single === undefined) setForm(undefined);
        else close();
      }}
      onClick={(event) => event.target === dialog.current && close()}
    >
      <div className="palette-inside">
        {form !== undefined ? (
          <LoadGuard key={form.form.title} fallback={<p className="palette-none">{shared.notLoaded}</p>}>
            <Suspense fallback={null}>
              <CommandForm {...form} close={close} />
            </Suspense>
          </LoadGuard>
        ) : (
          <EntryList
            key={label}
            kind={places ? "places" : "commands"}
            only={only}
            typed={typed}
            setTyped={setTyped}
            openForm={setForm}
            close={close}
          />
        )}
      </div>
    </dialog>
  );
}

interface ListProps {
  readonly kind: "commands" | "places";
  /** The only forms to choose from; empty: everything. */
  readonly only: readonly MethodForm[];
  readonly typed: string;
  setTyped(text: string): void;
  openForm(form: MethodForm): void;
  close(): void;
}

function EntryList({ kind, only, typed, setTyped, openForm, close }: ListProps) {
  const view = useView();
  const [chosen, setChosen] = useState<string>();
  const [actionAt, setActionAt] = useState(0);
  const [pages, setPages] = useState(1);
  const list = useId();
  const entries = useEntries(kind, { typed, only, openForm });
  const at = Math.max(
    0,
    entries.findIndex(({ id }) => id === chosen),
  );
  const current = entries[at];
  const action = current?.actions[actionAt] ?? current?.actions[0];
  const choose = (index: number) => {
    const next = Math.max(0, Math.min(entries.length - 1, index));
    setChosen(entries[next]?.id);
    setActionAt(0);
    if (next > pages * LINES_PER_PAGE - 10) setPages(Math.ceil((next + 20) / LINES_PER_PAGE));
  };
  const run = (entry: FoundEntry | undefined, wanted: EntryAction | undefined) => {
    if (entry === undefined || wanted === undefined) return;
    if (kind === "commands") rememberRecent(view.ui.recentCommands, entry.command ?? entry.id);
    if (wanted.stays !== true) close();
    runAction(view, wanted);
  };
  const cycle = (step: number) => {
    const { length } = current?.actions ?? [];
    if (length > 1) setActionAt((actionAt + step + length) % length);
  };
  return (
    <>
      <input
        className="palette-field"
        role="combobox"
        aria-label={kind === "places" ? words.palette.goTo : words.palette.searchCommands}
        aria-expanded="true"
        aria-controls={list}
        aria-activedescendant={current === undefined ? undefined : `${list}-${at}`}
        placeholder={kind === "places" ? words.palette.goToHint : words.palette.commandsHint}
        spellCheck={false}
        // biome-ignore lint/a11y/noAutofocus: the user has just asked to type here
        autoFocus
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setChosen(undefined);
          setActionAt(0);
          setPages(1);
        }}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          const step = steps[event.key];
          if (step !== undefined) choose(at + step);
          else if (event.key === "Tab") cycle(event.shiftKey ? -1 : 1);
          else if (event.key === "Enter") run(current, action);
          else return;
          event.preventDefault();
        }}
      />
      <div
        id={list}
        className="palette-list"
        role="listbox"
        aria-label={kind === "places" ? words.palette.places : words.palette.commands}
        onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
          if (scrollTop + 2 * clientHeight > scrollHeight && pages * LINES_PER_PAGE < entries.length)
            setPages(pages + 1);
        }}
      >
        {entries.slice(0, pages * LINES_PER_PAGE).map((entry, index) => (
          <EntryLine
            key={entry.id}
            id={`${list}-${index}`}
            entry={entry}
            heading={typed === "" && entry.group !== entries[index - 1]?.group ? entry.group : undefined}
            selected={index === at}
            point={() => index !== at && choose(index)}
            act={() => run(entry, entry.actions[0])}
          />
        ))}
        {entries.length === 0 && <p className="palette-none">{words.palette.nothing(typed)}</p>}
      </div>
      <ActionBar kind={kind} entry={current} action={action} run={(wanted) => run(current, wanted)} />
    </>
  );
}

/** The entries for what is typed. A search for commands also finds places; `>` searches for commands only. */
function useEntries(
  kind: ListProps["kind"],
  { typed, only, openForm }: Pick<ListProps, "typed" | "only" | "openForm">,
): readonly FoundEntry[] {
  const view = useView();
  const snapshot = useSnapshot();
  const recents = useStore(view.ui.recentCommands);
  const now = useNow(AGENT_TIME_MS);
  const { host } = view;
  const shortcuts = useKeys();
  const role = snapshot.self?.role ?? "reader";
  const isMaximized = activeWorkspace(snapshot.state).maximized !== null;
  const canInvite = useCanInvite();
  const isChatOpen = useStore(view.ui.chatOpen);
  const typesIntoAll = useStore(view.ui.typesIntoAll);
  const { screenReader: readsOut, closeEnded: closesEnded } = useStore(view.ui.settings);
  const commands = useMemo(
    () =>
      commandEntries({
        states: { isMaximized, isChatOpen, readsOut, closesEnded, typesIntoAll },
        bindings: shortcuts.bindings,
        role,
        windows: host.windows,
        app: host.app,
        machine: host.machine,
        canInvite,
        setTheme: host.setTheme,
        setLanguage: host.setLanguage,
        openForm,
      }),
    [host, shortcuts, role, canInvite, openForm, isMaximized, isChatOpen, readsOut, closesEnded, typesIntoAll],
  );
  const places = useMemo(() => placeEntries(snapshot, host, now), [snapshot, host, now]);
  const values = useInlineValues();
  return useMemo(() => {
    if (kind === "places") return searchEntries(places, typed);
    const wanted = typed.replace(/^>/, "");
    const mine =
      only.length === 0 ? commands : commands.filter(({ id }) => only.some((one) => id.endsWith(one.form.title)));
    if (wanted.trim() === "") return recentFirst(mine, only.length === 0 ? recents : []);
    const alsoPlaces = typed.startsWith(">") || only.length > 0 ? [] : places;
    const found = searchEntries([...mine, ...alsoPlaces], wanted);
    if (found.length === 0) return values?.entriesWithValues(mine, wanted, snapshot) ?? [];
    const isPlace = new Set(alsoPlaces.map(({ id }) => id));
    const left = new Set(
      found
        .filter(({ id }) => isPlace.has(id))
        .slice(MAX_PLACES)
        .map(({ id }) => id),
    );
    return found.filter(({ id }) => !left.has(id));
  }, [kind, places, commands, typed, only, recents, values, snapshot]);
}

/** Loads what completes the values behind the name of a command, and forms with it; undefined until then. */
function useInlineValues(): Awaited<ReturnType<typeof loadValues>> | undefined {
  const [loaded, setLoaded] = useState<Awaited<ReturnType<typeof loadValues>>>();
  useEffect(() => {
    // Without them a command is found by its name alone; a form that does not come says so itself.
    void loadValues().then(setLoaded, () => undefined);
    void loadForm().catch(() => undefined);
  }, []);
  return loaded;
}

function recentFirst(entries: readonly Entry[], recents: readonly string[]): readonly Entry[] {
  const used = recents.flatMap((id) => entries.find((entry) => entry.id === id) ?? []).slice(0, 5);
  return [
    ...used.map((entry) => ({ ...entry, group: words.palette.recent })),
    ...entries.filter((entry) => !used.includes(entry)),
  ];
}

function runAction(view: View, action: EntryAction): void {
  void Promise.resolve(action.run(view)).catch((error: unknown) => view.ui.toasts.show("error", errorText(error)));
}

interface LineProps {
  readonly id: string;
  readonly entry: FoundEntry;
  /** Name of the group that begins with this line. */
  readonly heading: string | undefined;
  readonly selected: boolean;
  point(): void;
  act(): void;
}

function EntryLine({ id, entry, heading, selected, point, act }: LineProps) {
  const { mac } = useKeys();
  const element = useInSight<HTMLDivElement>(selected);
  const { title, detail, icon, state, chord, waits, hits } = entry;
  return (
    <>
      {heading !== undefined && (
        <div className="palette-group" role="presentation">
          {heading}
        </div>
      )}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the focus and the keys */}
      <div
        ref={element}
        id={id}
        role="option"
        tabIndex={-1}
        aria-selected={selected}
        className="palette-line"
        data-waits={waits || undefined}
        onPointerMove={point}
        onClick={act}
      >
        <Icon name={icon} size={14} />
        <span className="palette-title ellipsis" title={title}>
          {hits === undefined ? title : <Marked text={title} hits={hits} />}
        </span>
        <span className="detail ellipsis" title={detail}>
          {detail}
        </span>
        {state !== undefined && (
          <span className="palette-state">
            {state.dot !== "" && <span className={`dot ${state.dot}`} />}
            {state.label}
          </span>
        )}
        {chord !== undefined && <Keys label={chordLabel(chord, mac)} />}
      </div>
    </>
  );
}

/** A title with the letters that match in bold. */
function Marked({ text, hits }: { readonly text: string; readonly hits: readonly Hit[] }) {
  return hits.map(([start, end], index) => (
    <Fragment key={start}>
      {text.slice(hits[index - 1]?.[1] ?? 0, start)}
      <b>{text.slice(start, end)}</b>
      {index === hits.length - 1 && text.slice(end)}
    </Fragment>
  ));
}

/** What can be done with the selected line. Tab goes through it; Enter does what is marked. */
function ActionBar({
  kind,
  entry,
  action,
  run,
}: Pick<ListProps, "kind"> & {
  entry: Entry | undefined;
  action: EntryAction | undefined;
  run: (action: EntryAction) => void;
}) {
  if (kind === "commands" || entry === undefined) return null;
  return (
    <div className="palette-actions" role="toolbar" aria-label={words.palette.actionsFor(entry.title)}>
      {entry.actions.map((one) => (
        <button
          key={one.label}
          type="button"
          className="button quiet small"
          aria-pressed={one === action}
          tabIndex={-1}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => run(one)}
        >
          {one.label}
        </button>
      ))}
      <span className="palette-hint" aria-live="polite">
        <span className="visually-hidden">{action !== undefined && words.palette.enterRuns(action.label)}</span>
        <span aria-hidden="true">⏎ {action?.label}</span>
        {entry.actions.length > 1 && <span aria-hidden="true">{words.palette.more}</span>}
      </span>
    </div>
  );
}
