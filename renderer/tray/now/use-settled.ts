import { useEffect, useState } from "react";
import { SETTLED_AFTER_MS } from "../../ui/stands-still.ts";

/**
 * Reports whether something has stood still for 0.7 s: a press that was meant for what was there before must not count.
 *
 * @param where changes when it appears, opens or moves
 */
export function useSettled(where: string): boolean {
  const [settled, setSettled] = useState<string>();
  useEffect(() => {
    const timer = setTimeout(() => setSettled(where), SETTLED_AFTER_MS);
    return () => clearTimeout(timer);
  }, [where]);
  return settled === where;
}
