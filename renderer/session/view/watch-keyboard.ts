import { useEffect } from "react";
import { focusOf } from "../../../core/state/client-state.ts";
import { useStore } from "../../ui/store.ts";
import { guardKeys, type KeyGuard } from "./guard-keys.ts";
import { DIALOG, DRAWER, FIELD, takesEveryKey } from "./keyboard-focus.ts";
import { useSnapshot, useView, type View } from "./view.ts";

/** Elements that a press focuses. A press on anything else leaves the focus where it is. */
const PRESSABLE = "input, textarea, select, [contenteditable], iframe, .xterm";
/** Text that can be selected with the pointer, which a prevented press would not allow. */
const SELECTABLE = ".chat, .toast-text, .agent-question-text, .tile-note, .web-note";

/** Keeps the keyboard's focus where the session's state says: on the focused tile (`keysGoToTile` of keyboard-focus.ts). */
export function useKeyboardFocus(root: HTMLElement): void {
  const view = useView();
  const { state } = useSnapshot();
  const focus = focusOf(state);
  const palette = useStore(view.ui.palette);
  const question = useStore(view.ui.question);
  const chat = useStore(view.ui.chatOpen);
  const drawer = useStore(view.ui.drawerOpen);
  const shells = useStore(view.ui.shellListOpen);
  const settings = useStore(view.ui.settingsOpen);
  const shortcuts = useStore(view.ui.shortcutsOpen);
  const menu = useStore(view.ui.menu);
  useEffect(() => watchKeyboard(view, root), [view, root]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focused tile and its workspace are what the effect follows
  useEffect(() => view.keyboard.settle(true), [view, focus, state.active]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what closes gives the keys back
  useEffect(() => view.keyboard.settle(), [view, palette, question, chat, drawer, shells, settings, shortcuts, menu]);
}

/** Follows presses, keys and lost focus on the page. Returns a function that stops. */
function watchKeyboard(view: View, root: HTMLElement): () => void {
  const { keyboard } = view;
  const listening = new AbortController();
  const { signal } = listening;
  const settle = () => void later(() => keyboard.settle());
  window.addEventListener("pointerdown", () => keyboard.navigate(false), { signal, capture: true });
  window.addEventListener("keydown", (event) => follow(view, event), { signal, capture: true });
  const guard = guardKeys(() => keyboard.focusTile(), signal);
  window.addEventListener("blur", () => setTimeout(() => followFrame(view, guard)), { signal });
  const press = ({ target }: Event) => target instanceof Element && mayFocus(target);
  root.addEventListener("mousedown", (event) => press(event) || event.preventDefault(), { signal });
  root.addEventListener("click", settle, { signal });
  root.addEventListener(
    "focusin",
    ({ target }) => {
      if (!(target instanceof Element)) return;
      keyboard.followDrawer(target);
      if (target.closest(".xterm") !== null) keyboard.navigate(false);
      else if (!target.matches(FIELD)) settle();
    },
    { signal },
  );
  // The focused element was removed, or gave the focus up.
  root.addEventListener("focusout", ({ relatedTarget }) => relatedTarget === null && settle(), { signal });
  return () => listening.abort();
}

/** Handles Tab and F6, and gives the terminal a key that nothing holds. */
function follow({ keyboard }: View, event: KeyboardEvent): void {
  const { key, target, ctrlKey, altKey, metaKey } = event;
  if (takesEveryKey(target) || ctrlKey || altKey || metaKey) return;
  if (key === "F6") {
    event.preventDefault();
    keyboard.nextRegion(event.shiftKey ? -1 : 1);
  } else if (key === "Tab") keyboard.navigate(true);
  else if (key !== "Shift" && target === document.body) keyboard.settle();
}

/** Reports whether a press on this element may move the focus. */
function mayFocus(target: Element): boolean {
  if (target.closest(`${PRESSABLE}, ${DIALOG}, ${DRAWER}`) !== null) return true;
  return target.closest("button, [role=tab], a") === null && target.closest(SELECTABLE) !== null;
}

/** The page in a tile took the focus, which reaches this page only as the loss of its own. */
function followFrame({ host, run }: View, guard: KeyGuard): void {
  const frame = document.activeElement;
  if (!(frame instanceof HTMLIFrameElement)) return;
  const tile = frame.closest<HTMLElement>("[data-tile]")?.dataset.tile;
  if (tile === undefined) return;
  const key = Number(tile);
  const isFocused = key === focusOf(host.snapshot().state);
  if (guard.takeBack(frame, isFocused) || isFocused) return;
  if (!hasSelection()) void run("focusTile", { key });
}

function hasSelection(): boolean {
  return document.getSelection()?.isCollapsed === false;
}

/** Acts when the events of this press or key are over, unless the user has selected text or another window is in front. */
async function later(act: () => void): Promise<void> {
  await new Promise((done) => setTimeout(done));
  if (!hasSelection()) act();
}
