import { withScheme } from "../../../core/protocol/web-address.ts";

/** Parses the input of an address bar as an http or https address; undefined if it is invalid. */
export function webAddress(typed: string): string | undefined {
  const text = typed.trim();
  if (text === "" || /\s/.test(text)) return undefined;
  const candidate = /^\d{1,5}(\/|$)/.test(text) ? `http://127.0.0.1:${text}` : withScheme(text);
  try {
    const url = new URL(candidate);
    return (url.protocol === "http:" || url.protocol === "https:") && url.hostname !== "" ? url.href : undefined;
  } catch {
    return undefined;
  }
}
