import { RemoteError } from "../../../core/protocol/errors.ts";
import { parseManifest } from "../../../main/relay/plugins/parse-manifest.ts";

export const seeds = [
  Buffer.from(
    '{"id":"build-light","name":"Build","version":"1.0.0","entry":"index.html","permissions":["getTiles"],"events":["build.done"],"icon":"i.svg"}',
  ),
];

/** A plugin's manifest: it is accepted or refused with a sentence. */
export function fuzz(data: Buffer): void {
  try {
    parseManifest(data);
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error;
  }
}
