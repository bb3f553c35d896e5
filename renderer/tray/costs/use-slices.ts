import { useEffect, useState } from "react";
import type { UsageDays, UsageSlice } from "../../../core/protocol/usage.ts";
import { usePanel } from "../use-panel.ts";

/** Fetches usage, and again whenever today's cost changes; undefined until that of these days is there. */
export function useSlices(days: UsageDays): readonly UsageSlice[] | undefined {
  const { content, run } = usePanel();
  const [known, setKnown] = useState<{ readonly days: UsageDays; readonly slices: readonly UsageSlice[] }>();
  const spent = content.costToday;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `run` is new in every render; only the sum matters.
  useEffect(() => {
    let wanted = true;
    void run("panel.usage", { days }).then((answer) => {
      if (wanted && answer !== undefined) setKnown({ days, slices: answer });
    });
    return () => {
      wanted = false;
    };
  }, [days, spent]);
  return known?.days === days ? known.slices : undefined;
}
