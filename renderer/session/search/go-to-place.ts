import type { HitPlace } from "../../../core/protocol/history-search.ts";
import { openHistory } from "../actions/open-history.ts";
import { isMethodAllowed } from "../keys/keymap.ts";
import type { View } from "../view/view.ts";

/** How long a terminal that was not on show may take to draw what its shell has printed. */
const DRAWING_MS = 2_000;
const RETRY_MS = 50;
/** So long after the page was opened, a terminal that lacks a line may not have drawn it yet. */
const OPENING_MS = 10_000;

/** Goes to the place of a result: in the view where it is on show, else in a tile of the history; else it is read in the search. */
export async function goToPlace(view: View, place: HitPlace): Promise<void> {
  const { ui } = view;
  if (await isShownAt(view, place)) return;
  if (await isOpenedAt(view, place)) {
    ui.searchOpen.set(false);
    return;
  }
  ui.searchPlace.set(place);
  ui.searchOpen.set(true);
}

/** Goes to a place that was found in another page: the results for the same text are behind it. */
export async function goToFound(view: View, place: HitPlace): Promise<void> {
  const { query } = place;
  if (query !== undefined) view.ui.searched.set({ text: query, in: "everything", regex: false, shell: undefined });
  await goToPlace(view, place);
}

/** Shows what a shell printed there in a tile, if the user may open one. Who follows somebody would leave them by that. */
async function isOpenedAt(view: View, { shellId: shell, offset, length, ...place }: HitPlace): Promise<boolean> {
  const { self } = view.host.snapshot();
  if (view.host.following?.target.get() !== undefined) return false;
  if (shell === undefined || place.conversation !== undefined) return false;
  if (!isMethodAllowed("openTile", self?.role ?? "reader")) return false;
  return openHistory(view, { shell, offset, ...(place.in === "output" && length > 0 && { length }) });
}

/** Goes to the line in the terminal that shows its shell, or to the message in the chat. Returns false where there is none. */
async function isShownAt(view: View, { line, from, length, later, ...place }: HitPlace): Promise<boolean> {
  const { ui, host, terminals } = view;
  if (place.in === "chat") {
    ui.searchOpen.set(false);
    ui.chatOpen.set(true);
    ui.chatMessage.set(Number(place.id));
    return true;
  }
  if (place.conversation !== undefined) return false;
  const { state, mirror } = host.snapshot();
  const isListed = mirror?.shells.some(({ id }) => id === place.shellId) === true;
  const shows = Object.values(state.tiles).filter(
    ({ type, id }) => (type === "shell" || type === "peek") && id === place.shellId,
  );
  const tile = shows.find(({ key }) => terminals.byTile.has(key)) ?? shows[0];
  if (!isListed || tile === undefined) return false;
  const printed = { line, from, length, later };
  const isOpening = performance.now() < OPENING_MS;
  if (!isOpening && terminals.byTile.get(tile.key)?.reveal(printed, false) === false) return false;
  ui.searchOpen.set(false);
  await view.run("focusTile", { key: tile.key });
  for (const end = Date.now() + DRAWING_MS; Date.now() < end; ) {
    if (terminals.byTile.get(tile.key)?.reveal(printed, true) === true) return true;
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
  return false;
}
