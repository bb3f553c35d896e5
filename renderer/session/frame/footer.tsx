import { hostOf } from "../../../core/client/layout-follower.ts";
import { formatLocale } from "../../../core/phrases.ts";
import { waitingFor } from "../../../core/protocol/waiting.ts";
import { colourOf } from "../../ui/avatar.tsx";
import { Keys } from "../../ui/keys.tsx";
import { useStore } from "../../ui/store.ts";
import { roleWords } from "../../ui/words.ts";
import { goToWaiting } from "../actions/go-to-waiting.ts";
import { callDrawer, useHasDrawer } from "../actions/toggle-drawer.ts";
import { chordLabel } from "../keys/chord.ts";
import { ShellList } from "../shells/shell-list.tsx";
import type { DrawerSource, Following } from "../view/session-host.ts";
import { useKeys, useSnapshot, useView } from "../view/view.ts";
import { words } from "../words/index.ts";

/** Status line: connection, number of shells and agents, and what waits for the user. */
export function Footer() {
  const view = useView();
  const { connected, mirror, self } = useSnapshot();
  const hasDrawer = useHasDrawer();
  const { app, drawer, following } = view.host;
  const agents = (mirror?.agents ?? []).filter(({ state }) => state !== "ended");
  const waiting = mirror === undefined ? 0 : waitingFor(mirror, self).length;
  const shortcuts = useKeys();
  const palette = shortcuts.bindings.find(({ action }) => action.kind === "view" && action.viewAction === "palette");
  return (
    <footer className="footer">
      <span className="connection" role="status">
        <span className={`dot ${connected ? "good" : "bad"}`} />
        {connected
          ? words.frame.footer.connected
          : mirror === undefined
            ? words.frame.footer.connecting
            : words.frame.footer.reconnecting}
      </span>
      <ShellList />
      {agents.length > 0 && <span className="wide-only">{words.frame.footer.agents(agents.length)}</span>}
      {waiting > 0 && (
        <button
          type="button"
          className="waiting"
          title={waiting > 1 && hasDrawer ? words.frame.footer.allWaiting : words.frame.footer.nextWaiting}
          onClick={() => goToWaiting(view)}
        >
          {words.frame.footer.waiting(waiting)}
        </button>
      )}
      <TypingIntoAll />
      <span className="footer-end">
        {following !== undefined && <LayoutChoice following={following} />}
        {self !== undefined && (
          <span className="own-name wide-only" title={words.frame.footer.you(self.name, self.id)}>
            <span className="ellipsis">{self.name}</span>
            <span>· {roleWords[self.role]}</span>
          </span>
        )}
        {app !== undefined && <CostToday costs={app.facts} show={() => app.showPanel("agents")} />}
        {app === undefined && hasDrawer && drawer?.costs !== undefined && (
          <CostToday costs={drawer.costs} show={() => callDrawer(view, { kind: "costs" })} />
        )}
        {palette?.chord !== undefined && (
          <button
            type="button"
            className="footer-button wide-only"
            onClick={() => view.ui.palette.set({ kind: "commands" })}
          >
            <Keys label={chordLabel(palette.chord, shortcuts.mac)} /> {words.frame.footer.commands}
          </button>
        )}
      </span>
    </footer>
  );
}

/** Says that what is typed goes to every shell on show, and ends that. */
function TypingIntoAll() {
  const { typesIntoAll } = useView().ui;
  if (!useStore(typesIntoAll)) return null;
  return (
    <span className="typing-into-all" role="status">
      <span className="ellipsis" title={words.frame.footer.typesIntoAll}>
        <span className="wide-only">{words.frame.footer.typesIntoAll}</span>
        <span className="narrow-only">{words.frame.footer.intoAll}</span>
      </span>
      <button type="button" className="footer-button" onClick={() => typesIntoAll.set(false)}>
        {words.frame.footer.stop}
      </button>
    </span>
  );
}

/** The choice of a guest between the layout of the session's host, or of whom they follow, and their own. */
function LayoutChoice({ following }: { following: Following }) {
  const { mirror, self } = useSnapshot();
  const target = useStore(following.target);
  const clients = mirror?.clients ?? [];
  const isGuest = clients.some(({ id, guest }) => id === self?.id && guest === true);
  const person = clients.find(({ id }) => id === target) ?? (isGuest ? hostOf({ clients }, self?.id) : undefined);
  if (person === undefined) return null;
  const follows = person.id === target;
  return (
    // biome-ignore lint/a11y/useSemanticElements: two buttons, no form
    <span className="layout-choice" role="group" aria-label={words.frame.footer.layout}>
      <button
        type="button"
        aria-pressed={follows}
        title={words.frame.footer.followHint(person.name)}
        onClick={() => following.follow(person.id)}
      >
        <span className="dot" data-hue={colourOf(person)} />
        <span className="ellipsis">{words.frame.footer.follow(person.name)}</span>
      </button>
      <button
        type="button"
        aria-pressed={!follows}
        title={words.frame.footer.ownHint}
        onClick={() => following.follow(undefined)}
      >
        {words.frame.footer.own}
      </button>
    </span>
  );
}

/** What agents cost since midnight; in the colour of what waits once that is more than the budget. */
function CostToday({ costs, show }: { costs: NonNullable<DrawerSource["costs"]>; show: () => void }) {
  const day = useStore(costs);
  if (day === undefined || day.costToday === 0) return null;
  const { costToday, costByHour, budget } = day;
  const over = budget !== null && costToday > budget;
  const amount = new Intl.NumberFormat(formatLocale(), { style: "currency", currency: "USD" });
  return (
    <button
      type="button"
      className={`footer-button wide-only ${over ? "waiting" : ""}`}
      title={over ? words.frame.footer.costHintOver(amount.format(budget)) : words.frame.footer.costHint}
      onClick={show}
    >
      <DayLine costs={costByHour} />
      {words.frame.footer.costToday(amount.format(costToday))}
    </button>
  );
}

const LINE = { width: 40, height: 12 } as const;

/** What the day has cost, hour by hour, as a line. The amount beside it says the same. */
function DayLine({ costs }: { readonly costs: readonly number[] }) {
  const most = costs.at(-1) ?? 0;
  if (costs.length < 2 || most === 0) return null;
  const x = (hour: number) => ((hour / (costs.length - 1)) * (LINE.width - 2) + 1).toFixed(1);
  const y = (cost: number) => (LINE.height - 1 - (cost / most) * (LINE.height - 2)).toFixed(1);
  const line = costs.map((cost, hour) => `${x(hour)} ${y(cost)}`).join("L");
  return (
    <svg className="day-line" viewBox={`0 0 ${LINE.width} ${LINE.height}`} {...LINE} fill="none" aria-hidden="true">
      <path d={`M${line}`} stroke="currentColor" strokeWidth="1.25" strokeLinejoin="round" strokeLinecap="round" />
    </svg>
  );
}
