import * as ToggleGroup from "@radix-ui/react-toggle-group";
import { useEffect, useState } from "react";
import type { PriceListStatus } from "../../core/protocol/prices.ts";
import { localDate, type UsageDays, usageCsv } from "../../core/protocol/usage.ts";
import { BudgetForm } from "./budget-form.tsx";
import { type ChartBy, chartData } from "./chart-data.ts";
import { CostChart } from "./cost-chart.tsx";
import { CostTable } from "./cost-table.tsx";
import { formatCompact, formatDollars } from "./format.ts";
import { LiveAgents } from "./live-agents.tsx";
import { overBudget } from "./panel-summary.ts";
import { PolicyList } from "./policy-list.tsx";
import { PromptQueue } from "./prompt-queue.tsx";
import { QuotaWindows } from "./quota-windows.tsx";
import { RemoteAgents } from "./remote-machines.tsx";
import { usePanel } from "./use-panel.ts";
import { useSlices } from "./use-slices.ts";
import { words } from "./words/index.ts";

const timeSpans = [
  { days: 1, name: "today" },
  { days: 7, name: "week" },
  { days: 30, name: "month" },
] as const;

/** Costs of agents, running agents, and budgets. */
export function CostsTab() {
  return (
    <>
      <Costs />
      <LiveAgents />
      <PromptQueue />
      <QuotaWindows />
      <RemoteAgents />
      <BudgetForm />
      <PolicyList />
    </>
  );
}

/** The costs of a time span as a chart or a table. */
export function Costs() {
  const { content, run, showStatus } = usePanel();
  const [days, setDays] = useState<UsageDays>(1);
  const [by, setBy] = useState<ChartBy>("model");
  const [table, setTable] = useState(false);
  const slices = useSlices(days);
  if (slices === undefined) return null;
  const cost = slices.reduce((sum, slice) => sum + slice.cost, 0);
  const over = overBudget(content);
  const tokens = slices.reduce((sum, { input, output, cached }) => sum + input + output + cached, 0);
  const span = timeSpans.find((one) => one.days === days)?.name ?? "today";
  const exportCsv = async () => {
    const name = `patchbay-costs-${localDate(new Date())}.csv`;
    const saved = await run("panel.save", { name, text: usageCsv(slices) });
    if (saved !== undefined) showStatus(words.costs.saved(saved.file));
  };
  return (
    <>
      <div className="panel-head">
        <p>
          <strong className="panel-big" data-over={days === 1 && over !== undefined ? true : undefined}>
            {formatDollars(cost)}
          </strong>
          <span className="panel-faint">{words.costs.sums[span](formatCompact(tokens))}</span>
          {over !== undefined && (
            <span className="panel-over">
              {words.costs.overBudget(formatDollars(over), formatDollars(content.budgets.day ?? 0))}
            </span>
          )}
        </p>
        <ToggleGroup.Root
          type="single"
          className="segments"
          aria-label={words.costs.span}
          value={String(days)}
          onValueChange={(value) => {
            const parsed = timeSpans.find((one) => String(one.days) === value);
            if (parsed !== undefined) setDays(parsed.days);
          }}
        >
          {timeSpans.map((one) => (
            <ToggleGroup.Item key={one.days} value={String(one.days)} className="segment">
              {words.costs.spans[one.name]}
            </ToggleGroup.Item>
          ))}
        </ToggleGroup.Root>
      </div>
      {cost === 0 ? (
        <p className="panel-empty">{words.costs.nothing[span]}</p>
      ) : table ? (
        <CostTable slices={slices} />
      ) : (
        <CostChart data={chartData(slices, days, by, new Date())} days={days} budget={content.budgets.day} />
      )}
      <div className="panel-actions">
        {!table && cost > 0 && (
          <button type="button" className="button quiet" onClick={() => setBy(by === "model" ? "session" : "model")}>
            {by === "model" ? words.costs.bySession : words.costs.byModel}
          </button>
        )}
        {cost > 0 && (
          <>
            <button type="button" className="button quiet" onClick={() => setTable(!table)}>
              {table ? words.costs.showChart : words.costs.showTable}
            </button>
            <button type="button" className="button quiet" onClick={() => void exportCsv()}>
              {words.costs.exportCsv}
            </button>
          </>
        )}
      </div>
      <PriceAge />
    </>
  );
}

/** Which price list the costs come from, and how many models it does not know. */
function PriceAge() {
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
  const { date, ageDays, unpriced, problem } = prices;
  const models = new Set(unpriced.map(({ model }) => model));
  const about = [
    words.costs.prices(date, ageDays),
    ...(models.size > 0 ? [words.costs.unpriced(models.size)] : []),
    ...(problem === undefined ? [] : [words.costs.notInstalled(problem)]),
  ];
  return (
    <p className="panel-faint" title={[...models].join(", ")}>
      {about.join(" · ")}
    </p>
  );
}
