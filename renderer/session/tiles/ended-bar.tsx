import { z } from "zod";
import { ShellId, type TileKey } from "../../../core/protocol/ids.ts";
import type { Shell } from "../../../core/protocol/records.ts";
import { mayEnd } from "../../../core/protocol/roles.ts";
import { describeExit } from "../view/tile-info.ts";
import { useSnapshot, useView, type View } from "../view/view.ts";
import { words } from "../words/index.ts";

const CreatedShell = z.object({ shellId: ShellId });

/** Actions for an ended shell, below its output. */
export function EndedBar({ tile, shell }: { tile: TileKey; shell: Shell }) {
  const view = useView();
  const { self } = useSnapshot();
  return (
    <div className="ended-bar" role="status">
      <span className="ellipsis">
        <span className={`dot ${shell.exitCode === 0 ? "good" : "bad"}`} />
        {sentence(describeExit(shell))}
      </span>
      {self !== undefined && self.role !== "reader" && (
        <span className="ended-actions">
          {mayEnd(shell, self) && (
            <button
              type="button"
              className="button outlined"
              onClick={() => void view.run("respawnShell", { id: shell.id })}
            >
              {words.tiles.ended.again}
            </button>
          )}
          <button type="button" className="button quiet" onClick={() => void replaceShell(view, tile, shell.cwd)}>
            {words.tiles.ended.newShell}
          </button>
          <button type="button" className="button quiet" onClick={() => void view.run("closeTile", { tile })}>
            {words.tiles.ended.close}
          </button>
        </span>
      )}
    </div>
  );
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Replaces the tile with a new shell in the same folder. */
async function replaceShell(view: View, tile: TileKey, cwd: string): Promise<void> {
  const created = CreatedShell.safeParse(await view.run("createShell", { cwd, tile: false }));
  if (!created.success) return;
  const shell = created.data.shellId;
  const opened = await view.run("openTile", { type: "shell", shell, tile, place: "tab" });
  if (opened !== undefined) await view.run("closeTile", { tile });
}
