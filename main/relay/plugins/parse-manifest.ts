import { Manifest } from "../../../core/operations/manifest.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import { parseParams } from "../../../core/protocol/parse-params.ts";

/** Reads the bytes of a manifest. Throws `invalid_params` with the path of the first field that is wrong. */
export function parseManifest(bytes: Uint8Array): Manifest {
  const value = readJson(bytes);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new RemoteError("invalid_params", "manifest: expected a JSON object in UTF-8.");
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
