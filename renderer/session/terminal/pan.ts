/** Smaller movements of a finger are none, in CSS pixels. */
const DEAD_ZONE = 10;

/** Reports whether a part of a screen around a place can be moved sideways by this much: it is no swipe to another tile. */
export function canPan(target: EventTarget | null, by: number): boolean {
  const part = target instanceof Element ? target.closest("[data-readable] > .terminal") : null;
  if (part === null) return false;
  return by > 0 ? part.scrollLeft > 0 : part.scrollLeft < part.scrollWidth - part.clientWidth - 1;
}

/**
 * Lets fingers move the part of a screen that is on show: two in every direction, one sideways. One that moves up or down
 * scrolls the output, as everywhere. Returns a function that stops it.
 */
export function trackPan(element: HTMLElement): () => void {
  const listening = new AbortController();
  const options = { signal: listening.signal, capture: true, passive: false };
  let last: { readonly x: number; readonly y: number; readonly fingers: number } | undefined;
  let pans = false;

  const start = ({ touches }: TouchEvent) => {
    last = middleOf(touches);
    pans = touches.length === 2;
  };
  const move = (event: TouchEvent) => {
    const now = middleOf(event.touches);
    if (last === undefined || now === undefined || now.fingers !== last.fingers) return;
    const [x, y] = [now.x - last.x, now.y - last.y];
    if (!pans) {
      if (Math.max(Math.abs(x), Math.abs(y)) < DEAD_ZONE) return;
      pans = Math.abs(x) > 1.5 * Math.abs(y) && canPan(event.target, x);
      if (!pans) last = undefined;
    }
    if (!pans) return;
    event.preventDefault();
    event.stopPropagation();
    element.scrollLeft -= x;
    if (now.fingers === 2) element.scrollTop -= y;
    last = now;
  };
  element.addEventListener("touchstart", start, options);
  element.addEventListener("touchmove", move, options);
  element.addEventListener("touchend", start, options);
  return () => listening.abort();
}

function middleOf(touches: TouchList): { x: number; y: number; fingers: number } | undefined {
  const fingers = touches.length;
  const all = [...touches];
  if (fingers === 0 || fingers > 2) return undefined;
  const sum = (of: (touch: Touch) => number) => all.reduce((total, touch) => total + of(touch), 0);
  return { x: sum(({ clientX }) => clientX) / fingers, y: sum(({ clientY }) => clientY) / fingers, fingers };
}
