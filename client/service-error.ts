import type { z } from "zod";
import { type ErrorCode, httpStatusOf, isErrorCode, RemoteError } from "../core/protocol/errors.ts";
import { LOCAL_MACHINE } from "../core/protocol/machines.ts";
import { InvalidAnswer } from "./errors.ts";
import type { RemotePeer } from "./http.ts";

const MESSAGE_LIMIT = 4000;

/** Returns the relay's refusal: `X-Service-Error` is its code, the body its message. */
export function serviceError(status: number, header: string | undefined, body: string): RemoteError {
  const code = header !== undefined && isErrorCode(header) ? header : codeOf(status);
  const sentence = withoutControls(body.trim()).slice(0, MESSAGE_LIMIT);
  if (sentence === "") return new RemoteError(code, `The relay answered with HTTP status ${status}.`);
  return new RemoteError(code, isOfEarlierVersion(header, sentence) ? `${sentence} ${RESTART}` : sentence);
}

const RESTART = "If the address is right, the relay there is of an earlier version than this program: restart it.";

/** Returns whether a refusal is of a name that this program declares, which a relay of its version knows. */
function isOfEarlierVersion(header: string | undefined, sentence: string): boolean {
  if (header === "unknown_route" || header === "unknown_method") return true;
  return header === "invalid_params" && /^(query|params)\."\w+": no such parameter; /.test(sentence);
}

/** Returns the error for an answer that no relay gives. */
export function notARelay(url: URL, options?: ErrorOptions): InvalidAnswer {
  return new InvalidAnswer(`What answers at ${url.origin} is not a Patchbay relay: check the address.`, options);
}

/** Returns a result as far as the caller reads it. @throws RemoteError for one that no relay gives */
export function checkResult<S extends z.ZodType>(schema: S, result: unknown, base: string): z.output<S> {
  const checked = schema.safeParse(result);
  if (checked.success) return checked.data;
  throw notARelay(new URL(base), { cause: checked.error });
}

/** Adds to the refusal of a key whose it is: each remote has its own. */
export function nameRemote(refusal: RemoteError, { name }: RemotePeer): RemoteError {
  if (httpStatusOf(refusal.code) !== 401 || name === LOCAL_MACHINE) return refusal;
  const message = `${name} refuses its key: ${refusal.message} \`service remotes update ${name} --key\` takes another.`;
  return new RemoteError(refusal.code, message, { cause: refusal });
}

/** The code for a response without a known one: of a newer relay, or of another server. */
function codeOf(status: number): ErrorCode {
  switch (status) {
    case 400:
      return "invalid_request";
    case 401:
      return "unauthenticated";
    case 403:
      return "not_owner";
    case 404:
      return "unknown_route";
    case 429:
      return "too_many_failures";
    case 504:
      return "no_answer";
    default:
      return "internal";
  }
}

/** Removes control characters, which could control the terminal. Line ends stay: a list of clients has several lines. */
function withoutControls(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: removes exactly these
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "");
}
