import { formatLocale } from "../../core/phrases.ts";
import { words } from "./words/index.ts";

const MOST_DOLLARS = 1_000_000;

/** An amount in US dollars as a field has it. */
export interface TypedDollars {
  /** Null if the field is empty, NaN if it has no amount or one that can be read in two ways. */
  readonly usd: number | null;
  /** Says how to write an amount that can be read in two ways. */
  readonly doubt?: string;
}

/** Formats an amount for a field, in the user's locale and without separators of thousands; "" for none. */
export function fieldDollars(usd: number | null): string {
  if (usd === null) return "";
  return numbers({ useGrouping: false, minimumFractionDigits: Number.isInteger(usd) ? 0 : 2 }).format(usd);
}

/**
 * Reads an amount by the separators of the user's locale. The other one of point and comma is taken for a decimal
 * separator too, where it cannot be one of thousands. Three digits after one that is none of thousands can be meant
 * either way: 1.000 would be a thousandth of what was wanted.
 */
export function readDollars(typed: string): TypedDollars {
  const text = [...typed].filter((one) => one.trim() !== "" && !"’'".includes(one)).join("");
  if (text === "") return { usd: null };
  const { decimal, group } = separators();
  const other = decimal === "," ? "." : ",";
  const [integer = "", fraction, ...more] = text.split(decimal);
  const [first = "", ...groups] = integer.split(other);
  const [last = ""] = groups;
  if (more.length > 0) return { usd: Number.NaN };
  if (groups.length === 0) {
    return isThousands(first, [fraction ?? ""]) ? eitherWay(typed, first, fraction) : amount(first, fraction);
  }
  if (groups.length === 1 && fraction === undefined) {
    if (last.length < 3) return amount(first, last);
    if (other !== group && isThousands(first, groups)) return eitherWay(typed, first, last);
  }
  return isThousands(first, groups) ? amount(first + groups.join(""), fraction) : { usd: Number.NaN };
}

function amount(integer: string, fraction = ""): TypedDollars {
  const usd = Number(`${integer}.${fraction}`);
  return { usd: usd > 0 && usd <= MOST_DOLLARS ? usd : Number.NaN };
}

function eitherWay(typed: string, first: string, last = ""): TypedDollars {
  const [whole, part] = [Number(first + last), Number(`${first}.${last}`)].map(fieldDollars);
  return { usd: Number.NaN, doubt: words.costs.budgets.ambiguous(typed.trim(), whole ?? "", part ?? "") };
}

/** Reports whether groups of digits can be thousands, as in 1,000. */
function isThousands(first: string, groups: readonly string[]): boolean {
  const isStart = first !== "" && first.length <= 3 && !first.startsWith("0");
  return isStart && isDigits(first) && groups.every((one) => one.length === 3 && isDigits(one));
}

function isDigits(text: string): boolean {
  return [...text].every((one) => one >= "0" && one <= "9");
}

function separators(): { readonly decimal: string; readonly group: string | undefined } {
  const parts = numbers({}).formatToParts(1_234_567.8);
  const value = (type: "decimal" | "group") => parts.find((part) => part.type === type)?.value;
  return { decimal: value("decimal") ?? ".", group: value("group") };
}

function numbers(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  return new Intl.NumberFormat(formatLocale(), { maximumFractionDigits: 20, numberingSystem: "latn", ...options });
}
