import { specs } from "../../../core/commands/specs.ts";
import type { SessionSnapshot } from "../view/session-host.ts";
import type { UiState } from "../view/ui-state.ts";
import type { Field, FormValues, MethodForm } from "./param-form.ts";
import { optionsOf } from "./param-options.ts";

/** A form with what its values are chosen from. */
interface Given {
  readonly fields: readonly Field[];
  readonly snapshot: SessionSnapshot;
}

interface Kept {
  readonly values: FormValues;
  /** The names of workspaces that were chosen: an index may be that of another one by then. */
  readonly names: FormValues;
}

const nothing: Kept = { values: {}, names: {} };

// Kept in memory until the page is closed: what was typed is not meant for later users of this browser.
const kept = new WeakMap<UiState, Map<string, Kept>>();

function nameOf({ method, form }: MethodForm): string {
  return `${method} ${form.title}`;
}

/** Keeps the values that a form was last run with, without those that may be secrets. */
export function rememberValues(ui: UiState, form: MethodForm, values: FormValues, given: Given): void {
  const sensitive: readonly string[] = specs[form.method].sensitive ?? [];
  const shown = Object.entries(values).filter(([name]) => !sensitive.includes(name));
  const names = given.fields.flatMap((field): readonly (readonly [string, string])[] => {
    const name = workspaceName(field, values[field.name], given.snapshot);
    return name === undefined ? [] : [[field.name, name]];
  });
  const forms = kept.get(ui) ?? new Map<string, Kept>();
  const now = { values: Object.fromEntries(shown), names: Object.fromEntries(names) };
  kept.set(ui, forms.set(nameOf(form), now));
}

/** Returns the values that a form was last run with, without those that can be chosen no longer; empty: none. */
export function lastValues(ui: UiState, form: MethodForm, { fields, snapshot }: Given): FormValues {
  const { values, names } = kept.get(ui)?.get(nameOf(form)) ?? nothing;
  const isLeft = (field: Field, value: string) =>
    optionsOf(field, snapshot)?.some((option) => option.value === value) !== false &&
    workspaceName(field, value, snapshot) === names[field.name];
  return Object.fromEntries(
    fields.flatMap((field): readonly (readonly [string, string])[] => {
      const value = values[field.name];
      return value !== undefined && (value === "" || isLeft(field, value)) ? [[field.name, value]] : [];
    }),
  );
}

/** Returns the name of the workspace that a field has as its value; undefined where it has none. */
function workspaceName(field: Field, value: string | undefined, { state }: SessionSnapshot): string | undefined {
  return field.kind === "pick" && field.from === "workspace" ? state.workspaces[Number(value)]?.name : undefined;
}
