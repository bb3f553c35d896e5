/** The languages that the interface has words in, as BCP 47 tags. */
export const languages = ["en", "de", "ja"] as const;
export type Language = (typeof languages)[number];

/** What a user chooses: a language, or that of the system. */
export type LanguageChoice = Language | "system";

/** In which language the interface speaks, and by which locale it formats numbers, dates and sums. */
export interface Speech {
  readonly language: Language;
  /** Undefined: that of the process. */
  readonly locale: string | undefined;
}

/** A form of a sentence; a function gets the count, formatted. */
type PluralForm = string | ((count: string) => string);

/** The forms of a sentence with a count, by the categories of CLDR that the language has. */
type PluralForms<Form> = Readonly<Partial<Record<Intl.LDMLPluralRule, Form>>> & { readonly other: Form };

/** The formats of a language and a locale, made when first used: they take 10 to 40 ms, which no start should wait for. */
class Formats {
  readonly locale: string | undefined;
  readonly #language: Language;
  #rules: Intl.PluralRules | undefined;
  #numbers: Intl.NumberFormat | undefined;
  #conjunctions: Intl.ListFormat | undefined;

  constructor({ language, locale }: Speech) {
    this.locale = locale;
    this.#language = language;
  }

  get rules(): Intl.PluralRules {
    this.#rules ??= new Intl.PluralRules(this.#language);
    return this.#rules;
  }

  get numbers(): Intl.NumberFormat {
    this.#numbers ??= new Intl.NumberFormat(this.locale);
    return this.#numbers;
  }

  get conjunctions(): Intl.ListFormat {
    this.#conjunctions ??= new Intl.ListFormat(this.#language, { type: "conjunction" });
    return this.#conjunctions;
  }
}

const english: Speech = { language: "en", locale: undefined };
let now = new Formats(english);

/**
 * Returns the speech for a choice. Formats follow the user's locale, unless the user has chosen another language than that
 * of the system: a sentence with a date in it is in one language.
 *
 * @param told the user's languages as BCP 47 tags, the first one first; what is none, such as `C`, is passed over
 */
export function speechFor(choice: LanguageChoice, told: readonly string[]): Speech {
  const preferred = told.filter(isLocale);
  const language = choice === "system" ? (preferred.map(languageOf).find((one) => one !== undefined) ?? "en") : choice;
  const own = preferred.find((tag) => languageOf(tag) === language);
  return { language, locale: own ?? (choice === "system" ? preferred[0] : language) };
}

/** Returns the language of a text, such as the value of a setting; undefined where the interface has no words in it. */
export function languageOf(tag: string): Language | undefined {
  const [base] = tag.toLowerCase().split(/[-_]/);
  return languages.find((one) => one === base);
}

function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0;
  } catch {
    return false;
  }
}

/** Sets the rules of plurals and lists, and the formats. The words themselves are put in place by `putWords`. */
export function setSpeech(speech: Speech): void {
  now = new Formats(speech);
}

/** Returns the locale by which numbers, dates and sums are formatted; undefined: that of the process. */
export function formatLocale(): string | undefined {
  return now.locale;
}

/** Returns the form of a sentence for a count: `1 shell`, `2 shells`. */
export function plural(count: number, forms: PluralForms<PluralForm>): string {
  const form = pluralForm(count, forms);
  return typeof form === "string" ? form : form(formatNumber(count));
}

/** Returns the form for a count, of whatever kind the forms are. */
export function pluralForm<Form>(count: number, forms: PluralForms<Form>): Form {
  return forms[now.rules.select(count)] ?? forms.other;
}

/** Formats a number in the user's locale. */
export function formatNumber(value: number): string {
  return now.numbers.format(value);
}

/** Lists names in a sentence: `Ann, Ben, and Kai`. */
export function listNames(names: readonly string[]): string {
  return now.conjunctions.format(names);
}

/** Copies words, so that they can be put back: groups are copied, texts and functions are what they are. */
export function copyWords(words: object): object {
  const copied = Object.entries(words).map(([key, value]) => [key, isGroup(value) ? copyWords(value) : value]);
  return Object.fromEntries(copied);
}

/** Puts the words of another language in the place of those of an area, whose groups keep their identity. */
export function putWords(area: object, words: object): void {
  for (const [key, value] of Object.entries(words)) {
    const group: unknown = Reflect.get(area, key);
    if (isGroup(group) && isGroup(value)) putWords(group, value);
    else Reflect.set(area, key, value);
  }
}

function isGroup(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
