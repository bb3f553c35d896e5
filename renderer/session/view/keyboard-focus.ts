import { focusOf } from "../../../core/state/client-state.ts";
import { firstItem } from "../../ui/first-item.ts";
import type { Terminals } from "../terminal/terminals.ts";
import type { SessionHost } from "./session-host.ts";
import type { UiState } from "./ui-state.ts";

export const DIALOG = "dialog, [role=dialog], [role=menu]";
/** A dialog above the page, which the welcome is not: it leaves the tiles usable. */
export const MODAL = "dialog[open]:not(.welcome)";
export const FIELD = "input, textarea, select, [contenteditable]";
export const DRAWER = ".drawer";
const QUESTION = ".agent-question";
/**
 * The regions of the window that F6 goes through, in order. The stage stands for its focused tile, below whose terminal
 * its agent's question is: a terminal takes every other key.
 */
const REGIONS = [".header", ".stage", QUESTION, ".welcome", ".chat", DRAWER, ".toasts", ".footer"] as const;
const FOCUSABLE = "button:enabled, input:enabled, textarea:enabled, select:enabled, a[href], [tabindex='0']";

/** What holds the keys, as far as the rule is concerned. */
export type KeyHolder =
  /** A dialog or a popover. */
  | "dialog"
  /** A text field or a page in the focused tile, or its terminal. */
  | "tile"
  /** A text field outside the focused tile, or anything in the drawer. */
  | "field"
  /** Any other control: a button, a tab, a divider. */
  | "control"
  | "nothing";

/**
 * Decides whether the keys go to the focused tile. They do, except while a dialog is open, a text field has the focus, or
 * the user goes through the controls by keyboard.
 * @param moved another tile got the focus: by a command of the user's (`command`), or without one (`event`)
 */
export function keysGoToTile(
  holder: KeyHolder,
  { navigating, moved }: { readonly navigating: boolean; readonly moved: "command" | "event" | undefined },
): boolean {
  if (holder === "dialog" || holder === "tile") return false;
  if (holder === "field") return moved === "command";
  return holder === "nothing" || !navigating || moved !== undefined;
}

interface KeyboardParts {
  readonly host: Pick<SessionHost, "snapshot">;
  readonly terminals: Pick<Terminals, "byTile">;
  readonly ui: Pick<UiState, "question" | "palette" | "searchOpen" | "settingsOpen" | "menu">;
}

/** Reports whether an element is in a terminal that has every key; recorded output has none, and leaves Tab and F6 to the page. */
export function takesEveryKey(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(".xterm") !== null && target.closest(".history-terminal") === null;
}

/** Moves the keyboard's focus. One per view. */
export class KeyboardFocus {
  readonly #view: KeyboardParts;
  /** The user goes through the controls by keyboard: Tab and F6 begin that, a press or a terminal ends it. */
  #navigating = false;
  #commands = 0;
  /** The drawer had the keys last: what it shows then may be gone, and its keys must reach no terminal. */
  #isInDrawer = false;

  constructor(view: KeyboardParts) {
    this.#view = view;
  }

  /** Marks what happens until the promise settles as the user's own command. */
  async during<Result>(command: Promise<Result>): Promise<Result> {
    const before = this.#focus;
    this.#commands += 1;
    try {
      return await command;
    } finally {
      this.#commands -= 1;
      // The page has drawn a change of the state by then.
      requestAnimationFrame(() => this.settle(this.#focus !== before, true));
    }
  }

  /**
   * Applies the rule now.
   * @param moved another tile got the focus
   * @param commanded the user's own command moved it
   */
  settle(moved = false, commanded = this.#commands > 0): void {
    const { ui } = this.#view;
    if (ui.question.get() !== undefined || ui.palette.get() !== undefined) return;
    if (ui.settingsOpen.get() || ui.searchOpen.get() || ui.menu.get() !== undefined) return;
    // On a touch screen a focused terminal brings up the keyboard: only a press on it does that.
    if (!moved && document.activeElement === document.body && matchMedia("(pointer: coarse)").matches) return;
    if (!moved && this.#isInDrawer && document.activeElement === document.body && this.focusDrawer()) return;
    const cause = moved ? (commanded ? "command" : "event") : undefined;
    if (keysGoToTile(this.#holder(), { navigating: this.#navigating, moved: cause })) this.focusTile();
  }

  /**
   * Focuses what had the keys before a dialog or a menu. A tile that is not the focused one gets them no more: a command
   * has moved the focus meanwhile, and the tile would take it back.
   */
  giveBack(before: Element | null): void {
    const tile = before?.closest<HTMLElement>("[data-tile]")?.dataset.tile;
    if (tile !== undefined && tile !== String(this.#focus)) this.settle();
    else if (before instanceof HTMLElement) before.focus();
  }

  /** Focuses the terminal of the focused tile, or the tile itself if it has none. */
  focusTile(): void {
    const key = this.#focus;
    if (key === null) return;
    this.#navigating = false;
    this.#isInDrawer = false;
    const terminal = this.#view.terminals.byTile.get(key);
    if (terminal !== undefined) terminal.focus();
    else document.querySelector<HTMLElement>(`[data-tile="${key}"]`)?.focus({ preventScroll: true });
  }

  /** Focuses what waits first in the drawer, or the drawer itself until it shows something. Returns whether it is open. */
  focusDrawer(): boolean {
    const drawer = document.querySelector<HTMLElement>(DRAWER);
    if (drawer === null) return false;
    (firstItem(drawer) ?? drawer).focus({ preventScroll: true });
    return true;
  }

  /** Records that an element got the focus. */
  followDrawer(target: Element): void {
    this.#isInDrawer = target.closest(DRAWER) !== null;
  }

  /** Focuses the first control of the next region of the window; of the previous one with a step of -1. */
  nextRegion(step: 1 | -1): void {
    const regions = REGIONS.flatMap((selector) => {
      // The drawer shows it instead.
      if (selector === QUESTION && document.querySelector(DRAWER) !== null) return [];
      const within = selector === QUESTION ? `[data-tile="${this.#focus}"] ${selector}` : selector;
      const element = document.querySelector<HTMLElement>(within);
      const control =
        selector === ".stage" && this.#focus !== null ? element : element?.querySelector<HTMLElement>(FOCUSABLE);
      return element && control ? [{ selector, element, control }] : [];
    });
    const at = regions.findLastIndex(({ element }) => element.contains(document.activeElement));
    const next = regions.at((at + step + (at === -1 && step === -1 ? 1 : 0)) % regions.length);
    if (next === undefined) return;
    this.#navigating = true;
    if (next.selector === ".stage" && this.#focus !== null) this.focusTile();
    else if (next.selector === DRAWER) this.focusDrawer();
    else next.control.focus();
  }

  navigate(on: boolean): void {
    this.#navigating = on;
  }

  get #focus() {
    return focusOf(this.#view.host.snapshot().state);
  }

  #holder(): KeyHolder {
    const active = document.activeElement;
    if (active === null || active === document.body) return "nothing";
    if (active.closest(DIALOG) !== null) return "dialog";
    if (active.closest(DRAWER) !== null) return "field";
    const inTile = active.closest<HTMLElement>("[data-tile]")?.dataset.tile === String(this.#focus);
    const ownField = active.matches(`${FIELD}, iframe`) || active.matches("[data-tile]");
    if (inTile && ownField) return "tile";
    // A press on another tile's terminal focuses it before the state follows.
    if (active.closest(".xterm") !== null) return this.#commands > 0 ? "tile" : "control";
    return active.matches(`${FIELD}, iframe`) ? "field" : "control";
  }
}
