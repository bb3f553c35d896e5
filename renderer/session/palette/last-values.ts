import { specs } from "../../../core/commands/specs.ts";
import type { SessionSnapshot } from "../view/session-host.ts";
import type { UiState } from "../view/ui-state.ts";
import type { Field, FormValues, MethodForm } from "./param-form.ts";
import { optionsOf } from "./param-options.ts";

// Kept in memory until the page is closed: what was typed is not meant for later users of this browser.
const kept = new WeakMap<UiState, Map<string, FormValues>>();

function nameOf({ method, form }: MethodForm): string {
  return `${method} ${form.title}`;
}

/** Keeps the values that a form was last run with, without those that may be secrets. */
export function rememberValues(ui: UiState, form: MethodForm, values: FormValues): void {
  const sensitive: readonly string[] = specs[form.method].sensitive ?? [];
  const shown = Object.entries(values).filter(([name]) => !sensitive.includes(name));
  const forms = kept.get(ui) ?? new Map<string, FormValues>();
  kept.set(ui, forms.set(nameOf(form), Object.fromEntries(shown)));
}

/** Returns the values that a form was last run with, without those that can be chosen no longer; empty: none. */
export function lastValues(
  ui: UiState,
  form: MethodForm,
  { fields, snapshot }: { readonly fields: readonly Field[]; readonly snapshot: SessionSnapshot },
): FormValues {
  const last: FormValues = kept.get(ui)?.get(nameOf(form)) ?? {};
  const isLeft = (field: Field, value: string) =>
    optionsOf(field, snapshot)?.some((option) => option.value === value) !== false;
  return Object.fromEntries(
    fields.flatMap((field): readonly (readonly [string, string])[] => {
      const value = last[field.name];
      return value !== undefined && (value === "" || isLeft(field, value)) ? [[field.name, value]] : [];
    }),
  );
}
