import { RemoteError } from "../../../core/protocol/errors.ts";
import { MAX_COMMAND_TIMEOUT_MS } from "../../../core/protocol/limits.ts";

const DECIMAL = /^(\d{1,9}(\.\d*)?|\.\d+)$/;

/**
 * Parses the header `X-Service-Timeout`: decimal seconds up to 60; absent for the relay's own timeout. Returns
 * milliseconds. @throws RemoteError `invalid_params`
 */
export function parseTimeout(given: string | readonly string[] | undefined, usual: number): number {
  if (given === undefined) return usual;
  const ms = typeof given === "string" && DECIMAL.test(given) ? Number(given) * 1000 : 0;
  if (ms > 0 && ms <= MAX_COMMAND_TIMEOUT_MS) return ms;
  const most = MAX_COMMAND_TIMEOUT_MS / 1000;
  throw new RemoteError(
    "invalid_params",
    `X-Service-Timeout: expected seconds, above 0 and up to ${most}, got ${JSON.stringify(given)}.`,
  );
}

/** Returns an `Idempotency-Key` that is one. @throws RemoteError `invalid_params` */
export function checkIdempotencyKey(key: string): string {
  if (key.length > 0 && key.length <= 255) return key;
  throw new RemoteError("invalid_params", "Idempotency-Key: expected 1 to 255 characters.");
}
