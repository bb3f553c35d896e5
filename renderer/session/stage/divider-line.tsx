import { useEffect, useRef } from "react";
import { ratioBounds } from "../../../core/layout/layout.ts";
import { useView } from "../view/view.ts";
import { type Divider, ratioAfterKey, ratioAt } from "./dividers.ts";

/** Interval at which a drag sends the ratio; in between, it is only drawn. */
const UPDATE_INTERVAL_MS = 60;

interface Props {
  readonly divider: Divider;
  /** Draws a ratio that is not yet applied; undefined draws the actual ratio. */
  draw(ratio: number | undefined): void;
}

/** The line between two tiles: drag it, double-click it for equal sizes, or use the arrow keys. */
export function DividerLine({ divider, draw }: Props) {
  const view = useView();
  const { tile, against, handle, direction, ratio } = divider;
  const line = useRef<HTMLDivElement>(null);
  const stop = useRef<(() => void) | undefined>(undefined);
  const latest = useRef(divider);
  latest.current = divider;
  useEffect(() => () => stop.current?.(), []);
  const set = async (next: number) => {
    await view.run("setRatio", { tile, against, ratio: next });
  };

  const startDrag = (event: React.PointerEvent<HTMLDivElement>) => {
    const stage = line.current?.parentElement;
    if (event.button !== 0 || stage === null || stage === undefined) return;
    event.preventDefault();
    line.current?.setPointerCapture(event.pointerId);
    const origin = stage.getBoundingClientRect();
    const listening = new AbortController();
    let wanted: number | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const sendRatio = () => {
      timer = undefined;
      if (wanted !== undefined) void set(wanted);
    };
    const end = () => {
      listening.abort();
      clearTimeout(timer);
    };
    stop.current = end;
    const moved = (move: PointerEvent) => {
      const position = direction === "horizontal" ? move.clientX - origin.left : move.clientY - origin.top;
      wanted = ratioAt(latest.current, position);
      draw(wanted);
      timer ??= setTimeout(sendRatio, UPDATE_INTERVAL_MS);
    };
    const released = async () => {
      end();
      if (wanted !== undefined) await set(wanted);
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
      aria-label={sideBySide ? "Width of the tiles" : "Height of the tiles"}
      aria-valuenow={percent}
      aria-valuemin={ratioBounds.min * 100}
      aria-valuemax={ratioBounds.max * 100}
      aria-valuetext={`${percent} to ${100 - percent}`}
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
