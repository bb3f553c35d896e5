import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Request } from "express";
import { isRemote } from "../net/origin-guard.ts";
import { pageDocument, pageScriptSource, probeDocument, probeScriptSource } from "../plugins/page-script.ts";
import type { Plugins } from "../plugins/plugins.ts";
import type { Sessions } from "../session/sessions.ts";
import type { RouteTable } from "./route-table.ts";

type PageRequest = Request<{ session: string; plugin: string; sha256: string }>;

/**
 * `plugins/<id>/<sha256>/`: the page of a plugin, for a sandboxed frame. It takes no credential and lies outside the
 * guests' cookies' path; the address alone yields the bytes that were fetched from the plugin's site, and no bridge.
 *
 * The page stands in a frame of a frame: a page may navigate itself, and only the policy of the document around it
 * holds it where it is (`frame-src`). Both have an opaque origin, whatever frames them (`sandbox`).
 */
export function pluginPageRoutes({
  sessions,
  plugins,
  docsFolder,
}: {
  sessions: Sessions;
  plugins: Plugins;
  /** Folder of the built style sheet `fonts.css`; without it plugins have the system's fonts. */
  docsFolder: string;
}): (routes: RouteTable) => void {
  const at = "/v1/sessions/:session/plugins/:plugin/:sha256";
  const pageOf = ({ params }: PageRequest) =>
    plugins.page(sessions.get(params.session).id, params.plugin, params.sha256);
  let fonts: Promise<string> | undefined;
  return (router) => {
    router.get(`${at}/frame`, (request: PageRequest, response) => {
      pageOf(request);
      const policy = [
        "default-src 'none'",
        "style-src 'unsafe-inline'",
        `frame-src ${pageUrl(request)}`,
        "base-uri 'none'",
        "form-action 'none'",
        "sandbox allow-scripts",
        // The web view, and the app's own pages.
        "frame-ancestors 'self' app:",
      ];
      response.set(headers(policy)).type("html").send(FRAME);
    });
    router.get(`${at}/page`, async (request: PageRequest, response) => {
      const page = pageOf(request);
      fonts ??= readFile(join(docsFolder, "fonts.css"), "utf8").catch(() => "");
      const policy = [
        "default-src 'none'",
        `script-src ${pageScriptSource} 'unsafe-eval'`,
        "style-src 'unsafe-inline'",
        "img-src data: blob:",
        "font-src data:",
        "media-src data: blob:",
        "webrtc 'block'",
        "base-uri 'none'",
        "form-action 'none'",
        "sandbox allow-scripts",
      ];
      response
        .set(headers(policy))
        .type("html")
        .send(pageDocument(page, await fonts));
    });
    router.get(`${at}/probe`, (request: PageRequest, response) => {
      pageOf(request);
      const policy = [
        "default-src 'none'",
        `script-src ${probeScriptSource}`,
        `connect-src ${pageUrl(request)} ${pageUrl(request, "probe")}`,
        "sandbox allow-scripts",
        "frame-ancestors 'self'",
      ];
      response
        .set({ ...headers(policy), "Connection-Allowlist": `("${pageUrl(request, "probe")}")` })
        .type("html")
        .send(probeDocument);
    });
  };
}

/** Returns the URL of the page, or of what stands beside it, for a policy; the host was checked as a whole before. */
function pageUrl(request: PageRequest, name = "page"): string {
  return `${isRemote(request) ? "https" : "http"}://${request.headers.host ?? ""}${request.baseUrl}${request.path.slice(0, request.path.lastIndexOf("/") + 1)}${name}`;
}

function headers(policy: readonly string[]): Record<string, string> {
  return {
    "Content-Security-Policy": policy.join("; "),
    // Also closes WebRTC, and connections to an address that the page then may not open (Chromium 152 and later).
    "Connection-Allowlist": "(response-origin)",
    "X-Content-Type-Options": "nosniff",
    "X-DNS-Prefetch-Control": "off",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
  };
}

const FRAME = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Plugin</title>
<style>html, body { margin: 0; height: 100%; } iframe { display: block; width: 100%; height: 100%; border: 0; }</style>
<iframe title="Plugin" sandbox="allow-scripts" allow="" referrerpolicy="no-referrer" src="page"></iframe>
</html>
`;
