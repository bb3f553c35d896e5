/** So many a second, with `burst` in hand; `take` says whether there was one left. */
export function createBudget(
  { perSecond, burst }: { perSecond: number; burst: number },
  now: () => number = () => performance.now(),
): { take(): boolean } {
  let left = burst;
  let at = now();
  return {
    take() {
      const passed = now() - at;
      at += passed;
      left = Math.min(burst, left + (passed * perSecond) / 1000);
      if (left < 1) return false;
      left -= 1;
      return true;
    },
  };
}
