import { type ErrorCode, isErrorCode, RemoteError } from "../../core/protocol/errors.ts";

const MESSAGE_LIMIT = 4000;

/** Returns the relay's refusal: `X-Service-Error` is its code, the body its message. */
export function serviceError(status: number, header: string | undefined, body: string): RemoteError {
  const code = header !== undefined && isErrorCode(header) ? header : codeOf(status);
  const sentence = withoutControls(body.trim()).slice(0, MESSAGE_LIMIT);
  return new RemoteError(code, sentence === "" ? `The relay answered with HTTP status ${status}.` : sentence);
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
