import type { Shell } from "../../../core/protocol/records.ts";
import type { TileContent } from "../../../core/state/client-state.ts";
import { Undo } from "../../../core/undo.ts";
import { formatTook } from "../terminal/command-gutter.ts";
import { shellInfo } from "../view/tile-info.ts";
import type { View } from "../view/view.ts";

/** What the user sees. */
export interface Sight {
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

/** Returns how `reportFinished` sees this page. */
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
  const snapshot = view.host.snapshot();
  const tiles = Object.values(snapshot.state.tiles).filter(({ type, id }) => type === "shell" && id === shell.id);
  if (least === 0 || now - since < least * 1000 || tiles.some((tile) => sight.sees(tile))) return;
  const code = tiles
    .map(({ key }) => view.terminals.byTile.get(key)?.commands.last?.exitCode)
    .find((one) => one != null);
  const outcome = code === undefined || code === 0 ? "finished" : `failed with exit code ${code}`;
  const message = `“${program}” ${outcome} after ${formatTook(now - since)} in “${shellInfo(shell.id, snapshot).name}”.`;
  if (!sight.isHere()) {
    void view.run("notify", { title: message });
    return;
  }
  const [tile] = tiles;
  const goTo = () => {
    if (tile === undefined) void view.run("openTile", { type: "shell", shell: shell.id });
    else void view.run("focusTile", { key: tile.key });
  };
  const kind = code === undefined || code === 0 ? "success" : "info";
  view.ui.toasts.show(kind, message, [{ label: "Go to", run: goTo }], `command in ${shell.id}`);
}
