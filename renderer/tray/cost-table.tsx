import type { UsageSlice } from "../../core/protocol/usage.ts";
import { formatCompact, formatDollars } from "./format.ts";
import { words } from "./words/index.ts";

/** The costs as a table, one row per session and model. */
export function CostTable({ slices }: { readonly slices: readonly UsageSlice[] }) {
  const rows = [...sumBySessionAndModel(slices)].sort((a, b) => b.cost - a.cost);
  return (
    <div className="panel-scroll">
      <table className="panel-table">
        <caption className="visually-hidden">{words.costs.table.title}</caption>
        <thead>
          <tr>
            <th scope="col">{words.costs.table.model}</th>
            <th scope="col">{words.costs.table.session}</th>
            <th scope="col">{words.costs.table.input}</th>
            <th scope="col">{words.costs.table.output}</th>
            <th scope="col">{words.costs.table.cached}</th>
            <th scope="col">{words.costs.table.cost}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ session, model, input, output, cached, cost }) => (
            <tr key={JSON.stringify([session, model])}>
              <td>{model === "" ? words.costs.unknownModel : model}</td>
              <td className="ellipsis" title={session}>
                {session === "" ? words.costs.closed : session}
              </td>
              <td>{formatCompact(input)}</td>
              <td>{formatCompact(output)}</td>
              <td>{formatCompact(cached)}</td>
              <td>{formatDollars(cost)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function sumBySessionAndModel(slices: readonly UsageSlice[]): readonly UsageSlice[] {
  const rows = new Map<string, UsageSlice>();
  for (const slice of slices) {
    const key = JSON.stringify([slice.session, slice.model]);
    const known = rows.get(key);
    rows.set(
      key,
      known === undefined
        ? slice
        : {
            ...known,
            input: known.input + slice.input,
            output: known.output + slice.output,
            cached: known.cached + slice.cached,
            cost: known.cost + slice.cost,
          },
    );
  }
  return [...rows.values()];
}
