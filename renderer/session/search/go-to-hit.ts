import type { SearchHit } from "../../../core/protocol/history-search.ts";
import type { View } from "../view/view.ts";
import { equalLater } from "./results.ts";

/** How long a terminal that was not on show may take to draw what its shell has printed. */
const DRAWING_MS = 2_000;
const RETRY_MS = 50;

/**
 * Goes to a result: to the line in the terminal that shows its shell, or to the message in the chat.
 *
 * @param hits all results, by which equal lines are told apart
 * @returns false where the line has left the terminal, or no tile shows its shell: it can be read in the history
 */
export async function goToHit(view: View, hit: SearchHit, hits: readonly SearchHit[]): Promise<boolean> {
  const { ui, host, terminals } = view;
  if (hit.in === "chat") {
    ui.searchOpen.set(false);
    ui.chatOpen.set(true);
    ui.chatMessage.set(Number(hit.id));
    return true;
  }
  if (hit.conversation !== undefined) return false;
  const { state, mirror } = host.snapshot();
  const isListed = mirror?.shells.some(({ id }) => id === hit.shellId) === true;
  const shows = Object.values(state.tiles).filter(
    ({ type, id }) => (type === "shell" || type === "peek") && id === hit.shellId,
  );
  const tile = shows.find(({ key }) => terminals.byTile.has(key)) ?? shows[0];
  if (!isListed || tile === undefined) return false;
  const line = { line: hit.line, from: hit.from, length: hit.length, later: equalLater(hit, hits) };
  if (terminals.byTile.get(tile.key)?.reveal(line, false) === false) return false;
  ui.searchOpen.set(false);
  await view.run("focusTile", { key: tile.key });
  for (const end = Date.now() + DRAWING_MS; Date.now() < end; ) {
    if (terminals.byTile.get(tile.key)?.reveal(line, true) === true) return true;
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
  return false;
}
