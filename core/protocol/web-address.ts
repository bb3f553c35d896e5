/** Adds a missing scheme: http for local addresses, https for all others. `name:port` has no scheme. */
export function withScheme(text: string): string {
  if (/^[a-z][a-z0-9+.-]*:(?!\d)/i.test(text)) return text;
  const local = /^(localhost|127\.|0\.0\.0\.0|\[::1\]|192\.168\.|10\.)/i.test(text);
  return `${local ? "http" : "https"}://${text}`;
}
