import type { DayCourse } from "../costs/forecast.ts";

const WIDTH = 112;
const HEIGHT = 32;
const HOUR_MS = 3_600_000;

/** The day's cost as a line, dotted on to the forecast, below the dashed budget. The text beside it says the same. */
export function Sparkline(props: { readonly course: DayCourse; readonly budget: number | null; readonly now: number }) {
  const { course, budget, now } = props;
  const { points, forecast, midnight } = course;
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined) return null;
  // Where nothing is known of the rest of the day, the line has the room alone.
  const end = forecast === undefined ? Math.max(now, first.at + HOUR_MS) : midnight;
  const most = Math.max(last.cost, forecast ?? 0, budget ?? 0) * 1.06;
  const x = (at: number) => (((at - first.at) / (end - first.at)) * (WIDTH - 4) + 2).toFixed(1);
  const y = (cost: number) => (HEIGHT - 2 - (most === 0 ? 0 : (cost / most) * (HEIGHT - 6))).toFixed(1);
  const line = points.map(({ at, cost }) => `${x(at)} ${y(cost)}`).join("L");
  return (
    <svg
      className="now-spark"
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      fill="none"
      aria-hidden="true"
    >
      {budget !== null && <path className="now-spark-budget" d={`M0 ${y(budget)}H${WIDTH}`} />}
      <path className="now-spark-area" d={`M${line}L${x(last.at)} ${y(0)}L${x(first.at)} ${y(0)}z`} />
      <path className="now-spark-line" d={`M${line}`} />
      {forecast !== undefined && (
        <path className="now-spark-forecast" d={`M${x(last.at)} ${y(last.cost)}L${x(midnight)} ${y(forecast)}`} />
      )}
      <circle className="now-spark-dot" cx={x(last.at)} cy={y(last.cost)} r="2.5" />
    </svg>
  );
}
