import type { ShellId, TileKey } from "../../../core/protocol/ids.ts";
import { shellInfo, type TileInfo, tileInfo, workspaceTitle } from "../view/tile-info.ts";
import type { View } from "../view/view.ts";
import { words } from "../words/index.ts";
import { findWorkspace } from "./find-workspace.ts";
import { closeReopenably } from "./reopen.ts";

/**
 * Closes a tile. If a program runs in its shell, asks first and offers to end the shell. A shell that waits at its prompt
 * stays in the list of shells without a question.
 */
export async function closeTile(view: View, key: TileKey): Promise<void> {
  const info = infoOf(view, key);
  if (info === undefined) return;
  const { shell } = info;
  if (info.tile.type !== "shell" || shell?.running !== true) {
    await closeReopenably(view, info.tile, words.actions.close.closed(info.title));
    return;
  }
  const stays = words.actions.close.stays(info.title);
  if (shell.process === null) {
    await closeReopenably(view, info.tile, stays);
    return;
  }
  const answer = await view.ui.ask({
    title: words.actions.close.question(info.title),
    body: words.actions.close.goesOn(describeProgram(info)),
    answers: [
      { id: "end", label: words.actions.close.endShell, danger: true },
      { id: "close", label: words.actions.close.closeTile },
    ],
  });
  if (answer === "end") await view.run("closeShell", { id: shell.id });
  if (answer === "close") await closeReopenably(view, info.tile, stays);
}

/** Ends a tile's shell. Asks first if a program runs in it. */
export async function endShell(view: View, key: TileKey): Promise<void> {
  const shell = infoOf(view, key)?.shell;
  if (shell === undefined) view.ui.toasts.show("info", words.actions.close.noShell);
  else await endShellById(view, shell.id);
}

/** Ends a shell, in a tile or in none. Asks first if a program runs in it. */
export async function endShellById(view: View, id: ShellId): Promise<void> {
  const snapshot = view.host.snapshot();
  const shell = snapshot.mirror?.shells.find((one) => one.id === id);
  const agent = snapshot.mirror?.agents.find(({ shellId }) => shellId === id);
  const idle = shell === undefined || !shell.running || shell.process === null;
  const answer = idle
    ? "end"
    : await view.ui.ask({
        title: words.actions.close.endQuestion(shellInfo(id, snapshot).name),
        body: words.actions.close.stops(describeProgram({ shell, agent })),
        answers: [{ id: "end", label: words.actions.close.endShell, danger: true }],
      });
  if (answer === "end") await view.run("closeShell", { id });
}

/** Describes the program in a shell; without a name if it is unknown. */
function describeProgram({ shell, agent }: Pick<TileInfo, "shell" | "agent">): string {
  const program = agent?.agentType ?? shell?.process;
  return typeof program === "string" ? words.actions.close.runs(program) : words.actions.close.mayRun;
}

/** Closes a workspace. Asks first if it has tiles. */
export async function closeWorkspace(view: View, index: number): Promise<void> {
  const { workspaces } = view.host.snapshot().state;
  const workspace = workspaces[index];
  if (workspace === undefined) return;
  const count = workspace.recent.length;
  const answer =
    count === 0
      ? "close"
      : await view.ui.ask({
          title: words.actions.close.question(workspaceTitle(workspace.name)),
          body: words.actions.close.tilesClose(count),
          answers: [{ id: "close", label: words.actions.close.closeWorkspace }],
        });
  if (answer !== "close") return;
  const now = findWorkspace(view.host.snapshot().state, workspace, workspaces);
  if (now === -1) view.ui.toasts.show("info", words.actions.close.workspaceGone);
  else await view.run("closeWorkspace", { index: now, force: true });
}

function infoOf(view: View, key: TileKey) {
  const snapshot = view.host.snapshot();
  const tile = snapshot.state.tiles[key];
  return tile === undefined ? undefined : { tile, ...tileInfo(tile, snapshot) };
}
