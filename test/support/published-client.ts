import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { packClient } from "../../tools/package/pack-client.mjs";

/** Packs `@patchbay/client` into a new folder. */
export async function packPublishedClient(): Promise<{ readonly folder: string; readonly packed: string }> {
  const folder = mkdtempSync(join(tmpdir(), "patchbay-client-"));
  return { folder, packed: await packClient({ to: folder, signal: AbortSignal.timeout(120_000) }) };
}

/** Returns the programs of the package's README, exactly as they are printed. */
export function readmePrograms(): string[] {
  const text = readFileSync(resolve(import.meta.dirname, "../../tools/package/client/README.md"), "utf8");
  return [...text.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code = ""]) => code);
}
