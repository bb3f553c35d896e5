import { createElement, Fragment, type ReactElement } from "react";

/** Splits a sentence at its backticks: every second part is code. A backtick without its partner stays. */
export function codeParts(text: string): readonly string[] {
  const parts = text.split("`");
  return parts.length % 2 === 1 ? parts : [...parts.slice(0, -2), parts.slice(-2).join("`")];
}

/** A sentence of the app in which backticks mark what is typed, as on the command line. */
export function CodeText({ text }: { readonly text: string }): ReactElement {
  const parts = codeParts(text).map((part, index) => (index % 2 === 1 ? createElement("code", null, part) : part));
  return createElement(Fragment, null, ...parts);
}
