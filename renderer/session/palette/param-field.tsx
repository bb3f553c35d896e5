import { useId } from "react";
import { focusOf } from "../../../core/state/client-state.ts";
import type { SessionSnapshot } from "../view/session-host.ts";
import { shellInfo, tileInfo, workspaceTitle } from "../view/tile-info.ts";
import { useSnapshot } from "../view/view.ts";
import { words } from "../words/index.ts";
import type { Field } from "./param-form.ts";

interface Props {
  readonly field: Field;
  readonly value: string;
  readonly wrong: boolean;
  readonly first: boolean;
  set(value: string): void;
}

/** One parameter: its name, its description and the input control of its kind. */
export function ParamField({ field, value, wrong, first, set }: Props) {
  const id = useId();
  const help = `${id}-help`;
  const common = { id, "aria-describedby": help, "aria-invalid": wrong, autoFocus: first, className: "field" } as const;
  if (field.kind === "switch") {
    return (
      <label className="param switch" htmlFor={id}>
        <input
          {...common}
          className=""
          type="checkbox"
          checked={value === "true"}
          onChange={(event) => set(String(event.target.checked))}
        />
        <span>
          {field.label}
          <span id={help} className="help">
            {field.help}
          </span>
        </span>
      </label>
    );
  }
  return (
    <div className="param">
      <label htmlFor={id}>{field.label}</label>
      <Control field={field} value={value} set={set} common={common} />
      <span id={help} className="help">
        {field.help}
      </span>
    </div>
  );
}

function Control({
  field,
  value,
  set,
  common,
}: Pick<Props, "field" | "value" | "set"> & { common: { id: string; className: string; autoFocus: boolean } }) {
  const snapshot = useSnapshot();
  const options = optionsOf(field, snapshot);
  if (options !== undefined) {
    return (
      <select {...common} value={value} onChange={(event) => set(event.target.value)}>
        {(value === "" || !(field.required || field.kind === "choice")) && (
          <option value="">{field.required ? words.palette.choose : words.palette.default}</option>
        )}
        {options.map(({ value: option, label }) => (
          <option key={option} value={option}>
            {label}
          </option>
        ))}
      </select>
    );
  }
  if (field.kind === "number") {
    const { whole, min, max } = field;
    return (
      <input
        {...common}
        type="number"
        step={whole ? 1 : "any"}
        min={min}
        max={max}
        value={value}
        onChange={(event) => set(event.target.value)}
      />
    );
  }
  return <input {...common} spellCheck={false} value={value} onChange={(event) => set(event.target.value)} />;
}

interface Option {
  readonly value: string;
  readonly label: string;
}

function optionsOf(field: Field, snapshot: SessionSnapshot): readonly Option[] | undefined {
  if (field.kind === "choice") return field.choices;
  if (field.kind !== "pick") return undefined;
  const { state, mirror } = snapshot;
  switch (field.from) {
    case "tile":
    case "other-tile":
      return Object.values(state.tiles)
        .filter(({ key }) => field.from === "tile" || key !== focusOf(state))
        .map((tile) => {
          const { title, detail } = tileInfo(tile, snapshot);
          return { value: String(tile.key), label: describe(title, detail) };
        });
    case "shell":
      return (mirror?.shells ?? []).map(({ id }) => {
        const { name, detail } = shellInfo(id, snapshot);
        return { value: String(id), label: describe(name, detail) };
      });
    case "workspace":
      return state.workspaces.map(({ name }, index) => ({ value: String(index), label: workspaceTitle(name) }));
    case "plugin":
      return (mirror?.plugins ?? []).map(({ id, name }) => ({ value: id, label: name }));
  }
}

function describe(name: string, detail: string): string {
  return detail === "" ? name : `${name} · ${detail}`;
}
