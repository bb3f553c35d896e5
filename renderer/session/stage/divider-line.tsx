import { useEffect, useRef } from "react";
import { type Layout, ratioBounds } from "../../../core/layout/layout.ts";
import { useView } from "../view/view.ts";
import { words } from "../words/index.ts";
import { type Divider, moveDivider, type RatioChange, ratioAfterKey, ratioAt } from "./dividers.ts";

/** Interval at which a drag sends the ratio; in between, it is only drawn. */
const UPDATE_INTERVAL_MS = 60;

interface Props {
  readonly divider: Divider;
  /** The tree that the divider is in. */
  readonly root: Layout;
  /** Draws a tree that is not yet applied; undefined draws the actual one. */
  draw(root: Layout | undefined): void;
}

/** The line between two tiles: drag it, double-click it for equal sizes, or use the arrow keys. */
export function DividerLine({ divider, root, draw }: Props) {
  const view = useView();
  const { path, handle, direction, ratio } = divider;
  const line = useRef<HTMLDivElement>(null);
  const stop = useRef<(() => void) | undefined>(undefined);
  const latest = useRef(divider);
  latest.current = divider;
  useEffect(() => () => stop.current?.(), []);
  const apply = async (changes: readonly RatioChange[]) => {
    for (const change of changes) await view.run("setRatio", { ...change });
  };
  const set = (next: number) => apply(moveDivider(root, path, next).changes);

  const startDrag = (event: React.PointerEvent<HTMLDivElement>) => {
    const stage = line.current?.parentElement;
    if (event.button !== 0 || stage === null || stage === undefined) return;
    event.preventDefault();
    line.current?.setPointerCapture(event.pointerId);
    const origin = stage.getBoundingClientRect();
    const listening = new AbortController();
    let wanted: readonly RatioChange[] | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const sendRatio = () => {
      timer = undefined;
      if (wanted !== undefined) void apply(wanted);
    };
    const end = () => {
      listening.abort();
      clearTimeout(timer);
    };
    stop.current = end;
    const moved = (move: PointerEvent) => {
      const position = direction === "horizontal" ? move.clientX - origin.left : move.clientY - origin.top;
      // From the tree at the start of the drag: rounding would add up from step to step.
      const moved = moveDivider(root, path, ratioAt(latest.current, position));
      wanted = moved.changes;
      draw(moved.root);
      timer ??= setTimeout(sendRatio, UPDATE_INTERVAL_MS);
    };
    const released = async () => {
      end();
      if (wanted !== undefined) await apply(wanted);
      draw(undefined);
    };
    const { signal } = listening;
    window.addEventListener("pointermove", moved, { signal });
    window.addEventListener("pointerup", () => void released(), { signal });
    window.addEventListener("pointercancel", () => void released(), { signal });
  };

  const sideBySide = direction === "horizontal";
  const percent = Math.round(ratio * 100);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that is operated is no <hr>
    <div
      ref={line}
      className="divider"
      role="separator"
      data-direction={direction}
      aria-orientation={sideBySide ? "vertical" : "horizontal"}
      aria-label={sideBySide ? words.stage.width : words.stage.height}
      aria-valuenow={percent}
      aria-valuemin={ratioBounds.min * 100}
      aria-valuemax={ratioBounds.max * 100}
      aria-valuetext={words.stage.share(percent, 100 - percent)}
      tabIndex={0}
      style={{ ...handle }}
      onPointerDown={startDrag}
      onDoubleClick={() => void set(0.5)}
      onKeyDown={(event) => {
        const next = ratioAfterKey(event.key, divider);
        if (next === undefined) return;
        event.preventDefault();
        void set(next);
      }}
    />
  );
}
