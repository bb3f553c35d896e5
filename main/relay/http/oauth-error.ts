import type { Response } from "express";
import { type ErrorCode, httpStatusOf, type RemoteError } from "../../../core/protocol/errors.ts";
import type { Log } from "../../system/log.ts";
import { sendJson, toRemoteError } from "../net/send.ts";
import { AuthError } from "./auth.ts";

/** The error codes of RFC 6749 §5.2 and RFC 8628 §3.5 that the relay uses. */
export type OAuthErrorName =
  | "invalid_request"
  | "invalid_client"
  | "invalid_grant"
  | "invalid_scope"
  | "unauthorized_client"
  | "unsupported_grant_type"
  | "authorization_pending"
  | "slow_down"
  | "access_denied"
  | "expired_token"
  | "temporarily_unavailable"
  | "server_error";

/** An OAuth error; its message becomes `error_description`. */
export class OAuthError extends Error {
  override readonly name = "OAuthError";
  readonly error: OAuthErrorName;

  constructor(error: OAuthErrorName, message: string) {
    super(message);
    this.error = error;
  }
}

/** Sends an error as JSON with `error` and `error_description` (RFC 6749 §5.2). */
export function sendOAuthError(response: Response, thrown: unknown, log: Log): void {
  if (thrown instanceof OAuthError) {
    sendJson(response, { error: thrown.error, error_description: thrown.message }, {}, 400);
    return;
  }
  const known = toRemoteError(thrown, log);
  const headers = thrown instanceof AuthError ? thrown.headers : {};
  const body = { error: oauthNameOf(known), error_description: known.message };
  sendJson(response, body, { "X-Service-Error": known.code, ...headers }, httpStatusOf(known.code));
}

function oauthNameOf({ code }: RemoteError): OAuthErrorName {
  const names: Partial<Record<ErrorCode, OAuthErrorName>> = {
    unauthenticated: "invalid_client",
    scope_forbids: "unauthorized_client",
    too_many_failures: "temporarily_unavailable",
    too_many_logins: "temporarily_unavailable",
    internal: "server_error",
  };
  return names[code] ?? "invalid_request";
}
