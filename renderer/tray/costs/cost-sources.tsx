import { useEffect, useState } from "react";
import type { PriceListStatus } from "../../../core/protocol/prices.ts";
import { usePanel } from "../use-panel.ts";
import { words } from "../words/index.ts";

const said = words.costs.sources;

/** Where the figures come from: the tokens, the price list, and the models that have no price. */
export function CostSources() {
  const { call } = usePanel();
  const [prices, setPrices] = useState<PriceListStatus>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `call` is new in every render; the list hardly ever changes.
  useEffect(() => {
    let wanted = true;
    void call("getPrices", {}).then((answer) => {
      if (wanted && answer !== undefined) setPrices(answer);
    });
    return () => {
      wanted = false;
    };
  }, []);
  if (prices === undefined) return null;
  const { date, ageDays, unpriced, problem, overrides, source } = prices;
  const models = new Map<string, number>();
  for (const { model, calls } of unpriced) models.set(model, (models.get(model) ?? 0) + calls);
  const summary = [words.costs.prices(date, ageDays), ...(models.size > 0 ? [words.costs.unpriced(models.size)] : [])];
  return (
    <details className="cost-sources">
      <summary>{summary.join(" · ")}</summary>
      <ul>
        <li>{said.tokens}</li>
        <li>{said.list[source]}</li>
        {overrides !== undefined && <li>{said.overrides(overrides)}</li>}
        {problem !== undefined && <li>{words.costs.notInstalled(problem)}</li>}
        {[...models].map(([model, calls]) => (
          <li key={model}>{said.unpriced(model, calls)}</li>
        ))}
        <li>{said.explain({ command: <code>service func get-agent-cost --explain</code> })}</li>
      </ul>
    </details>
  );
}
