import type { TileKey } from "../../core/protocol/ids.ts";
import { tileInfo } from "./tile-info.ts";
import type { View } from "./view.ts";

/** Closes a tile. Where a shell runs in it, it first says that the shell keeps running, and offers to end it. */
export async function closeTile(view: View, key: TileKey): Promise<void> {
  const info = infoOf(view, key);
  if (info === undefined) return;
  if (info.tile.type !== "shell" || info.shell?.running !== true) {
    await view.run("closeTile", { tile: key });
    return;
  }
  const answer = await view.ask({
    title: `Close “${info.title}”?`,
    body: `The shell keeps running and stays in the list of shells. Ending it stops all that runs in it${info.agent === undefined ? "" : `, also ${info.agent.agentType}`}.`,
    answers: [
      { id: "end", label: "End shell", danger: true },
      { id: "close", label: "Close tile" },
    ],
  });
  if (answer === "end") await view.run("closeShell", { id: info.shell.id });
  if (answer === "close") await view.run("closeTile", { tile: key });
}

/** Ends the shell of a tile, after a question. */
export async function endShell(view: View, key: TileKey): Promise<void> {
  const info = infoOf(view, key);
  if (info?.shell === undefined) {
    view.toasts.show("info", "This tile shows no shell, so there is nothing to end.");
    return;
  }
  const answer = info.shell.running
    ? await view.ask({
        title: `End “${info.title}”?`,
        body: "All that runs in this shell stops, and its tiles close.",
        answers: [{ id: "end", label: "End shell", danger: true }],
      })
    : "end";
  if (answer === "end") await view.run("closeShell", { id: info.shell.id });
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
