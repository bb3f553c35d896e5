import { useId } from "react";
import { useSnapshot } from "../view/view.ts";
import { words } from "../words/index.ts";
import type { Field } from "./param-form.ts";
import { optionsOf } from "./param-options.ts";

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
