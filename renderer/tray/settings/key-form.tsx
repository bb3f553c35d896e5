import { useState } from "react";
import type { OperationInput } from "../../../core/operations/index.ts";
import { firstCharacters } from "../../../core/protocol/first-characters.ts";
import type { KeyRestrictions } from "../../../core/protocol/key-restrictions.ts";
import { useIsShown } from "../../ui/use-is-shown.ts";
import { words } from "../words/index.ts";

const lifetimes = [
  { days: null, name: "revoked" },
  { days: 1, name: "day" },
  { days: 30, name: "month" },
  { days: 365, name: "year" },
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
  const [isBusy, setBusy] = useState(false);
  const isReady = !isBusy && name.trim() !== "";
  const isShown = useIsShown();
  const [readOnly, setReadOnly] = useState(false);
  const [secrets, setSecrets] = useState<KeyRestrictions["secrets"]>(undefined);
  const [days, setDays] = useState<number | null>(null);
  const wanted = (): OperationInput<"createKey"> => {
    const restrictions: KeyRestrictions = {
      ...(readOnly ? { readOnly } : {}),
      ...(secrets === undefined ? {} : { secrets }),
    };
    return {
      name: name.trim(),
      ...(Object.keys(restrictions).length === 0 ? {} : { restrictions }),
      ...(days === null ? {} : { ttl: days * DAY_SECONDS }),
    };
  };
  return (
    <form
      className="panel-card"
      aria-label={words.keys.newKey}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isReady) return;
        setBusy(true);
        // A form that was opened after this one was left stays.
        void create(wanted()).then(() => isShown.current && close());
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.nativeEvent.isComposing) return;
        event.preventDefault();
        close();
      }}
    >
      <input
        // biome-ignore lint/a11y/noAutofocus: the user opened the form to type here.
        autoFocus
        className="field"
        aria-label={words.keys.name}
        placeholder={words.keys.name}
        value={name}
        onChange={(event) => setName(firstCharacters(event.target.value, 100))}
      />
      <div className="panel-grid">
        <label>
          {words.keys.mayLabel}
          <select
            className="field"
            value={readOnly ? "read" : "all"}
            onChange={(event) => setReadOnly(event.target.value === "read")}
          >
            <option value="all">{words.keys.mayAll}</option>
            <option value="read">{words.keys.mayRead}</option>
          </select>
        </label>
        <label>
          {words.keys.secretsLabel}
          <select
            className="field"
            value={secrets ?? "keep"}
            onChange={(event) => setSecrets(event.target.value === "hide" ? "hide" : undefined)}
          >
            <option value="keep">{words.keys.secretsShown}</option>
            <option value="hide">{words.keys.secretsHidden}</option>
          </select>
        </label>
        <label>
          {words.keys.goodLabel}
          <select
            className="field"
            value={String(days)}
            onChange={(event) =>
              setDays(lifetimes.find((life) => String(life.days) === event.target.value)?.days ?? null)
            }
          >
            {lifetimes.map((life) => (
              <option key={life.name} value={String(life.days)}>
                {words.keys.lifetimes[life.name]}
              </option>
            ))}
          </select>
        </label>
      </div>
      <div className="panel-actions">
        <button type="submit" className="button primary" disabled={!isReady}>
          {words.keys.create}
        </button>
        <button type="button" className="button quiet" onClick={close}>
          {words.keys.cancel}
        </button>
      </div>
    </form>
  );
}
