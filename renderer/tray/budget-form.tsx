import { useEffect, useState } from "react";
import { useBusy } from "../ui/use-busy.ts";
import { fieldDollars, readDollars, type TypedDollars } from "./typed-dollars.ts";
import { usePanel } from "./use-panel.ts";
import { words } from "./words/index.ts";

const fields = ["day", "session"] as const;

/** Budgets in US dollars; an empty field means no limit. */
export function BudgetForm() {
  const { content, call, showStatus } = usePanel();
  const { budgets } = content;
  const [isSaving, runOnce] = useBusy();
  const [typed, setTyped] = useState({ day: fieldDollars(budgets.day), session: fieldDollars(budgets.session) });
  // They may be set elsewhere, too.
  useEffect(() => setTyped((now) => ({ ...now, day: fieldDollars(budgets.day) })), [budgets.day]);
  useEffect(() => setTyped((now) => ({ ...now, session: fieldDollars(budgets.session) })), [budgets.session]);
  // A text that nobody has changed is the amount that is set.
  const read = (name: (typeof fields)[number]): TypedDollars =>
    typed[name] === fieldDollars(budgets[name]) ? { usd: budgets[name] } : readDollars(typed[name]);
  const [day, session] = [read("day"), read("session")];
  const wanted = { day: day.usd, session: session.usd };
  const wrong = Number.isNaN(wanted.day) || Number.isNaN(wanted.session);
  const changed = wanted.day !== budgets.day || wanted.session !== budgets.session;
  const save = async () => {
    // A refusal is on display already.
    if ((await call("setBudgets", wanted)) !== undefined) showStatus(words.costs.budgets.saved);
  };
  return (
    <section className="panel-section" aria-label={words.costs.budgets.title}>
      <h2>{words.costs.budgets.title}</h2>
      <form
        className="panel-grid"
        onSubmit={(event) => {
          event.preventDefault();
          if (!wrong) runOnce(save);
        }}
      >
        {fields.map((name) => (
          <label key={name}>
            {words.costs.budgets[name]}
            <span className="panel-unit">
              $
              <input
                className="field"
                inputMode="decimal"
                placeholder={words.costs.budgets.none}
                value={typed[name]}
                aria-invalid={Number.isNaN(wanted[name])}
                onChange={(event) => setTyped({ ...typed, [name]: event.target.value })}
              />
            </span>
          </label>
        ))}
        <button type="submit" className="button outlined" disabled={wrong || !changed} aria-disabled={isSaving}>
          {words.costs.budgets.set}
        </button>
      </form>
      <p className="panel-faint" role={wrong ? "alert" : undefined}>
        {wrong ? (day.doubt ?? session.doubt ?? words.costs.budgets.wrong) : words.costs.budgets.hint}
      </p>
    </section>
  );
}
