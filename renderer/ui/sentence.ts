import { createElement, Fragment, isValidElement, type ReactNode } from "react";

/** The names in the braces of a text. */
export type SlotsOf<Text extends string> = Text extends `${string}{${infer Slot}}${infer Rest}`
  ? Slot | SlotsOf<Rest>
  : never;

/** A sentence that is filled with elements. */
type Sentence<Slot extends string> = (slots: Readonly<Record<Slot, ReactNode>>) => ReactNode;

/**
 * Declares a whole sentence in which elements stand, so that another language can put them in another order.
 *
 * @param text names each element in braces: `{name} asks for a key.`
 * @returns a function that puts the elements into the sentence
 */
export function sentence<const Text extends string>(text: Text): Sentence<SlotsOf<Text>> {
  // Every second part is a name.
  const parts = text.split(/\{(\w+)\}/);
  return (slots) => {
    const filled: Readonly<Record<string, ReactNode>> = slots;
    return createElement(Fragment, null, ...parts.map((part, index) => (index % 2 === 1 ? filled[part] : part)));
  };
}

/** Returns the text of a sentence, without its elements. */
export function plainText(node: ReactNode): string {
  if (typeof node === "string" || typeof node === "number") return String(node);
  if (Array.isArray(node)) return node.map(plainText).join("");
  return isValidElement<{ readonly children?: ReactNode }>(node) ? plainText(node.props.children) : "";
}
