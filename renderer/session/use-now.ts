import { useEffect, useState } from "react";

/** The time, refreshed every `everyMs` while the component is there; undefined: not at all. */
export function useNow(everyMs: number | undefined): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (everyMs === undefined) return;
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
