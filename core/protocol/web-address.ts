/** An address with its scheme: local ones speak http, all others https. `name:port` is no scheme. */
export function withScheme(text: string): string {
  if (/^[a-z][a-z0-9+.-]*:(?!\d)/i.test(text)) return text;
  const local = /^(localhost|127\.|0\.0\.0\.0|\[::1\]|192\.168\.|10\.)/i.test(text);
  return `${local ? "http" : "https"}://${text}`;
}
