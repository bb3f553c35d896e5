import type { Request, RequestHandler, Response } from "express";
import { isScope, scopes } from "../../../core/protocol/scopes.ts";
import { shownName } from "../../../core/protocol/shown-name.ts";
import { peerOwner } from "../../system/listeners/linux-listeners.ts";
import type { Log } from "../../system/log.ts";
import type { Keys } from "../access/keys.ts";
import { LOGIN_SECONDS, type LoginState, type Logins, POLL_SECONDS } from "../access/logins.ts";
import type { Calls } from "../calls/calls.ts";
import { remoteNetwork } from "../net/remote-network.ts";
import { sendJson } from "../net/send.ts";
import type { AuditedCalls } from "./audit-calls.ts";
import type { Auth } from "./auth.ts";
import { formBody } from "./body.ts";
import { OAuthError, type OAuthErrorName, sendOAuthError } from "./oauth-error.ts";
import { queryOf } from "./query.ts";
import type { RouteTable } from "./route-table.ts";

const AT = "/v1/oauth";
const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";
/** Default and longest lifetimes of a bearer token. */
const TOKEN_SECONDS = 3600;
const LONGEST_TOKEN_SECONDS = 365 * 24 * 3600;
const NAME = { longest: 80, otherwise: "a program without a name" } as const;

interface LoginRoutesOptions {
  readonly logins: Logins;
  readonly keys: Keys;
  readonly auth: Auth;
  readonly audited: AuditedCalls;
  readonly calls: Calls;
  readonly user: string;
  readonly log: Log;
}

type Fields = Readonly<Record<string, string>>;
type Answer = Readonly<Record<string, unknown>>;

/**
 * `/v1/oauth`: login by the device grant (RFC 8628), bearer tokens for a key (RFC 6749 §4.4), and revocation of a key or
 * token (RFC 7009). A login yields an API key for the header `X-Service-Token`.
 */
export function loginRoutes({
  logins,
  keys,
  auth,
  audited,
  calls,
  user,
  log,
}: LoginRoutesOptions): (routes: RouteTable) => void {
  const oauthHandler = (answer: (fields: Fields, request: Request) => Answer | Promise<Answer>): RequestHandler => {
    return async (request: Request, response: Response) => {
      try {
        queryOf(request);
        sendJson(response, await answer(await formBody(request, response), request));
      } catch (error) {
        sendOAuthError(response, error, log);
      }
    };
  };
  const deviceGrant = (fields: Fields, request: Request): Answer => {
    const { state, name, madeBy } = logins.poll(
      requiredField(fields, "device_code"),
      requiredField(fields, "client_id"),
    );
    if (state === "unknown") auth.countFailure(request);
    if (state !== "allowed") throw new OAuthError(...refusals[state]);
    const { key, secret } = keys.create({ owner: user, name: `login of ${name}`, madeBy });
    return { access_token: secret, token_type: "X-Service-Token", user, key_id: key.id };
  };

  const tokenFor = async (fields: Fields, request: Request): Promise<Answer> => {
    const principal = auth.caller(request);
    const wanted = [...new Set(requiredField(fields, "scope").split(" "))];
    if (!wanted.every(isScope)) throw new OAuthError("invalid_scope", `Known scopes: ${scopes.join(", ")}.`);
    const seconds = secondsOf(fields.expires_in);
    audited.call(request);
    const params = { scopes: wanted, ttl: seconds };
    const { secret, expiresAt } = await calls.run(auth.callerOf(request, principal), "createToken", params);
    const expires = expiresAt === null ? seconds : Math.min(seconds, secondsUntil(expiresAt));
    return { access_token: secret, token_type: "Bearer", expires_in: expires, scope: wanted.join(" ") };
  };
  return (router) => {
    router.post(
      `${AT}/device_authorization`,
      oauthHandler((fields, request) => {
        const client = requiredField(fields, "client_id");
        if (fields.scope !== undefined) throw new OAuthError("invalid_scope", "A login has no scope: leave it out.");
        const name = shownName(fields.device_name ?? client, NAME);
        const address = request.socket.remoteAddress ?? "an unknown address";
        const { login, deviceCode } = logins.begin({ client, name, address, requester: requesterOf(request) });
        return {
          device_code: deviceCode,
          user_code: login.code,
          verification_uri: `${request.protocol}://${request.headers.host}${request.baseUrl}${AT}/device`,
          expires_in: LOGIN_SECONDS,
          interval: POLL_SECONDS,
        };
      }),
    );
    router.post(
      `${AT}/token`,
      oauthHandler((fields, request) => {
        switch (requiredField(fields, "grant_type")) {
          case DEVICE_GRANT:
            return deviceGrant(fields, request);
          case "client_credentials":
            return tokenFor(fields, request);
          default:
            throw new OAuthError("unsupported_grant_type", `Use ${DEVICE_GRANT} or client_credentials.`);
        }
      }),
    );
    router.post(
      `${AT}/revoke`,
      oauthHandler((fields) => {
        // The secret alone suffices to revoke it; an unknown one counts as revoked (RFC 7009 §2.2).
        keys.revokeSecret(requiredField(fields, "token"));
        return {};
      }),
    );
    router.get(`${AT}/device`, (_request, response) => {
      response.set("X-Content-Type-Options", "nosniff").type("text/plain").send(WHAT_TO_DO);
    });
  };
}

/**
 * The user whose program asks, else its network: a user has every loopback address, and the programs of several users
 * have the same one.
 */
function requesterOf({ socket }: Request): string {
  const { remoteAddress = "", remotePort = 0, localAddress = "", localPort = 0 } = socket;
  const uid = peerOwner({ address: remoteAddress, port: remotePort }, { address: localAddress, port: localPort });
  if (uid !== undefined) return `user ${uid}`;
  const network = remoteNetwork(remoteAddress);
  return network.startsWith("127.") ? "127.0.0.0/8" : network;
}

const refusals: Readonly<Record<Exclude<LoginState, "allowed">, readonly [OAuthErrorName, string]>> = {
  pending: ["authorization_pending", "The user has not answered yet: ask again after the interval."],
  slow_down: ["slow_down", "Asked too soon: from now on wait 5 seconds more between two questions."],
  denied: ["access_denied", "The user has denied this login."],
  expired: ["expired_token", "The login was not answered in time, or gave way to another: begin another one."],
  unknown: ["invalid_grant", "No login waits with this device code and client_id; each is good for one key."],
};

const WHAT_TO_DO = `A program asks to be logged in to Patchbay, and shows a code.

On the computer where Patchbay runs, compare the code with the one that the app shows, and allow or deny it there.
Without the app: service approve CODE
`;

function requiredField(fields: Fields, name: string): string {
  const value = fields[name];
  if (value !== undefined && value.length <= 1000) return value;
  throw new OAuthError("invalid_request", `${name}: expected 1 to 1000 characters.`);
}

function secondsUntil(time: string): number {
  return Math.ceil((Date.parse(time) - Date.now()) / 1000);
}

function secondsOf(text: string | undefined): number {
  if (text === undefined) return TOKEN_SECONDS;
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (seconds >= 1 && seconds <= LONGEST_TOKEN_SECONDS) return seconds;
  throw new OAuthError("invalid_request", `expires_in: expected seconds from 1 to ${LONGEST_TOKEN_SECONDS}.`);
}
