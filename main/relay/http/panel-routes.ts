import { join } from "node:path";
import express, { type Router } from "express";
import { builtPage } from "./built-page.ts";

/**
 * `/panel`: the owner's panel in a browser. The page contains no data: it reads everything by the operations, with the API
 * key that the browser keeps or the user gives. It shares the assets of the session's page.
 */
export function panelRoutes(pagesFolder: string): Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  router.get("/", async (request, response) => {
    const assets = request.originalUrl.split("?")[0]?.endsWith("/") ? "../s/assets/" : "./s/assets/";
    const { html, headers } = await builtPage(join(pagesFolder, "tray", "index.html"), { assets, framesWeb: false });
    response.set(headers).type("html").send(html);
  });
  return router;
}
