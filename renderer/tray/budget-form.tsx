import { useState } from "react";
import { usePanel } from "./use-panel.ts";

const fields = [
  { name: "day", label: "A day, all sessions" },
  { name: "session", label: "Each session" },
] as const;

/** Budgets in US dollars; an empty field means no limit. */
export function BudgetForm() {
  const { content, call, showStatus } = usePanel();
  const { budgets } = content;
  const [typed, setTyped] = useState({ day: formatAmount(budgets.day), session: formatAmount(budgets.session) });
  const wanted = { day: parseAmount(typed.day), session: parseAmount(typed.session) };
  const wrong = Number.isNaN(wanted.day) || Number.isNaN(wanted.session);
  const changed = wanted.day !== budgets.day || wanted.session !== budgets.session;
  const save = async () => {
    // A refusal is on display already.
    if ((await call("setBudgets", wanted)) !== undefined) showStatus("Budgets saved.");
  };
  return (
    <section className="panel-section" aria-label="Budgets">
      <h2>Budgets</h2>
      <form
        className="panel-grid"
        onSubmit={(event) => {
          event.preventDefault();
          if (!wrong) void save();
        }}
      >
        {fields.map(({ name, label }) => (
          <label key={name}>
            {label}
            <span className="panel-unit">
              $
              <input
                className="field"
                inputMode="decimal"
                placeholder="none"
                value={typed[name]}
                aria-invalid={Number.isNaN(wanted[name])}
                onChange={(event) => setTyped({ ...typed, [name]: event.target.value })}
              />
            </span>
          </label>
        ))}
        <button type="submit" className="button outlined" disabled={wrong || !changed}>
          Set budgets
        </button>
      </form>
      <p className="panel-faint" role={wrong ? "alert" : undefined}>
        {wrong
          ? "Enter an amount above 0, or leave the field empty."
          : "You are notified once at 80% and once at 100%."}
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
