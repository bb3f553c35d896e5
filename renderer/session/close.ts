import type { TileKey } from "../../core/protocol/ids.ts";
import { type TileInfo, tileInfo } from "./tile-info.ts";
import type { View } from "./view.ts";

/**
 * Closes a tile. Where something runs in its shell, it first says that it goes on running, and offers to end it; a shell
 * that waits at its prompt goes to the list of shells without a question.
 */
export async function closeTile(view: View, key: TileKey): Promise<void> {
  const info = infoOf(view, key);
  if (info === undefined) return;
  const { shell } = info;
  if (info.tile.type !== "shell" || shell?.running !== true) {
    await view.run("closeTile", { tile: key });
    return;
  }
  if (shell.process === null) {
    const closed = await view.run("closeTile", { tile: key });
    if (closed !== undefined) view.toasts.show("info", `“${info.title}” stays in the list of shells.`);
    return;
  }
  const answer = await view.ask({
    title: `Close “${info.title}”?`,
    body: `${runningWords(info)} It goes on in the list of shells; ending the shell stops it.`,
    answers: [
      { id: "end", label: "End shell", danger: true },
      { id: "close", label: "Close tile" },
    ],
  });
  if (answer === "end") await view.run("closeShell", { id: shell.id });
  if (answer === "close") await view.run("closeTile", { tile: key });
}

/** Ends the shell of a tile; where something runs in it, after a question. */
export async function endShell(view: View, key: TileKey): Promise<void> {
  const info = infoOf(view, key);
  if (info?.shell === undefined) {
    view.toasts.show("info", "This tile shows no shell, so there is nothing to end.");
    return;
  }
  const idle = !info.shell.running || info.shell.process === null;
  const answer = idle
    ? "end"
    : await view.ask({
        title: `End “${info.title}”?`,
        body: `${runningWords(info)} Ending the shell stops that, and closes its tiles.`,
        answers: [{ id: "end", label: "End shell", danger: true }],
      });
  if (answer === "end") await view.run("closeShell", { id: info.shell.id });
}

/** What runs in a shell; without a name where nobody has looked. */
function runningWords({ shell, agent }: TileInfo): string {
  const program = agent?.agentType ?? shell?.process;
  return typeof program === "string" ? `This shell runs ${program}.` : "Something may run in this shell.";
}

/** Closes a workspace; with tiles in it, after a question. */
export async function closeWorkspace(view: View, index: number): Promise<void> {
  const workspace = view.host.snapshot().state.workspaces[index];
  if (workspace === undefined) return;
  const count = workspace.recent.length;
  const answer =
    count === 0
      ? "close"
      : await view.ask({
          title: `Close the workspace “${workspace.name}”?`,
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
