import type { TileKey } from "../../../core/protocol/ids.ts";
import type { Shell } from "../../../core/protocol/records.ts";
import { newShellId } from "../new-shell-id.ts";
import { endedText } from "../shells/ended-text.ts";
import { useSnapshot, useView, type View } from "../view.ts";

/** What an ended shell's tile offers: its output stays readable above. */
export function EndedBar({ tile, shell }: { tile: TileKey; shell: Shell }) {
  const view = useView();
  const { self } = useSnapshot();
  return (
    <div className="ended-bar" role="status">
      <span className="ellipsis">
        <span className={`dot ${shell.exitCode === 0 ? "good" : "bad"}`} />
        {sentence(endedText(shell))}
      </span>
      {self?.role !== "reader" && (
        <>
          <button
            type="button"
            className="button outlined"
            onClick={() => void view.run("respawnShell", { id: shell.id })}
          >
            Run again
          </button>
          <button type="button" className="button quiet" onClick={() => void replaceShell(view, tile, shell.cwd)}>
            New shell here
          </button>
          <button type="button" className="button quiet" onClick={() => void view.run("closeTile", { tile })}>
            Close tile
          </button>
        </>
      )}
    </div>
  );
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A new shell in the same folder takes the tile's place. */
async function replaceShell(view: View, tile: TileKey, cwd: string): Promise<void> {
  const shell = newShellId(await view.run("createShell", { cwd, tile: false }));
  if (shell === undefined) return;
  const opened = await view.run("openTile", { type: "shell", shell, tile, place: "tab" });
  if (opened !== undefined) await view.run("closeTile", { tile });
}
