import { Bar, BarChart, ReferenceLine, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import { formatLocale } from "../../../core/phrases.ts";
import type { UsageDays } from "../../../core/protocol/usage.ts";
import { formatDollars } from "../format.ts";
import { words } from "../words/index.ts";
import type { ChartData } from "./chart-data.ts";

interface Props {
  readonly data: ChartData;
  readonly days: UsageDays;
  /** US dollars per day; null: no line. */
  readonly budget: number | null;
  /** Today's budget is exceeded, which waits for the user; a day that has passed waits for nobody. */
  readonly isOver: boolean;
}

/** The costs as stacked bars, with a tooltip on hover and for the arrow keys. */
export function CostChart({ data, days, budget, isOver }: Props) {
  const { series, sums: whole } = data;
  const rows = data.rows.map(({ at, costs, expected = 0 }) => ({ label: formatLabel(at, days), costs, expected }));
  const sums = rows.map(({ costs, expected }) => costs.reduce((sum, cost) => sum + cost, expected));
  const top = Math.max(...sums, budget ?? 0) * 1.08;
  const hasForecast = rows.some(({ expected }) => expected > 0);
  return (
    <div className="panel-chart">
      <ul className="panel-legend">
        {series.map((name, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: what sums up the rest may be called as one of the others
          <li key={index} title={name}>
            <span className="panel-swatch" data-series={index} />
            <span className="ellipsis">{name}</span>
            <span className="panel-number">{formatDollars(whole[index] ?? 0)}</span>
          </li>
        ))}
        {hasForecast && (
          <li>
            <span className="panel-swatch panel-expected" />
            {words.costs.forecast}
          </li>
        )}
        {budget !== null && (
          <li data-over={isOver || undefined}>
            <span className="panel-swatch panel-line" />
            {words.costs.dayBudget(formatDollars(budget))}
          </li>
        )}
      </ul>
      <ResponsiveContainer width="100%" height={150}>
        <BarChart data={rows} margin={{ top: 8, right: 4, bottom: 0, left: 8 }} barCategoryGap="18%">
          <XAxis
            dataKey="label"
            height={24}
            tickLine={false}
            axisLine={{ stroke: "var(--line-strong)" }}
            tick={{ fill: "var(--muted)", fontSize: 11 }}
            interval="equidistantPreserveStart"
            minTickGap={24}
          />
          <YAxis hide domain={[0, top === 0 ? 1 : top]} />
          <Tooltip
            cursor={{ fill: "var(--hover)" }}
            isAnimationActive={false}
            content={({ active, label: at, payload }) =>
              active && payload !== undefined && payload.length > 0 ? (
                <ChartTooltip
                  title={String(at)}
                  series={series}
                  costs={series.map((_, i) => Number(payload[i]?.value ?? 0))}
                  expected={Number(payload[series.length]?.value ?? 0)}
                />
              ) : null
            }
          />
          {series.map((name, index) => (
            <Bar
              // biome-ignore lint/suspicious/noArrayIndexKey: what sums up the rest may be called as one of the others
              key={index}
              name={name}
              dataKey={(row: (typeof rows)[number]) => row.costs[index] ?? 0}
              stackId="cost"
              fill={`var(--chart-${index})`}
              stroke="var(--bg)"
              strokeWidth={1}
              isAnimationActive={false}
              maxBarSize={40}
            />
          ))}
          {hasForecast && (
            <Bar
              dataKey="expected"
              stackId="cost"
              fill="var(--line-strong)"
              isAnimationActive={false}
              maxBarSize={40}
            />
          )}
          {/* Its label is in the legend: over the bars it could not be read. */}
          {budget !== null && (
            <ReferenceLine y={budget} stroke={isOver ? "var(--wait)" : "var(--muted)"} strokeDasharray="3 3" />
          )}
        </BarChart>
      </ResponsiveContainer>
    </div>
  );
}

function ChartTooltip(props: {
  readonly title: string;
  readonly series: readonly string[];
  readonly costs: readonly number[];
  readonly expected: number;
}) {
  const { title, series, costs, expected } = props;
  return (
    <div className="panel-readout">
      <p>
        {title}
        <strong>{formatDollars(costs.reduce((sum, cost) => sum + cost, expected))}</strong>
      </p>
      {expected > 0 && (
        <p>
          {words.costs.forecast}
          <span>{formatDollars(expected)}</span>
        </p>
      )}
      {series.map((name, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: what sums up the rest may be called as one of the others
        <p key={index}>
          <span className="ellipsis">
            <span className="panel-swatch" data-series={index} />
            {name}
          </span>
          {formatDollars(costs[index] ?? 0)}
        </p>
      ))}
    </div>
  );
}

/** Formats the hour or the day. */
function formatLabel(at: Date, days: UsageDays): string {
  if (days === 1) return at.toLocaleTimeString(formatLocale(), { hour: "numeric" });
  return at.toLocaleDateString(formatLocale(), { day: "numeric", month: "short" });
}
