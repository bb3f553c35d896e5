import { readFile } from "node:fs/promises";
import { join } from "node:path";
import express, { type Router } from "express";

/** Session ids; anything else is not written into a page. */
const SESSION = /^[\w-]{1,64}$/;
const ICONS = [
  { file: "256.png", size: 256, purpose: "any" },
  { file: "512.png", size: 512, purpose: "any" },
  { file: "maskable-512.png", size: 512, purpose: "maskable" },
] as const;
const ICON_DAYS = 7;

/** Colours of the page's background (renderer/ui/tokens.css). */
const BACKGROUND = "#0f1113";

/**
 * What makes an app of a session's page on a phone: manifest, icons, and the service worker that says that the relay cannot
 * be reached. None of it holds data of a session, so all of it is served to every browser.
 */
export function installedPage(pagesFolder: string): Router {
  const router = express.Router({ caseSensitive: true });
  router.get("/:session/manifest.webmanifest", (request, response, next) => {
    const { session } = request.params;
    if (!SESSION.test(session)) return next();
    const page = `${request.baseUrl}/${session}`;
    response.type("application/manifest+json").set("Cache-Control", "no-cache");
    response.send(
      JSON.stringify({
        id: page,
        name: "Patchbay",
        short_name: "Patchbay",
        description: "A live terminal session",
        start_url: page,
        scope: page,
        display: "standalone",
        background_color: BACKGROUND,
        theme_color: BACKGROUND,
        icons: ICONS.map(({ file, size, purpose }) => ({
          src: `${request.baseUrl}/icons/${file}`,
          sizes: `${size}x${size}`,
          type: "image/png",
          purpose,
        })),
      }),
    );
  });
  router.get("/worker.js", async (_request, response) => {
    const script = await readFile(join(pagesFolder, "web", "offline-worker.js"), "utf8");
    response.set({
      "Content-Security-Policy": "default-src 'none'; connect-src 'self'",
      "X-Content-Type-Options": "nosniff",
      "Cache-Control": "no-cache",
    });
    response.type("js").send(script);
  });
  const maxAge = ICON_DAYS * 24 * 60 * 60 * 1000;
  router.use("/icons", express.static(join(pagesFolder, "icons"), { index: false, redirect: false, maxAge }));
  return router;
}

/** Returns a session's page with the links to its manifest and icon. */
export function withManifest(page: string, session: string): string {
  if (!SESSION.test(session)) return page;
  const links = `<link rel="manifest" href="./${session}/manifest.webmanifest" /><link rel="apple-touch-icon" href="./icons/256.png" />`;
  return page.replace("</head>", `${links}</head>`);
}
