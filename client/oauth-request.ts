import { z } from "zod";
import { jsonOrUndefined } from "../core/protocol/json-value.ts";
import { withoutTrailing } from "../core/protocol/without-trailing.ts";
import { type RemotePeer, readText, send } from "./http.ts";
import { notARelay, serviceError } from "./service-error.ts";

const SILENCE_MS = 25_000;

const Refusal = z.object({ error: z.string(), error_description: z.string().default("") });

/** A response of the relay's `/v1/oauth`: the requested value, or the refusal with its error code of the RFCs. */
type OAuthResponse<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: string; readonly message: string };

interface OAuthRequest<S> {
  readonly form: Readonly<Record<string, string>>;
  readonly schema: S;
  /** API key of the caller. */
  readonly token?: string;
  readonly remote?: RemotePeer | undefined;
}

/**
 * Sends a form to `/v1/oauth/<path>`.
 *
 * @throws RelayUnreachable; RemoteError for a response that is not OAuth's
 */
export async function sendOAuthRequest<S extends z.ZodType>(
  base: string,
  path: "device_authorization" | "token" | "revoke",
  { form, schema, token, remote }: OAuthRequest<S>,
): Promise<OAuthResponse<z.output<S>>> {
  const url = new URL(`${withoutTrailing(base, "/")}/v1/oauth/${path}`);
  const headers = token === undefined ? {} : { "X-Service-Token": token };
  const peer = remote === undefined ? {} : { remote };
  const answer = await send(url, { method: "POST", form, headers, silenceMs: SILENCE_MS, ...peer });
  const text = await readText(answer, url, remote);
  const status = answer.statusCode ?? 0;
  const json = jsonOrUndefined(text);
  if (status === 200) {
    const value = schema.safeParse(json);
    if (value.success) return { ok: true, value: value.data };
    throw notARelay(url);
  }
  const refusal = Refusal.safeParse(json);
  if (!refusal.success) throw serviceError(status, answer.headers["x-service-error"]?.toString(), text);
  const { error, error_description: description } = refusal.data;
  const code = answer.headers["x-service-error"]?.toString();
  // Where the relay names its own code, errors have the same messages and exit codes as elsewhere.
  if (code !== undefined) throw serviceError(status, code, description);
  return { ok: false, error, message: serviceError(status, undefined, description).message };
}
