/** Language of the interface's texts, a BCP 47 tag. Dates and numbers follow the user's locale instead. */
export const LANGUAGE = "en";

/** A form of a sentence; a function gets the count, formatted. */
type PluralForm = string | ((count: string) => string);

/** The forms of a sentence with a count, by the categories of CLDR that the language has. */
type PluralForms<Form> = Readonly<Partial<Record<Intl.LDMLPluralRule, Form>>> & { readonly other: Form };

const rules = new Intl.PluralRules(LANGUAGE);
const numbers = new Intl.NumberFormat();
const conjunctions = new Intl.ListFormat(LANGUAGE, { type: "conjunction" });

/** Returns the form of a sentence for a count: `1 shell`, `2 shells`. */
export function plural(count: number, forms: PluralForms<PluralForm>): string {
  const form = pluralForm(count, forms);
  return typeof form === "string" ? form : form(formatNumber(count));
}

/** Returns the form for a count, of whatever kind the forms are. */
export function pluralForm<Form>(count: number, forms: PluralForms<Form>): Form {
  return forms[rules.select(count)] ?? forms.other;
}

/** Formats a number in the user's locale. */
export function formatNumber(value: number): string {
  return numbers.format(value);
}

/** Lists names in a sentence: `Ann, Ben, and Kai`. */
export function listNames(names: readonly string[]): string {
  return conjunctions.format(names);
}
