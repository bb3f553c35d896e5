import { Manifest, MOST_IN_LIST } from "../../../core/operations/manifest.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import { parseParams } from "../../../core/protocol/parse-params.ts";

/** Reads the bytes of a manifest. Throws `invalid_params` with the path of the first field that is wrong. */
export function parseManifest(bytes: Uint8Array): Manifest {
  const value = readJson(bytes);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new RemoteError("invalid_params", "manifest: expected a JSON object in UTF-8.");
  }
  for (const [name, list] of Object.entries(value)) {
    // Before each is looked at: the names of methods are searched for what a misspelt one may mean.
    if (!Array.isArray(list) || list.length <= MOST_IN_LIST) continue;
    throw new RemoteError(
      "invalid_params",
      `manifest.${name.slice(0, 60)}: expected at most ${MOST_IN_LIST} of them, got ${list.length}.`,
    );
  }
  return parseParams(Manifest, value, "manifest");
}

function readJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
