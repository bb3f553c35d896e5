import * as ToggleGroup from "@radix-ui/react-toggle-group";
import { useEffect, useState } from "react";
import type { PriceListStatus } from "../../core/protocol/prices.ts";
import type { UsageDays, UsageSlice } from "../../core/protocol/usage.ts";
import { BudgetForm } from "./budget-form.tsx";
import { type ChartBy, chartData } from "./chart-data.ts";
import { CostChart } from "./cost-chart.tsx";
import { CostTable } from "./cost-table.tsx";
import { formatCompact, formatCount, formatDollars } from "./format.ts";
import { LiveAgents } from "./live-agents.tsx";
import { overBudget } from "./panel-summary.ts";
import { PolicyList } from "./policy-list.tsx";
import { PromptQueue } from "./prompt-queue.tsx";
import { QuotaWindows } from "./quota-windows.tsx";
import { RemoteAgents } from "./remote-machines.tsx";
import { usePanel } from "./use-panel.ts";

const timeSpans = [
  { days: 1, label: "Today", words: "today" },
  { days: 7, label: "7 d", words: "in 7 days" },
  { days: 30, label: "30 d", words: "in 30 days" },
] as const;

/** Costs of agents, running agents, and budgets. */
export function CostsTab() {
  const { content, run, showStatus } = usePanel();
  const [days, setDays] = useState<UsageDays>(1);
  const [by, setBy] = useState<ChartBy>("model");
  const [table, setTable] = useState(false);
  const slices = useSlices(days);
  if (slices === undefined) return null;
  const cost = slices.reduce((sum, slice) => sum + slice.cost, 0);
  const over = overBudget(content);
  const tokens = slices.reduce((sum, { input, output, cached }) => sum + input + output + cached, 0);
  const words = timeSpans.find((span) => span.days === days)?.words ?? "";
  const exportCsv = async () => {
    const saved = await run("panel.exportUsage", { days });
    if (saved !== undefined) showStatus(`Saved as ${saved.file}.`);
  };
  return (
    <>
      <div className="panel-head">
        <p>
          <strong className="panel-big" data-over={days === 1 && over !== undefined ? true : undefined}>
            {formatDollars(cost)}
          </strong>
          <span className="panel-faint">
            {words} at list prices · {formatCompact(tokens)} tokens
          </span>
          {over !== undefined && (
            <span className="panel-over">
              {formatDollars(over)} over today's budget of {formatDollars(content.budgets.day ?? 0)}
            </span>
          )}
        </p>
        <ToggleGroup.Root
          type="single"
          className="panel-segments"
          aria-label="Time span"
          value={String(days)}
          onValueChange={(value) => {
            const parsed = timeSpans.find((span) => String(span.days) === value);
            if (parsed !== undefined) setDays(parsed.days);
          }}
        >
          {timeSpans.map((span) => (
            <ToggleGroup.Item key={span.days} value={String(span.days)} className="panel-segment">
              {span.label}
            </ToggleGroup.Item>
          ))}
        </ToggleGroup.Root>
      </div>
      {cost === 0 ? (
        <p className="panel-empty">No costs {words}. The costs of agents in your shells appear here.</p>
      ) : table ? (
        <CostTable slices={slices} />
      ) : (
        <CostChart data={chartData(slices, days, by, new Date())} days={days} budget={content.budgets.day} />
      )}
      <div className="panel-actions">
        {!table && cost > 0 && (
          <button type="button" className="button quiet" onClick={() => setBy(by === "model" ? "session" : "model")}>
            {by === "model" ? "By session" : "By model"}
          </button>
        )}
        {cost > 0 && (
          <>
            <button type="button" className="button quiet" onClick={() => setTable(!table)}>
              {table ? "Show the chart" : "Show a table"}
            </button>
            <button type="button" className="button quiet" onClick={() => void exportCsv()}>
              Export CSV
            </button>
          </>
        )}
      </div>
      <PriceAge />
      <LiveAgents />
      <PromptQueue />
      <QuotaWindows />
      <RemoteAgents />
      <BudgetForm />
      <PolicyList />
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
  return (
    <p className="panel-faint" title={[...models].join(", ")}>
      Prices of {date}, {formatCount(ageDays, "day")} old
      {models.size > 0 && ` · ${formatCount(models.size, "model")} without a price`}
      {problem !== undefined && ` · the installed list is not used: ${problem}`}
    </p>
  );
}

/** Fetches usage again whenever today's cost changes. */
function useSlices(days: UsageDays): readonly UsageSlice[] | undefined {
  const { content, run } = usePanel();
  const [slices, setSlices] = useState<readonly UsageSlice[]>();
  const spent = content.costToday;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `run` is new in every render; only the sum matters.
  useEffect(() => {
    let wanted = true;
    void run("panel.usage", { days }).then((answer) => {
      if (wanted && answer !== undefined) setSlices(answer);
    });
    return () => {
      wanted = false;
    };
  }, [days, spent]);
  return slices;
}
