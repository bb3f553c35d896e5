import { useContext, useEffect, useRef } from "react";
import type { OverviewPart } from "../../core/protocol/overview-changes.ts";
import { PanelContext } from "./use-panel.ts";

/** Where the host tells what changes, little else does. */
const SLOW_MS = 60_000;

/**
 * Calls back while the page is visible: whenever one of these parts changes and every minute where the host tells what
 * changes, else every `everyMs`.
 */
export function useAskAgain(ask: () => void, everyMs: number, parts: readonly OverviewPart[] = []): void {
  const onTouched = useContext(PanelContext)?.onTouched;
  const latest = useRef({ ask, parts });
  useEffect(() => {
    latest.current = { ask, parts };
  });
  useEffect(() => {
    const look = () => {
      if (!document.hidden) latest.current.ask();
    };
    const timer = setInterval(look, onTouched === undefined ? everyMs : SLOW_MS);
    const stop = onTouched?.((touched) => {
      if (touched.some((part) => latest.current.parts.includes(part))) look();
    });
    return () => {
      clearInterval(timer);
      stop?.();
    };
  }, [onTouched, everyMs]);
}
