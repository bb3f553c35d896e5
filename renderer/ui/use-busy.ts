import { useState } from "react";

/**
 * Runs one action at a time: a second press, while the answer is on its way, does nothing. A button shows that with
 * `aria-disabled`, which leaves the focus where it is.
 */
export function useBusy(): readonly [isBusy: boolean, runOnce: (action: () => Promise<unknown>) => void] {
  const [isBusy, setBusy] = useState(false);
  const runOnce = (action: () => Promise<unknown>) => {
    if (isBusy) return;
    setBusy(true);
    void action().finally(() => setBusy(false));
  };
  return [isBusy, runOnce];
}
