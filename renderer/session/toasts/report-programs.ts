import type { ToastKind } from "../../../core/protocol/events.ts";
import type { Shell } from "../../../core/protocol/records.ts";
import type { TileContent } from "../../../core/state/client-state.ts";
import { Undo } from "../../../core/undo.ts";
import { formatTook } from "../terminal/command-gutter.ts";
import { isToldHere } from "../view/own-window.ts";
import { shellInfo } from "../view/tile-info.ts";
import type { View } from "../view/view.ts";
import { words } from "../words/index.ts";

/** Characters of a program's text that a message shows. */
const MAX_TEXT = 300;

/** What the user sees. */
interface Sight {
  /** Whether the tile is on show in a window that is. */
  sees(tile: TileContent): boolean;
  /** Whether the user is in this window. */
  isHere(): boolean;
}

interface Running {
  readonly program: string;
  /** Milliseconds since 1970. */
  readonly since: number;
}

/**
 * Tells the user of each command in a shell of theirs that took longer than they want to wait and ends where they do not
 * see it: in the window, or by a notification if they are elsewhere. What agents do has messages of its own. Returns a
 * function that stops.
 * @param now milliseconds since 1970
 */
export function reportFinished(view: View, sight: Sight, now: () => number): () => void {
  const undo = new Undo();
  const running = new Map<number, Running>();
  const note = () => {
    const { mirror, self } = view.host.snapshot();
    const agents = new Set(mirror?.agents.filter(({ state }) => state !== "ended").map(({ shellId }) => shellId));
    const shells = mirror?.shells ?? [];
    for (const shell of shells) {
      const before = running.get(shell.id);
      const program = agents.has(shell.id) || shell.direct === true ? undefined : programOf(shell);
      if (program !== undefined) running.set(shell.id, { program, since: before?.since ?? now() });
      else running.delete(shell.id);
      const finished = before !== undefined && program === undefined && shell.running && !agents.has(shell.id);
      if (finished && shell.ownerClientId === self?.id) tell(view, sight, { shell, ...before, now: now() });
    }
    for (const id of running.keys()) if (!shells.some((shell) => shell.id === id)) running.delete(id);
  };
  note();
  undo.add(view.host.subscribe(note));
  return () => undo.dispose();
}

/**
 * Shows what programs in the user's shells ask to notify of (OSC 9, 99, 777) where the user does not see their tile: in the
 * window, or by a notification if the user is elsewhere. Agents have notifications of their own. Returns a function that
 * stops.
 */
export function reportNotifications(view: View, sight: Sight): () => void {
  return view.host.onEvent((event) => {
    if (event.type !== "shell.notification") return;
    const snapshot = view.host.snapshot();
    const { shellId, title, body, leftOut } = event.data;
    const shell = snapshot.mirror?.shells.find(({ id }) => id === shellId);
    const isAgent = snapshot.mirror?.agents.some((agent) => agent.shellId === shellId && agent.state !== "ended");
    if (shell === undefined || shell.ownerClientId !== snapshot.self?.id || isAgent === true) return;
    const text = [title, body].filter((part) => part !== null && part !== "").join(": ");
    // The name says who speaks, so that a program cannot pass for Patchbay.
    const said = words.toasts.says(shellInfo(shellId, snapshot).name, text.slice(0, MAX_TEXT));
    const message = leftOut === undefined ? said : `${said} (${words.toasts.leftOut(leftOut)})`;
    show(view, sight, { shell, kind: "info", message, about: `notification of ${shellId}` });
  });
}

/** Returns how the functions above see this page. */
export function sightOf(document: Document): Sight {
  return {
    sees: ({ key }) =>
      document.visibilityState === "visible" && document.querySelector(`[data-tile="${key}"]:not([hidden])`) !== null,
    isHere: () => document.hasFocus(),
  };
}

function programOf({ process, running }: Shell): string | undefined {
  return running && typeof process === "string" ? process : undefined;
}

interface Finished extends Running {
  readonly shell: Shell;
  readonly now: number;
}

function tell(view: View, sight: Sight, { shell, program, since, now }: Finished): void {
  const least = view.ui.settings.get().finishedAfter;
  if (least === 0 || now - since < least * 1000) return;
  const snapshot = view.host.snapshot();
  const tiles = tilesOf(view, shell);
  const code = tiles
    .map(({ key }) => view.terminals.byTile.get(key)?.commands.last?.exitCode)
    .find((one) => one != null);
  const { name } = shellInfo(shell.id, snapshot);
  const took = formatTook(now - since);
  const hasFailed = code !== undefined && code !== 0;
  const message = hasFailed
    ? words.toasts.failed(program, code, took, name)
    : words.toasts.finished(program, took, name);
  const kind = hasFailed ? "info" : "success";
  show(view, sight, { shell, kind, message, about: `command in ${shell.id}` });
}

interface Message {
  readonly shell: Shell;
  readonly kind: ToastKind;
  readonly message: string;
  readonly about: string;
}

/** Shows a message about a shell where the user is, unless they see the shell: then it says that itself. */
function show(view: View, sight: Sight, { shell, kind, message, about }: Message): void {
  if (!isToldHere(view.host, shell.id)) return;
  const tiles = tilesOf(view, shell);
  if (tiles.some((tile) => sight.sees(tile))) return;
  if (!sight.isHere()) {
    void view.run("notify", { title: message });
    return;
  }
  const [tile] = tiles;
  const goTo = () => {
    if (tile === undefined) void view.run("openTile", { type: "shell", shell: shell.id });
    else void view.run("focusTile", { key: tile.key });
  };
  view.ui.toasts.show(kind, message, [{ label: words.toasts.goTo, run: goTo }], about);
}

function tilesOf({ host }: View, shell: Shell): readonly TileContent[] {
  const { state } = host.snapshot();
  return Object.values(state.tiles).filter(({ type, id }) => type === "shell" && id === shell.id);
}
