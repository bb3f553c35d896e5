import { RemoteError } from "../../../core/protocol/errors.ts";
import { QUOTED_OUTPUT } from "../../../core/protocol/shell-host.ts";
import { withoutSecretsIn } from "../../system/hide-in-value.ts";
import { hideSecretsInCut } from "../../system/redact-part.ts";
import type { Permit } from "../access/permits/permit.ts";

/**
 * Runs a call, and hides the secrets in its answer, or in its refusal, from a caller whose permit says so. What reads a
 * part of a longer text hides those at the part's borders itself.
 */
export function hidingSecrets<T>(permit: Permit | undefined, run: () => T | Promise<T>): T | Promise<T> {
  return permit?.hidesSecrets === true ? hidden(run) : run();
}

async function hidden<T>(run: () => T | Promise<T>): Promise<T> {
  try {
    return await withoutSecretsIn(await run(), hideSecretsInCut);
  } catch (error) {
    throw error instanceof RemoteError ? withoutOutput(error) : error;
  }
}

/** Returns an error without the output that it quotes, which may begin within a secret. */
function withoutOutput(error: RemoteError): RemoteError {
  const { code, message, hit } = error;
  const quoted = message.indexOf(QUOTED_OUTPUT);
  const told = quoted < 0 ? message : `${message.slice(0, quoted)}.`;
  return new RemoteError(code, hideSecretsInCut(told), { cause: error, hit });
}
