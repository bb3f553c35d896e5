import { type ErrorCode, isErrorCode, RemoteError } from "../../core/protocol/errors.ts";

const MESSAGE_LIMIT = 4000;

/** The relay's refusal as it came: `X-Service-Error` names the code, the body is the sentence. */
export function serviceError(status: number, header: string | undefined, body: string): RemoteError {
  const code = header !== undefined && isErrorCode(header) ? header : codeOf(status);
  const sentence = withoutControls(body.trim()).slice(0, MESSAGE_LIMIT);
  return new RemoteError(code, sentence === "" ? `The relay answered with HTTP status ${status}.` : sentence);
}

/** For an answer without a code that is known here: of a newer relay, or of no relay at all. */
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

/** Whoever answers must not be able to steer the terminal. Line ends stay: a list of clients has several lines. */
function withoutControls(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly those are meant
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "");
}
