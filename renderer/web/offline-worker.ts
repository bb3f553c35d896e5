/**
 * Service worker of the session pages. It says that the relay cannot be reached where the browser would show an error of
 * its own, and does nothing else: it answers navigations only, and stores nothing.
 */
const STYLE = `
  :root { color-scheme: light dark; --bg: light-dark(#f4f3f0, #0f1113); --text: light-dark(#1d2023, #e6e8ea);
    --muted: light-dark(#565d64, #98a1aa); --mark: light-dark(#955008, #f0a24a) }
  body { margin: 0; background: var(--bg); color: var(--muted); font: 15px/22px system-ui, sans-serif }
  main { display: flex; flex-direction: column; justify-content: center; max-width: 440px; min-height: 84vh;
    margin: 0 auto; padding: 0 24px }
  svg { width: 28px; color: var(--mark) }
  h1 { margin: 24px 0 8px; color: var(--text); font-size: 20px; line-height: 28px }
  a { align-self: start; margin-top: 20px; padding: 8px 16px; border-radius: 6px; background: var(--text); color: var(--bg);
    text-decoration: none }`;

const MARK = `<svg viewBox="0 0 20 20" fill="none" stroke="currentColor" stroke-width="1.8" aria-hidden="true">
  <circle cx="15" cy="5" r="2.2" opacity=".55"/><circle cx="5" cy="15" r="2.2" opacity=".55"/><circle cx="5" cy="5" r="2.2"/>
  <circle cx="15" cy="15" r="2.2"/><path d="M5 7.2C5 12.5 15 7.5 15 12.8" stroke-linecap="round"/></svg>`;

/** Seconds after which the page tries again by itself. */
const RETRY_SECONDS = 15;

/** The texts of the page. They stand here, since a classic worker imports nothing. */
const PAGE_WORDS = {
  en: {
    title: "The relay cannot be reached",
    hint: `Check that Patchbay runs on its machine and that this device is in the same network.
        The page tries again every ${RETRY_SECONDS} seconds.`,
    again: "Try again",
  },
  de: {
    title: "Das Relay ist nicht erreichbar",
    hint: `Prüfen, ob Patchbay auf seinem Rechner läuft und dieses Gerät im selben Netzwerk ist.
        Die Seite versucht es alle ${RETRY_SECONDS} Sekunden erneut.`,
    again: "Erneut versuchen",
  },
  ja: {
    title: "リレーに接続できません",
    hint: `Patchbayがそのマシンで動いていることと、このデバイスが同じネットワークにあることを確認してください。
        ${RETRY_SECONDS}秒ごとに再試行します。`,
    again: "再試行",
  },
} as const;

type PageLanguage = keyof typeof PAGE_WORDS;

/** Returns the browser's first language that the page has words in; a worker cannot read the user's choice. */
function pageLanguage(): PageLanguage {
  const known = Object.keys(PAGE_WORDS) as PageLanguage[];
  const bases = navigator.languages.map((tag) => tag.split("-")[0]);
  return bases.flatMap((base) => known.find((one) => one === base) ?? [])[0] ?? "en";
}

interface NavigationEvent extends Event {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}

addEventListener("fetch", (event) => {
  if (!isRequest(event) || event.request.mode !== "navigate") return;
  event.respondWith(fetch(event.request).catch(offlinePage));
});

function isRequest(event: Event): event is NavigationEvent {
  return "request" in event && "respondWith" in event;
}

function offlinePage(): Response {
  const nonce = crypto.randomUUID();
  const language = pageLanguage();
  const words = PAGE_WORDS[language];
  const page = `<!doctype html>
<html lang="${language}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta http-equiv="refresh" content="${RETRY_SECONDS}">
    <title>Patchbay</title>
    <style nonce="${nonce}">${STYLE}</style>
  </head>
  <body>
    <main>
      ${MARK}
      <h1>${words.title}</h1>
      <div>${words.hint}</div>
      <a href="">${words.again}</a>
    </main>
  </body>
</html>`;
  const headers = {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; frame-ancestors 'none'`,
    "Cache-Control": "no-store",
  };
  return new Response(page, { status: 503, headers });
}
