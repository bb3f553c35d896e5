import type { Terminal } from "@xterm/xterm";
import { isObject, memberOf } from "../../../core/xterm-members.ts";

/** Keys that do not end a composition: Shift, Ctrl, Alt, Caps Lock, and those that the input method takes. */
const COMPOSING_KEYS = new Set(["Shift", "Control", "Alt", "CapsLock", "Process"]);
const OF_INPUT_METHOD = 229;

/**
 * Keeps the text of an input method whole on a page that is busy. xterm.js sends what was composed a moment later, and by
 * the places that it had in the field then. A key that comes before that makes it send at once: what it has noted last, which
 * is not the text of several compositions, and may be none of it. Call it after `open`.
 */
export function keepCompositions(terminal: Terminal): void {
  const { element, textarea } = terminal;
  const helper = memberOf(memberOf(terminal, "_core"), "_compositionHelper");
  const place = memberOf(helper, "_compositionPosition");
  if (element === undefined || textarea === undefined || !isObject(place)) return;
  const isUnsent = () => memberOf(helper, "_isSendingComposition") === true;
  /** Where the first composition begins that is not sent, if it is not the last one. */
  let from: unknown;
  const listen = <K extends "compositionstart" | "compositionend" | "keydown">(
    type: K,
    listener: (event: HTMLElementEventMap[K]) => void,
  ) => element.addEventListener(type, listener, { capture: true });
  listen("compositionstart", () => {
    from = isUnsent() ? (from ?? place.start) : undefined;
  });
  listen("compositionend", () => {
    if (!isUnsent()) from = undefined;
  });
  listen("keydown", ({ key, keyCode }) => {
    if (COMPOSING_KEYS.has(key) || keyCode === OF_INPUT_METHOD) return;
    place.end = textarea.value.length;
    if (isUnsent() && from !== undefined) place.start = from;
  });
}
