import "./shell-list.css";
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from "react";
import type { Shell } from "../../../core/protocol/records.ts";
import { waitingFor } from "../../../core/protocol/waiting.ts";
import { Popover } from "../../ui/popover.tsx";
import { useNow } from "../../ui/use-now.ts";
import type { SessionSnapshot } from "../view/session-host.ts";
import { describeAgent, describeExit, shellInfo } from "../view/tile-info.ts";
import { useSnapshot, useView } from "../view/view.ts";
import { words } from "../words/index.ts";
import { type ShellAction, shellActions } from "./shell-actions.ts";

/** All shells of the session, also those in no tile: filter them, go to, watch, take over or end each. */
export function ShellList() {
  const view = useView();
  const { mirror } = useSnapshot();
  const running = (mirror?.shells ?? []).filter((shell) => shell.running).length;
  const word = words.shells.count(running);
  return (
    <Popover
      label={words.shells.showList(running)}
      className="footer-button"
      side="above"
      wide
      control={view.ui.shellListOpen}
      button={word}
    >
      {(close) => <List close={close} />}
    </Popover>
  );
}

function List({ close }: { close: () => void }) {
  const snapshot = useSnapshot();
  const [filter, setFilter] = useState("");
  const shells = snapshot.mirror?.shells ?? [];
  const waiting = waitingShells(snapshot);
  const rows = sorted(shells, waiting).filter((shell) => matches(shell, snapshot, filter));
  const field = useRef<HTMLInputElement>(null);
  // The focus does not leave the list with the row or the button that had it: Escape would go to a terminal.
  useLayoutEffect(() => {
    if (document.activeElement === document.body) field.current?.focus();
  });
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys move between the buttons inside
    <div className="shell-list" onKeyDown={moveFocus}>
      <h2 className="popover-title">{shells.length === 0 ? words.shells.none : words.shells.title}</h2>
      {shells.length > 0 && (
        <input
          ref={field}
          className="field"
          type="search"
          aria-label={words.shells.filter}
          placeholder={words.shells.filterHint}
          spellCheck={false}
          // biome-ignore lint/a11y/noAutofocus: the user has just opened the list
          autoFocus
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
        />
      )}
      <ul aria-label={words.shells.list}>
        {rows.map((shell) => (
          <ShellRow key={shell.id} shell={shell} waits={waiting.has(shell.id)} close={close} />
        ))}
      </ul>
      {shells.length > 0 && rows.length === 0 && <p className="shell-none">{words.shells.noMatch(filter)}</p>}
    </div>
  );
}

function ShellRow({ shell, waits, close }: { shell: Shell; waits: boolean; close: () => void }) {
  const view = useView();
  const snapshot = useSnapshot();
  const agent = snapshot.mirror?.agents.find(({ shellId, state }) => shellId === shell.id && state !== "ended");
  const now = useNow(agent === undefined ? undefined : 1000);
  const { name, detail } = shellInfo(shell.id, snapshot);
  const state = agent === undefined ? undefined : describeAgent(agent, now);
  const about = [shell.running ? ownerWords(shell, snapshot) : describeExit(shell), detail].filter(
    (part) => part !== "",
  );
  const act = async (action: ShellAction) => {
    if (action.kind === "go-to") close();
    await action.run(view);
  };
  return (
    <li className="shell-row" data-waits={waits || undefined}>
      <span className={`dot ${waits ? "wait" : shell.running ? "good" : ""}`} />
      <span className="person-text">
        <span className="shell-name">
          <span className="ellipsis" title={name}>
            {name}
          </span>
          {state !== undefined && (
            <span className="chip" data-waits={agent?.state === "waiting" || undefined}>
              {state.label}
            </span>
          )}
        </span>
        <span className="ellipsis quiet" title={shell.cwd}>
          {about.join(" · ")}
        </span>
      </span>
      <span className="shell-actions">
        {shellActions(shell, snapshot).map((action) => (
          <button
            key={action.label}
            type="button"
            className="button quiet small"
            aria-label={words.shells.actionOn(action.label, name)}
            onClick={() => void act(action)}
          >
            {action.label}
          </button>
        ))}
      </span>
    </li>
  );
}

function ownerWords({ ownerClientId, owner }: Shell, { self }: SessionSnapshot): string {
  return ownerClientId === self?.id ? words.shells.yours : (owner ?? words.shells.noOwner);
}

function waitingShells({ mirror, self }: SessionSnapshot): ReadonlySet<number> {
  const waiting = mirror === undefined ? [] : waitingFor(mirror, self);
  return new Set(waiting.flatMap((one) => ("shell" in one ? [one.shell] : [])));
}

/** What waits for the user first, ended shells last. */
function sorted(shells: readonly Shell[], waiting: ReadonlySet<number>): readonly Shell[] {
  const rank = ({ id, running }: Shell) => (waiting.has(id) ? 0 : running ? 1 : 2);
  return shells.toSorted((a, b) => rank(a) - rank(b));
}

function matches(shell: Shell, snapshot: SessionSnapshot, filter: string): boolean {
  const { name, detail } = shellInfo(shell.id, snapshot);
  const text = [name, detail, shell.cwd, ownerWords(shell, snapshot)].join(" ").toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** By how many rows and actions a key moves the focus. */
const steps: Readonly<Record<string, readonly [rows: number, actions: number]>> = {
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
};

/** Up and down move between the filter and the rows, left and right between the actions of a row. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const { key, currentTarget, target } = event;
  if (event.nativeEvent.isComposing) return;
  const rows = [...currentTarget.querySelectorAll("li")];
  const inFilter = target instanceof HTMLInputElement;
  // Enter in the filter is the default action of the first row.
  if (key === "Enter" && inFilter) rows[0]?.querySelector("button")?.click();
  const [down, across] = steps[key] ?? [0, 0];
  if (down === 0 && (across === 0 || inFilter)) return;
  event.preventDefault();
  const row = rows.findIndex((one) => one.contains(target as Node));
  const column = [...(rows[row]?.querySelectorAll("button") ?? [])].indexOf(target as HTMLButtonElement);
  if (row + down < 0) currentTarget.querySelector("input")?.focus();
  else buttonOf(rows[Math.min(rows.length - 1, row + down)], Math.max(0, column) + across)?.focus();
}

function buttonOf(row: HTMLElement | undefined, column: number): HTMLElement | undefined {
  const buttons = [...(row?.querySelectorAll("button") ?? [])];
  return buttons[Math.max(0, Math.min(column, buttons.length - 1))];
}
