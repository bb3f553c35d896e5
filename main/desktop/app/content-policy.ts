/** The word that the build leaves in every page in place of its nonce (renderer/vite.config.ts). */
export const NONCE_PLACEHOLDER = "PATCHBAY_NONCE";

/** The page with terminals. Their images are decoded in WebAssembly (docs/decisions/0034-terminals.md). */
export const SESSION_PAGE = "window/index.html";

/**
 * The policy of the app's own pages: only what was built with them, no inline script, no eval, no network. Styles have a
 * nonce because xterm.js writes style elements for its theme and its scroll bar. Frames show the user's own web
 * servers (tunnel and browser tiles); they are sandboxed and reach nothing of the app.
 *
 * @param wasm whether the page's own scripts may compile WebAssembly
 */
export function contentPolicy(nonce: string, { wasm }: { readonly wasm: boolean }): string {
  return [
    "default-src 'none'",
    wasm ? "script-src 'self' 'wasm-unsafe-eval'" : "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "font-src 'self'",
    "img-src 'self' data:",
    "frame-src http: https:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
