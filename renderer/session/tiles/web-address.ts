/** What was typed into an address bar as an http or https address; undefined when it is none. */
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

/** Local addresses speak http, all others https. `name:port` is no scheme. */
function withScheme(text: string): string {
  if (/^[a-z][a-z0-9+.-]*:(?!\d)/i.test(text)) return text;
  const local = /^(localhost|127\.|0\.0\.0\.0|\[::1\]|192\.168\.|10\.)/i.test(text);
  return `${local ? "http" : "https"}://${text}`;
}
