import * as ToggleGroup from "@radix-ui/react-toggle-group";
import { useState } from "react";
import { localDate, type UsageDays, type UsageSlice, usageCsv } from "../../../core/protocol/usage.ts";
import { useNow } from "../../ui/use-now.ts";
import { formatCompact, formatDollars } from "../format.ts";
import { overBudget } from "../panel-summary.ts";
import { usePanel } from "../use-panel.ts";
import { words } from "../words/index.ts";
import { type ChartBy, chartData, chartParts } from "./chart-data.ts";
import { CostChart } from "./cost-chart.tsx";
import { CostSources } from "./cost-sources.tsx";
import { CostTable } from "./cost-table.tsx";
import { dayCourse } from "./forecast.ts";
import { MachineCosts } from "./machine-costs.tsx";
import { useSlices } from "./use-slices.ts";
import { WhatIf } from "./what-if.tsx";

const timeSpans = [
  { days: 1, name: "today" },
  { days: 7, name: "week" },
  { days: 30, name: "month" },
] as const;
type TimeSpan = (typeof timeSpans)[number];

const MINUTE_MS = 60_000;

/** The costs of a time span by agent, model, session or folder, as a chart or a table, with what they may come to. */
export function Costs() {
  const { content, remotes, run, call, showStatus } = usePanel();
  const [span, setSpan] = useState<TimeSpan>(timeSpans[0]);
  const [by, setBy] = useState<ChartBy | "machine">("agent");
  const [table, setTable] = useState(false);
  const now = new Date(useNow(MINUTE_MS));
  const { days, name } = span;
  const parts = remotes.length === 0 ? chartParts : ([...chartParts, "machine"] as const);
  const slices = useSlices(days);
  if (slices === undefined) return null;
  const sum = slices.reduce((total, { cost }) => total + cost, 0);
  const over = overBudget(content);
  const tokens = slices.reduce((total, { input, output, cached }) => total + input + output + cached, 0);
  const forecast = days === 1 ? dayCourse(slices, now).forecast : undefined;
  const save = async () => {
    const file = `patchbay-costs-${localDate(now)}.csv`;
    const saved = await run("panel.save", { name: file, text: usageCsv(slices) });
    if (saved !== undefined) showStatus(words.costs.saved(saved.file));
  };
  const setBudget = async (day: number) => {
    // A refusal is on display already.
    if ((await call("setBudgets", { ...content.budgets, day })) !== undefined) showStatus(words.costs.budgets.saved);
  };
  return (
    <>
      <div className="panel-head">
        <p>
          <strong className="panel-big" data-over={days === 1 && over !== undefined ? true : undefined}>
            {formatDollars(sum)}
          </strong>
          <span className="panel-faint">{words.costs.sums[name](formatCompact(tokens))}</span>
          <Outlook slices={slices} days={days} sum={sum} forecast={forecast} />
          {over !== undefined && (
            <span className="panel-over">
              {words.costs.overBudget(formatDollars(over), formatDollars(content.budgets.day ?? 0))}
            </span>
          )}
        </p>
      </div>
      <div className="cost-controls">
        <Segments
          label={words.costs.span}
          value={name}
          options={timeSpans.map((one) => [one.name, words.costs.spans[one.name]])}
          choose={(chosen) => setSpan(timeSpans.find((one) => one.name === chosen) ?? span)}
        />
        <Segments
          label={words.costs.by}
          value={by}
          options={parts.map((part) => [part, words.costs.parts[part]])}
          choose={(chosen) => setBy(parts.find((part) => part === chosen) ?? by)}
        />
      </div>
      {by === "machine" ? (
        <MachineCosts sum={sum} span={words.costs.spans[name]} />
      ) : sum === 0 ? (
        <p className="panel-empty">{words.costs.nothing[name]}</p>
      ) : table ? (
        <CostTable slices={slices} by={by} />
      ) : (
        <CostChart
          data={chartData(slices, { days, by, now, forecast })}
          days={days}
          budget={content.budgets.day}
          isOver={over !== undefined}
        />
      )}
      {sum > 0 && (
        <div className="panel-actions">
          {by !== "machine" && (
            <button type="button" className="button quiet" onClick={() => setTable(!table)}>
              {table ? words.costs.showChart : words.costs.showTable}
            </button>
          )}
          <button type="button" className="button quiet" onClick={() => void save()}>
            {words.costs.exportCsv}
          </button>
        </div>
      )}
      <WhatIf slices={slices} days={days} now={now} current={content.budgets.day} set={setBudget} />
      <CostSources />
    </>
  );
}

interface OutlookProps {
  readonly slices: readonly UsageSlice[];
  readonly days: UsageDays;
  readonly sum: number;
  readonly forecast: number | undefined;
}

/** What the costs may come to: today by midnight, else in 30 days at the pace since the first use. */
function Outlook({ slices, days, sum, forecast }: OutlookProps) {
  if (days === 1) {
    if (forecast === undefined) return null;
    return (
      <span className="panel-faint" title={words.today.pace}>
        {" · "}
        {words.today.forecast(formatDollars(forecast))}
      </span>
    );
  }
  const used = new Set(slices.filter(({ cost }) => cost > 0).map(({ from }) => from)).size;
  if (used < 2) return null;
  return <span className="panel-faint">{` · ${words.costs.aDay(formatDollars(sum / used))}`}</span>;
}

interface SegmentsProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, label: string])[];
  choose(value: string): void;
}

function Segments({ label, value, options, choose }: SegmentsProps) {
  return (
    <ToggleGroup.Root type="single" className="segments" aria-label={label} value={value} onValueChange={choose}>
      {options.map(([one, name]) => (
        <ToggleGroup.Item key={one} value={one} className="segment">
          {name}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  );
}
