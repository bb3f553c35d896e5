import type { UsageSlice } from "../../../core/protocol/usage.ts";
import { Icon } from "../../ui/icon.tsx";
import { useNow } from "../../ui/use-now.ts";
import { dayCourse } from "../costs/forecast.ts";
import { useSlices } from "../costs/use-slices.ts";
import { formatDollars } from "../format.ts";
import { overBudget } from "../panel-summary.ts";
import { usePanel } from "../use-panel.ts";
import { words } from "../words/index.ts";
import { Sparkline } from "./sparkline.tsx";

const MINUTE_MS = 60_000;
/** Kinds of agents in the legend; the others are one part. */
const MOST_KINDS = 3;

/** Today's cost against its budget, with the forecast and its parts by agent. */
export function Today() {
  const { content } = usePanel();
  const { costToday, budgets } = content;
  const now = useNow(MINUTE_MS);
  const slices = useSlices(1) ?? [];
  const course = dayCourse(slices, new Date(now));
  const over = overBudget(content) !== undefined;
  const parts = partsByAgent(slices);
  const whole = Math.max(
    costToday,
    budgets.day ?? 0,
    parts.reduce((sum, { cost }) => sum + cost, 0),
  );
  return (
    <section className="now-today" aria-label={words.today.title}>
      <div className="now-today-sum">
        <strong className="now-big" data-over={over || undefined}>
          {formatDollars(costToday)}
        </strong>
        <div className="now-today-about panel-faint">
          <p className="ellipsis" title={words.sessions.basis}>
            {budgets.day === null ? words.today.today : words.today.ofBudget(formatDollars(budgets.day))}
          </p>
          <Forecast costToday={costToday} forecast={course.forecast} />
        </div>
        {course.points.length > 1 && <Sparkline course={course} budget={budgets.day} now={now} />}
        {parts.length === 0 && <CostsLink />}
      </div>
      {parts.length > 0 && (
        <div className="now-meter" aria-hidden="true">
          {parts.map(({ name, cost }, index) => (
            <span key={name} data-series={index} style={{ width: `${(cost / whole) * 100}%` }} />
          ))}
        </div>
      )}
      {parts.length > 0 && (
        <div className="now-legend">
          <ul>
            {parts.map(({ name, cost }, index) => (
              <li key={name}>
                <span className="now-swatch" data-series={index} />
                <span className="ellipsis" title={name}>
                  {name}
                </span>
                <span className="panel-faint">{formatDollars(cost)}</span>
              </li>
            ))}
          </ul>
          <CostsLink />
        </div>
      )}
    </section>
  );
}

function CostsLink() {
  const { goTo } = usePanel();
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={words.today.show}
      title={words.today.show}
      onClick={() => goTo("agents")}
    >
      <Icon name="right" size={14} />
    </button>
  );
}

function Forecast({ costToday, forecast }: { readonly costToday: number; readonly forecast: number | undefined }) {
  const { content, goTo } = usePanel();
  if (costToday === 0 && content.budgets.day === null)
    return (
      <button type="button" className="now-link" onClick={() => goTo("agents")}>
        {words.today.setBudget}
      </button>
    );
  if (forecast === undefined) return <p className="ellipsis">{words.today.basis}</p>;
  const expected = words.today.forecast(formatDollars(forecast));
  return (
    <p className="ellipsis" title={`${expected} · ${words.today.pace}`}>
      {expected}
    </p>
  );
}

/** The costs by kind of agent, the most expensive first; what is left over is one part. */
export function partsByAgent(
  slices: readonly Pick<UsageSlice, "agentType" | "cost">[],
): readonly { readonly name: string; readonly cost: number }[] {
  const sums = new Map<string, number>();
  for (const { agentType, cost } of slices) sums.set(agentType, (sums.get(agentType) ?? 0) + cost);
  const ranked = [...sums].map(([name, cost]) => ({ name, cost })).filter(({ cost }) => cost > 0);
  ranked.sort((one, other) => other.cost - one.cost);
  if (ranked.length <= MOST_KINDS) return ranked;
  const rest = ranked.slice(MOST_KINDS - 1);
  const cost = rest.reduce((sum, part) => sum + part.cost, 0);
  return [...ranked.slice(0, MOST_KINDS - 1), { name: words.today.others(rest.length), cost }];
}
