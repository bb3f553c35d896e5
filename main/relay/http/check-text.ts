import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { RemoteError } from "../../../core/protocol/errors.ts";

/**
 * For the body parsers: bytes must be the text that they are said to be. What is not would be stored as U+FFFD, and
 * nobody would hear of it. Throws `malformed_json`, or `unsupported_media_type` for another charset than UTF-8.
 */
export function checkText(_request: IncomingMessage, _response: unknown, bytes: Buffer, charset: string): void {
  if (charset.toLowerCase() !== "utf-8") {
    throw new RemoteError("unsupported_media_type", "The body's charset is not supported: send UTF-8.");
  }
  if (!isUtf8(bytes)) throw new RemoteError("malformed_json", "The body is not valid UTF-8.");
}
