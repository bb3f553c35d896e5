import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";

/** Placeholder of the nonce in built pages (renderer/vite.config.ts). */
const NONCE_PLACEHOLDER = "PATCHBAY_NONCE";

interface BuiltPageOptions {
  /** Where the page finds its assets, relative to its address. */
  readonly assets: string;
  /** The page frames web servers, in sandboxed tiles. */
  readonly framesWeb: boolean;
}

/** Reads a built page for browsers, with the headers that it is sent with. */
export async function builtPage(
  file: string,
  { assets, framesWeb }: BuiltPageOptions,
): Promise<{ readonly html: string; readonly headers: Readonly<Record<string, string>> }> {
  const page = await readFile(file, "utf8");
  const nonce = randomBytes(16).toString("base64");
  return {
    // The page was built for a folder beside that of its assets.
    html: page.replaceAll(NONCE_PLACEHOLDER, nonce).replaceAll("../assets/", assets),
    headers: {
      "Content-Security-Policy": policy(nonce, framesWeb ? "frame-src http: https:" : "frame-src 'none'"),
      "X-Content-Type-Options": "nosniff",
      // A page that opens this one in a tab has no hold on it.
      "Cross-Origin-Opener-Policy": "same-origin",
      "Referrer-Policy": "no-referrer",
      "Cache-Control": "no-store",
    },
  };
}

/**
 * Allows built assets and connections to this relay only. WebAssembly decodes the images of terminals
 * (docs/decisions/0034-terminals.md); it is compiled by the built scripts alone.
 */
function policy(nonce: string, frames: string): string {
  return [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    `style-src 'self' 'nonce-${nonce}'`,
    "font-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    frames,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
