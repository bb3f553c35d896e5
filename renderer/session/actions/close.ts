import type { ShellId, TileKey } from "../../../core/protocol/ids.ts";
import { shellInfo, type TileInfo, tileInfo, workspaceTitle } from "../view/tile-info.ts";
import type { View } from "../view/view.ts";
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
    await closeReopenably(view, info.tile, `Closed “${info.title}”.`);
    return;
  }
  const stays = `“${info.title}” stays in the list of shells.`;
  if (shell.process === null) {
    await closeReopenably(view, info.tile, stays);
    return;
  }
  const answer = await view.ui.ask({
    title: `Close “${info.title}”?`,
    body: `${describeProgram(info)} It goes on in the list of shells; ending the shell stops it.`,
    answers: [
      { id: "end", label: "End shell", danger: true },
      { id: "close", label: "Close tile" },
    ],
  });
  if (answer === "end") await view.run("closeShell", { id: shell.id });
  if (answer === "close") await closeReopenably(view, info.tile, stays);
}

/** Ends a tile's shell. Asks first if a program runs in it. */
export async function endShell(view: View, key: TileKey): Promise<void> {
  const shell = infoOf(view, key)?.shell;
  if (shell === undefined) view.ui.toasts.show("info", "This tile shows no shell, so there is nothing to end.");
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
        title: `End “${shellInfo(id, snapshot).name}”?`,
        body: `${describeProgram({ shell, agent })} Ending the shell stops that, and closes its tiles.`,
        answers: [{ id: "end", label: "End shell", danger: true }],
      });
  if (answer === "end") await view.run("closeShell", { id });
}

/** Describes the program in a shell; without a name if it is unknown. */
function describeProgram({ shell, agent }: Pick<TileInfo, "shell" | "agent">): string {
  const program = agent?.agentType ?? shell?.process;
  return typeof program === "string" ? `This shell runs ${program}.` : "Something may run in this shell.";
}

/** Closes a workspace. Asks first if it has tiles. */
export async function closeWorkspace(view: View, index: number): Promise<void> {
  const workspace = view.host.snapshot().state.workspaces[index];
  if (workspace === undefined) return;
  const count = workspace.recent.length;
  const answer =
    count === 0
      ? "close"
      : await view.ui.ask({
          title: `Close “${workspaceTitle(workspace.name)}”?`,
          body: `Its ${count === 1 ? "tile closes" : `${count} tiles close`}. The shells in ${count === 1 ? "it" : "them"} keep running and stay in the list of shells.`,
          answers: [{ id: "close", label: "Close workspace" }],
        });
  if (answer === "close") await view.run("closeWorkspace", { index, force: true });
}

function infoOf(view: View, key: TileKey) {
  const snapshot = view.host.snapshot();
  const tile = snapshot.state.tiles[key];
  return tile === undefined ? undefined : { tile, ...tileInfo(tile, snapshot) };
}
