import { formatDollars } from "../format.ts";
import { usePanel } from "../use-panel.ts";
import { words } from "../words/index.ts";

const said = words.costs.machines;

/**
 * The costs by machine: of this one in the chosen time, of the others what their running agents cost, which is all that
 * they tell.
 * @param sum US dollars on this machine
 */
export function MachineCosts({ sum, span }: { readonly sum: number; readonly span: string }) {
  const { remotes } = usePanel();
  const others = remotes
    .map(({ via, machine, cost, agents, state }) => ({
      ...{ key: `${via} ${machine}`, name: machine, cost },
      about: state === "reachable" ? said.running(agents.length) : said.away,
    }))
    .sort((one, other) => other.cost - one.cost);
  const rows = [{ key: "this", name: said.here, cost: sum, about: span }, ...others];
  const most = Math.max(...rows.map(({ cost }) => cost));
  return (
    <ul className="cost-machines" aria-label={said.title}>
      {rows.map(({ key, name, cost, about }) => (
        <li key={key}>
          <span className="ellipsis" title={name}>
            {name}
          </span>
          <span className="panel-faint ellipsis">{about}</span>
          <span>{formatDollars(cost)}</span>
          <span className="cost-machine-bar" aria-hidden="true">
            <span style={{ width: `${most === 0 ? 0 : (cost / most) * 100}%` }} />
          </span>
        </li>
      ))}
    </ul>
  );
}
