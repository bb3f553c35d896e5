import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { protocol } from "electron";
import { APP_SCHEME, fileOfAppUrl } from "../ipc/app-url.ts";
import { contentPolicy, NONCE_PLACEHOLDER, SESSION_PAGE } from "./content-policy.ts";

const mimeTypes: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".woff2": "font/woff2",
  ".svg": "image/svg+xml",
  ".png": "image/png",
};

/** Declares the scheme of the app's own pages. Electron accepts this only before its `ready`. */
export function declareAppScheme(): void {
  protocol.registerSchemesAsPrivileged([{ scheme: APP_SCHEME, privileges: { standard: true, secure: true } }]);
}

/** Serves the built pages in `folder` under the app's scheme. Returns a function that stops serving. */
export function serveAppScheme(folder: string): () => void {
  const sessionPage = path.resolve(folder, SESSION_PAGE);
  protocol.handle(APP_SCHEME, ({ url }) => answer(fileOfAppUrl(url, path.resolve(folder)), sessionPage));
  return () => protocol.unhandle(APP_SCHEME);
}

async function answer(file: string | undefined, sessionPage: string): Promise<Response> {
  const type = mimeTypes[path.extname(file ?? "")];
  if (file === undefined || type === undefined) return new Response("Not found.", { status: 404 });
  const headers: Record<string, string> = { "content-type": type, "x-content-type-options": "nosniff" };
  try {
    const content = await readFile(file);
    if (!file.endsWith(".html")) return new Response(new Uint8Array(content), { headers });
    const nonce = randomBytes(16).toString("base64");
    headers["content-security-policy"] = contentPolicy(nonce, { tiles: file === sessionPage });
    return new Response(content.toString("utf8").replaceAll(NONCE_PLACEHOLDER, nonce), { headers });
  } catch {
    return new Response("Not found.", { status: 404 });
  }
}
