/** The word that the build leaves in every page in place of its nonce (renderer/vite.config.ts). */
export const NONCE_PLACEHOLDER = "PATCHBAY_NONCE";

/** The page with terminals and tiles. */
export const SESSION_PAGE = "window/index.html";

/**
 * The policy of the app's own pages: only what was built with them, no inline script, no eval, no network. Styles have a
 * nonce because xterm.js writes style elements for its theme and its scroll bar.
 *
 * @param tiles whether the page shows tiles. Its scripts may then compile WebAssembly, which decodes the images of
 *   terminals (docs/decisions/0034-terminals.md), and it may have frames for the user's own web servers (tunnel and
 *   browser tiles); these are sandboxed and reach nothing of the app. Chromium counts a link that prefetches as allowed
 *   where any directive allows its address, so markup in that page could reach the network by one.
 */
export function contentPolicy(nonce: string, { tiles }: { readonly tiles: boolean }): string {
  return [
    "default-src 'none'",
    tiles ? "script-src 'self' 'wasm-unsafe-eval'" : "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "font-src 'self'",
    "img-src 'self' data:",
    ...(tiles ? ["frame-src http: https:"] : []),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
