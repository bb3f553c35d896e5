import { useState } from "react";
import type { OperationInput } from "../../core/operations/index.ts";

const lifetimes = [
  { days: null, label: "until revoked" },
  { days: 1, label: "1 day" },
  { days: 30, label: "30 days" },
  { days: 365, label: "1 year" },
] as const;

const DAY_SECONDS = 86_400;

interface Props {
  /** Resolves after the attempt, successful or not. */
  create(wanted: OperationInput<"createKey">): Promise<unknown>;
  close(): void;
}

/** Form for a new key: name, permissions and lifetime. */
export function KeyForm({ create, close }: Props) {
  const [name, setName] = useState("");
  const [readOnly, setReadOnly] = useState(false);
  const [days, setDays] = useState<number | null>(null);
  const wanted = (): OperationInput<"createKey"> => ({
    name: name.trim(),
    ...(readOnly ? { restrictions: { readOnly } } : {}),
    ...(days === null ? {} : { ttl: days * DAY_SECONDS }),
  });
  return (
    <form
      className="panel-card"
      aria-label="New key"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== "") void create(wanted()).then(close);
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        close();
      }}
    >
      <input
        // biome-ignore lint/a11y/noAutofocus: the user opened the form to type here.
        autoFocus
        className="field"
        aria-label="Name of the new key"
        placeholder="Name of the new key"
        value={name}
        maxLength={100}
        onChange={(event) => setName(event.target.value)}
      />
      <div className="panel-grid">
        <label>
          It may
          <select
            className="field"
            value={readOnly ? "read" : "all"}
            onChange={(event) => setReadOnly(event.target.value === "read")}
          >
            <option value="all">do all that you may</option>
            <option value="read">only read</option>
          </select>
        </label>
        <label>
          It is good
          <select
            className="field"
            value={String(days)}
            onChange={(event) =>
              setDays(lifetimes.find((life) => String(life.days) === event.target.value)?.days ?? null)
            }
          >
            {lifetimes.map((life) => (
              <option key={life.label} value={String(life.days)}>
                {life.label}
              </option>
            ))}
          </select>
        </label>
      </div>
      <div className="panel-actions">
        <button type="submit" className="button primary" disabled={name.trim() === ""}>
          Create
        </button>
        <button type="button" className="button quiet" onClick={close}>
          Cancel
        </button>
      </div>
    </form>
  );
}
