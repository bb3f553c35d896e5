import { access } from "node:fs/promises";
import { extname, join } from "node:path";
import express, { type Request, type Router } from "express";

/** Seconds for which browsers keep an asset: its name changes with its content. */
const YEAR = 365 * 24 * 60 * 60;

/** The encodings that the build makes (tools/build.mjs), the smaller first, with the endings of their files. */
const ENCODINGS = [
  ["br", ".br"],
  ["gzip", ".gz"],
] as const;

/** Serves the built assets of pages, whose names contain a hash of their content: compressed, and kept by browsers for good. */
export function pageAssets(folder: string): Router {
  const router = express.Router({ caseSensitive: true });
  const kept = { maxAge: YEAR * 1000, immutable: true, cacheControl: true } as const;
  router.get("/:file", async (request, response, next) => {
    const { file } = request.params;
    response.vary("Accept-Encoding");
    const encoded = await encodedFile(folder, file, request);
    if (encoded === undefined) return next();
    response.type(extname(file));
    response.setHeader("Content-Encoding", encoded.encoding);
    response.sendFile(encoded.file, { root: folder, ...kept });
  });
  router.use(express.static(folder, { index: false, redirect: false, ...kept }));
  return router;
}

/** Returns the smallest form of an asset that the browser accepts; undefined for the asset itself. */
async function encodedFile(folder: string, file: string, request: Request) {
  // Names of built assets; anything else is for the static files to refuse.
  if (!/^[\w-][\w.-]*$/.test(file)) return undefined;
  for (const [encoding, ending] of ENCODINGS) {
    if (request.acceptsEncodings(encoding) !== encoding) continue;
    const exists = await access(join(folder, file + ending)).then(
      () => true,
      () => false,
    );
    if (exists) return { encoding, file: file + ending };
  }
  return undefined;
}
