import { type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { createStore, type Store, useStore } from "./store.ts";

type Side = "below" | "above" | "roomier";

/** Distance between the button and the panel, in CSS pixels. */
const GAP = 6;
/** Least distance between the panel and the edges of the window, in CSS pixels. */
const MARGIN = 8;

interface Props {
  /** Content of the button. */
  readonly button: ReactNode;
  /** Accessible name of the button and the panel. */
  readonly label: string;
  readonly className?: string;
  /** `roomier`: where there is more room when it opens; a higher panel scrolls. */
  readonly side?: Side;
  /** Which edges of button and panel meet; default: the left ones above, the right ones below. */
  readonly align?: "start";
  /** For lists with actions. */
  readonly wide?: boolean;
  /** The button opens nothing for now. */
  readonly isOff?: boolean;
  /** Controls the popover from outside. */
  readonly control?: Store<boolean>;
  children(close: () => void): ReactNode;
}

/** A button with a floating panel. Escape or a click outside closes it. */
export function Popover({
  button,
  label,
  className = "button quiet",
  side = "below",
  align,
  wide = false,
  isOff,
  control,
  children,
}: Props) {
  const [own] = useState(() => createStore(false));
  const store = control ?? own;
  const open = useStore(store);
  const setOpen = (next: boolean) => store.set(next);
  const anchor = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const id = useId();
  const close = () => {
    setOpen(false);
    anchor.current?.focus();
  };
  usePressOutside(open, [anchor, panel], () => setOpen(false));
  useLayoutEffect(() => {
    if (!open || panel.current === null) return;
    const position = () => {
      if (anchor.current === null || panel.current === null) return;
      positionPanel(panel.current, anchor.current.getBoundingClientRect(), { side, align });
    };
    position();
    // A field inside that takes the focus itself keeps it.
    if (!panel.current.contains(document.activeElement)) panel.current.focus();
    window.addEventListener("resize", position);
    return () => window.removeEventListener("resize", position);
  }, [open, side, align]);
  return (
    <>
      <button
        ref={anchor}
        type="button"
        className={className}
        aria-label={label}
        title={label}
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        aria-disabled={isOff}
        onClick={() => !isOff && setOpen(!open)}
      >
        {button}
      </button>
      {open && (
        <div
          ref={panel}
          id={id}
          className={wide ? "popover wide" : "popover"}
          role="dialog"
          aria-label={label}
          tabIndex={-1}
          onKeyDown={(event) => {
            if (event.key !== "Escape" || event.nativeEvent.isComposing) return;
            event.stopPropagation();
            close();
          }}
        >
          {children(close)}
        </div>
      )}
    </>
  );
}

function usePressOutside(
  active: boolean,
  inside: readonly React.RefObject<HTMLElement | null>[],
  act: () => void,
): void {
  const latest = useRef({ inside, act });
  latest.current = { inside, act };
  useEffect(() => {
    if (!active) return;
    const pressed = (event: PointerEvent) => {
      const target = event.target;
      if (target instanceof Node && latest.current.inside.some(({ current }) => current?.contains(target))) return;
      latest.current.act();
    };
    document.addEventListener("pointerdown", pressed, true);
    return () => document.removeEventListener("pointerdown", pressed, true);
  }, [active]);
}

function positionPanel(
  panel: HTMLElement,
  anchor: DOMRect,
  { side, align }: { side: Side; align: "start" | undefined },
): void {
  const { width } = panel.getBoundingClientRect();
  const above = anchor.top - GAP - MARGIN;
  const below = window.innerHeight - anchor.bottom - GAP - MARGIN;
  const isAbove = side === "above" || (side === "roomier" && above > below);
  const farthest = window.innerWidth - width - MARGIN;
  const wanted = isAbove || align === "start" ? anchor.left : anchor.right - width;
  panel.style.left = `${Math.max(MARGIN, Math.min(wanted, farthest))}px`;
  panel.style.top = isAbove ? "" : `${anchor.bottom + GAP}px`;
  panel.style.bottom = isAbove ? `${window.innerHeight - anchor.top + GAP}px` : "";
  if (side === "roomier") panel.style.setProperty("--popover-room", `${Math.max(0, isAbove ? above : below)}px`);
}
