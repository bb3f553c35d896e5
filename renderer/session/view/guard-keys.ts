import { takesEveryKey } from "./keyboard-focus.ts";

/** A key so recently typed in this page means that the user did not press the page in a frame. */
const TYPING_MS = 500;
/** Time in which Tab or F6 moves the focus. */
const LEADING_MS = 1000;

/** A page that takes the keys again within this time is hidden: once may be one that focuses a field as it loads. */
const AGAIN_MS = 10_000;

export interface KeyGuard {
  /** Takes the keys back from the page in a tile that took them by itself. Returns whether it did. */
  takeBack(frame: HTMLIFrameElement, isFocusedTile: boolean): boolean;
}

/**
 * Keeps the pages in tiles from taking the keys while the user types elsewhere: a script of any page may focus its own
 * fields, and the browser then sends it what is typed, such as a password for a terminal. A user moves the keys into a page
 * by the pointer, Tab or F6. A page that takes them otherwise again and again is hidden, because nothing else keeps it from
 * focusing itself, until the pointer or such a key comes near.
 *
 * A press in a page reaches this one only as the user's activation, which a key typed here causes as well: for the seconds
 * that it lasts, a press cannot be told from a page that takes the keys under the pointer.
 *
 * @param giveBack focuses what is to have the keys where the last element that had them is gone
 */
export function guardKeys(giveBack: () => void, signal: AbortSignal): KeyGuard {
  let typedAt = Number.NEGATIVE_INFINITY;
  let ledAt = Number.NEGATIVE_INFINITY;
  let pointedTile: Element | null = null;
  let holder: WeakRef<HTMLElement> | undefined;
  const tookAt = new WeakMap<HTMLIFrameElement, number>();
  const held = new Set<HTMLIFrameElement>();
  const release = (isWanted: (frame: HTMLIFrameElement) => boolean) => {
    for (const frame of held) {
      if (!isWanted(frame)) continue;
      frame.style.display = "";
      held.delete(frame);
    }
  };
  const options = { signal, capture: true };
  window.addEventListener(
    "keydown",
    ({ key, target, timeStamp }) => {
      if (takesEveryKey(target) || (key !== "Tab" && key !== "F6")) typedAt = timeStamp;
      else {
        ledAt = timeStamp;
        release(() => true);
      }
    },
    options,
  );
  window.addEventListener(
    "focusin",
    ({ target }) => {
      if (target instanceof HTMLElement && !(target instanceof HTMLIFrameElement)) holder = new WeakRef(target);
    },
    options,
  );
  const follow = ({ target, type }: PointerEvent) => {
    pointedTile = target instanceof Element ? target.closest("[data-tile]") : null;
    // The pointer moves over what is around a hidden frame. One that rests is only told that the frame has gone.
    if (type === "pointermove" && held.size > 0) release((frame) => pointedTile?.contains(frame) === true);
  };
  window.addEventListener("pointerover", follow, options);
  window.addEventListener("pointermove", follow, options);
  return {
    takeBack(frame, isFocusedTile) {
      const now = performance.now();
      const last = holder?.deref();
      // A touch leaves no pointer over the frame.
      const isNear = isFocusedTile || pointedTile?.contains(frame) === true || matchMedia("(hover: none)").matches;
      // A page that loads in the tile that has the keys may focus a field.
      const isOwn = isFocusedTile && frame.closest("[data-tile]")?.contains(last ?? null) === true;
      const isPressed = isNear && (isOwn || isActivated());
      if (isMeant({ sinceLed: now - ledAt, sinceTyped: now - typedAt, isPressed })) {
        holder = new WeakRef(frame);
        return false;
      }
      if (now - (tookAt.get(frame) ?? Number.NEGATIVE_INFINITY) < AGAIN_MS) {
        frame.style.display = "none";
        held.add(frame);
      }
      tookAt.set(frame, now);
      if (last?.isConnected === true) last.focus();
      else giveBack();
      return true;
    },
  };
}

/**
 * Returns whether the user has moved the keys into a page: by Tab or F6, or by the pointer while nothing is typed elsewhere.
 *
 * @param since times in milliseconds; `Infinity` for never
 */
export function isMeant(since: {
  readonly sinceLed: number;
  readonly sinceTyped: number;
  readonly isPressed: boolean;
}): boolean {
  return since.sinceLed < LEADING_MS || (since.isPressed && since.sinceTyped > TYPING_MS);
}

/** Whether the user has acted on the page or on one in it. Older browsers do not tell (Firefox before 120, Safari before 16.4). */
function isActivated(): boolean {
  return !("userActivation" in navigator) || navigator.userActivation.isActive;
}
