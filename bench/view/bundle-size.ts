import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import type { BenchRow } from "../bench-row.ts";

const MOST_KB = 600;

/** Measures what a browser loads before the fonts, gzipped: the page, its scripts and its style sheets. */
export function bundleRow(page = resolve("dist/renderer/web/index.html")): BenchRow {
  const seen = new Set<string>();
  collect(page, seen);
  const bytes = [...seen].reduce((sum, file) => sum + gzipSync(readFileSync(file)).length, 0);
  const value = Math.round(bytes / 1000);
  return { name: "page, gzipped, before fonts", value, unit: "kB", goal: `under ${MOST_KB}`, ok: value < MOST_KB };
}

function collect(file: string, seen: Set<string>): void {
  if (seen.has(file)) return;
  seen.add(file);
  const content = readFileSync(file, "utf8");
  for (const [, path = ""] of content.matchAll(/["'`]((?:\.{1,2}\/|assets\/)[\w./-]+\.(?:js|css))["'`]/g)) {
    const from = path.startsWith("assets/") ? join(dirname(file), "..") : dirname(file);
    collect(join(from, path), seen);
  }
}
