import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { Request, Response } from "express";
import { queryOf } from "../http/query.ts";
import type { RouteTable } from "../http/route-table.ts";
import { sendJson } from "../net/send.ts";
import { openApiDocument } from "./openapi.ts";

/** The viewer may run its own script and style itself; it may reach nothing but this relay. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

interface DocsRoutesOptions {
  readonly version: string;
  /** Folder of the bundled viewer: `viewer.js.gz` and `viewer.css.gz`. */
  readonly viewerFolder: string;
}

/** `/v1/openapi.json` and a readable page of it at `/v1/docs`. Neither holds anything of a session. */
export function docsRoutes({ version, viewerFolder }: DocsRoutesOptions): (routes: RouteTable) => void {
  return (routes) => {
    routes.get("/v1/openapi.json", (request: Request, response: Response) => {
      queryOf(request);
      const url = `http://${request.headers.host}${request.baseUrl}`;
      sendJson(response, openApiDocument({ url, version }));
    });
    routes.get("/v1/docs", (_request: Request, response: Response) => {
      response.set({ "Content-Security-Policy": POLICY, "X-Content-Type-Options": "nosniff" });
      response.type("html").send(PAGE);
    });
    routes.get("/v1/docs/start.js", (_request: Request, response: Response) => {
      response.type("js").send(START);
    });
    for (const file of ["viewer.js", "viewer.css"]) {
      routes.get(`/v1/docs/${file}`, (request: Request, response: Response) =>
        sendCompressed(file, viewerFolder, request, response),
      );
    }
    routes.get("/v1/health", (request: Request, response: Response) => {
      queryOf(request);
      sendJson(response, { ok: true, version });
    });
  };
}

/** Sends a file that is stored as `name`.gz, decompressed for a client that does not accept gzip. */
async function sendCompressed(name: string, root: string, request: Request, response: Response): Promise<void> {
  const file = `${name}.gz`;
  response.type(extname(name)).vary("Accept-Encoding");
  if (request.acceptsEncodings("gzip") === "gzip") response.set("Content-Encoding", "gzip").sendFile(file, { root });
  else response.send(await promisify(gunzip)(await readFile(join(root, file))));
}

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Patchbay API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/viewer.css">
<script src="docs/viewer.js" defer></script>
<script src="docs/start.js" defer></script>
</head>
<body><div id="viewer"></div></body>
</html>
`;

const START = `SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#viewer",
  deepLinking: true,
  validatorUrl: null,
  docExpansion: "none",
  defaultModelsExpandDepth: 0,
});
`;
