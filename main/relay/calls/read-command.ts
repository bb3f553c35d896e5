import { z } from "zod";
import { RemoteError } from "../../../core/protocol/errors.ts";
import { isRecord } from "../../../core/protocol/json-value.ts";
import { MAX_COMMAND_TIMEOUT_MS } from "../../../core/protocol/limits.ts";
import { parseParams } from "../../../core/protocol/parse-params.ts";
import type { CallOptions } from "./calls.ts";

const CommandBody = z.object({
  method: z.string().min(1),
  params: z.custom<object>(isRecord, { error: "expected an object, empty when there are none" }),
  target_client_id: z.union([z.int().min(0), z.literal("all")]).optional(),
  source_shell_id: z.int().min(0).optional(),
});

type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

interface ReadCommand {
  readonly method: string;
  readonly params: object;
  readonly options: Pick<CallOptions, "client" | "source" | "timeoutMs" | "idempotency">;
}

/**
 * Reads the body and the headers of `POST remote/command`. @throws RemoteError `invalid_params`
 *
 * @param usualMs timeout of a call whose headers name none
 */
export function readCommand(body: unknown, headers: RequestHeaders, usualMs: number): ReadCommand {
  const parsed = parseParams(CommandBody, body, "body");
  const { method, params, target_client_id: client, source_shell_id: source } = parsed;
  const timeoutMs = parseTimeout(headers["x-service-timeout"], usualMs);
  const key = readIdempotencyKey(headers);
  const idempotency = key === undefined ? undefined : { key, body };
  return { method, params, options: { client, source, timeoutMs, idempotency } };
}

/** Reads the header `Idempotency-Key`. @throws RemoteError `invalid_params` */
export function readIdempotencyKey(headers: RequestHeaders): string | undefined {
  const key = headers["idempotency-key"];
  if (typeof key !== "string") return undefined;
  if (key.length > 0 && key.length <= 255) return key;
  throw new RemoteError("invalid_params", "Idempotency-Key: expected 1 to 255 characters.");
}

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
