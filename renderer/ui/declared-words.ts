import type { PaletteForm } from "../../core/commands/command.ts";
import { spoken } from "./language.ts";

/** A palette form in another language. */
interface FormWords {
  readonly title: string;
  readonly submit: string;
  readonly fields: Readonly<Record<string, FieldWords>>;
}

interface FieldWords {
  readonly label: string;
  readonly help?: string;
  readonly choices?: Readonly<Record<string, string>>;
}

/** What the declarations of core/ say, by the names of commands and operations. English is in the declarations. */
interface DeclaredWords {
  readonly summaries: Readonly<Record<string, string>> | undefined;
  /** The forms of a command, in their order. */
  readonly forms: Readonly<Record<string, readonly FormWords[]>> | undefined;
}

const declared: DeclaredWords = { summaries: undefined, forms: undefined };

/** Returns the summary of a command or an operation in the language of the page. */
export function summaryOf(name: string, english: string): string {
  return declared.summaries?.[name] ?? english;
}

/** Returns a form of a command with its texts in the language of the page. */
export function localizedForm(method: string, form: PaletteForm, index: number): PaletteForm {
  const said = declared.forms?.[method]?.[index];
  if (said === undefined) return form;
  const fields = Object.entries(form.fields).map(([name, field]) => [
    name,
    field && { ...field, ...said.fields[name] },
  ]);
  return { ...form, title: said.title, submit: said.submit, fields: Object.fromEntries(fields) };
}

spoken(declared, {
  de: () => import("./declared-words.de.ts").then((german) => german.declared),
  ja: () => import("./declared-words.ja.ts").then((japanese) => japanese.declared),
});
