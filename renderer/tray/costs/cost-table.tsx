import type { UsageSlice } from "../../../core/protocol/usage.ts";
import { formatCompact, formatDollars } from "../format.ts";
import { words } from "../words/index.ts";
import { type ChartBy, nameOf } from "./chart-data.ts";

const said = words.costs.table;

interface Sums {
  readonly input: number;
  readonly output: number;
  readonly cached: number;
  readonly calls: number;
  readonly cost: number;
}

const nothing: Sums = { input: 0, output: 0, cached: 0, calls: 0, cost: 0 };

/** The costs as a table, with the same parts as the chart. */
export function CostTable({ slices, by }: { readonly slices: readonly UsageSlice[]; readonly by: ChartBy }) {
  const rows = [...sumsBy(slices, by)].sort(([, one], [, other]) => other.cost - one.cost);
  const whole = rows.reduce((sum, [, { cost }]) => sum + cost, 0);
  return (
    <div className="panel-scroll">
      <table className="panel-table">
        <caption className="visually-hidden">{said.title[by]}</caption>
        <thead>
          <tr>
            <th scope="col">{words.costs.parts[by]}</th>
            <th scope="col">{said.input}</th>
            <th scope="col">{said.output}</th>
            <th scope="col">{said.cached}</th>
            <th scope="col">{said.calls}</th>
            <th scope="col">{said.cost}</th>
            <th scope="col">{said.share}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, { input, output, cached, calls, cost }]) => (
            <tr key={name}>
              <th scope="row" className="ellipsis" title={name}>
                {name}
              </th>
              <td>{formatCompact(input)}</td>
              <td>{formatCompact(output)}</td>
              <td>{formatCompact(cached)}</td>
              <td>{formatCompact(calls)}</td>
              <td>{formatDollars(cost)}</td>
              <td>{whole === 0 ? "" : said.percent(Math.round((cost / whole) * 100))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function sumsBy(slices: readonly UsageSlice[], by: ChartBy): ReadonlyMap<string, Sums> {
  const rows = new Map<string, Sums>();
  for (const slice of slices) {
    const name = nameOf(slice, by);
    const known = rows.get(name) ?? nothing;
    rows.set(name, {
      input: known.input + slice.input,
      output: known.output + slice.output,
      cached: known.cached + slice.cached,
      calls: known.calls + slice.calls,
      cost: known.cost + slice.cost,
    });
  }
  return rows;
}
