import { useEffect, useState } from "react";
import { usePanel } from "./use-panel.ts";
import { words } from "./words/index.ts";

const fields = ["day", "session"] as const;

/** Budgets in US dollars; an empty field means no limit. */
export function BudgetForm() {
  const { content, call, showStatus } = usePanel();
  const { budgets } = content;
  const [typed, setTyped] = useState({ day: formatAmount(budgets.day), session: formatAmount(budgets.session) });
  // They may be set elsewhere, too.
  useEffect(() => setTyped((now) => ({ ...now, day: formatAmount(budgets.day) })), [budgets.day]);
  useEffect(() => setTyped((now) => ({ ...now, session: formatAmount(budgets.session) })), [budgets.session]);
  const wanted = { day: parseAmount(typed.day), session: parseAmount(typed.session) };
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
          if (!wrong) void save();
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
        <button type="submit" className="button outlined" disabled={wrong || !changed}>
          {words.costs.budgets.set}
        </button>
      </form>
      <p className="panel-faint" role={wrong ? "alert" : undefined}>
        {wrong ? words.costs.budgets.wrong : words.costs.budgets.hint}
      </p>
    </section>
  );
}

function formatAmount(usd: number | null): string {
  return usd === null ? "" : String(usd);
}

/** Parses an amount in US dollars; null if empty, NaN if invalid. */
function parseAmount(typed: string): number | null {
  if (typed.trim() === "") return null;
  const usd = Number(typed.trim().replace(",", "."));
  return usd > 0 && usd <= 1_000_000 ? usd : Number.NaN;
}
