import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import express, { type Request, type Response } from "express";
import { RemoteError } from "../../../core/protocol/errors.ts";
import { isDeeperThan, jsonDepth } from "../../../core/protocol/json-depth.ts";
import { limits } from "../../../core/protocol/limits.ts";
import { bodyTooLarge } from "../net/send.ts";

const JSON_OPTIONS = { limit: limits.bodyBytes, type: "application/json" } as const;
const parseJson = express.json({ ...JSON_OPTIONS, verify: checkText });
const parseSomeJson = express.json({ ...JSON_OPTIONS, verify: checkSomeText });

/** Reads a request's JSON body; an empty one counts as `{}`, or is refused. Rejects with a RemoteError if it is invalid. */
export async function jsonBody(
  request: Request<never> | Request,
  response: Response,
  { mayBeEmpty = true } = {},
): Promise<unknown> {
  const { "content-type": type } = request.headers;
  if (isEmpty(request) && JSON_TYPE.test(type ?? "")) {
    if (mayBeEmpty) return {};
    throw emptyBody();
  }
  if (!request.is("application/json")) {
    const got = type === undefined ? "none" : JSON.stringify(type.slice(0, 60));
    throw new RemoteError("unsupported_media_type", `Send a body with the content type application/json, got ${got}.`);
  }
  checkAnnounced(request, limits.bodyBytes);
  return new Promise((resolve, reject) => {
    const parse = mayBeEmpty ? parseJson : parseSomeJson;
    parse(request as Request, response, (error?: unknown) => {
      if (error !== undefined) reject(error);
      else if (isDeeperThan(request.body, jsonDepth.body)) reject(tooDeep());
      else resolve(request.body);
    });
  });
}

const JSON_TYPE = /^application\/json[ \t]*(;|$)/i;

/** Returns whether a request has no body at all. `Request.is` knows no content type then, and Express reads none. */
function isEmpty({ headers }: Request<never> | Request): boolean {
  return Number(headers["content-length"] ?? 0) === 0 && headers["transfer-encoding"] === undefined;
}

function emptyBody(): RemoteError {
  return new RemoteError("malformed_json", "The body is empty: send one JSON object.");
}

/**
 * Refuses a body that is announced as too large. The body parsers would read it to its end first, or wait for it until
 * the request times out.
 */
function checkAnnounced({ headers }: Request<never> | Request, limit: number): void {
  if (Number(headers["content-length"] ?? 0) > limit) throw bodyTooLarge(limit);
}

function tooDeep(): RemoteError {
  return new RemoteError("invalid_params", `body: expected at most ${jsonDepth.body} levels, one in another.`);
}

const FORM_TYPE = "application/x-www-form-urlencoded";
const FORM_BYTES = 8192;
const parseForm = express.urlencoded({
  extended: false,
  limit: FORM_BYTES,
  parameterLimit: 50,
  type: FORM_TYPE,
  verify: checkText,
});

/**
 * Reads the fields of a form, as OAuth sends them (RFC 6749 §3.2): an empty field counts as absent, and a repeated one is
 * an error. Rejects with a RemoteError if the body is invalid.
 */
export async function formBody(request: Request, response: Response): Promise<Readonly<Record<string, string>>> {
  if (!request.is(FORM_TYPE))
    throw new RemoteError("unsupported_media_type", `Send a body with the content type ${FORM_TYPE}.`);
  checkAnnounced(request, FORM_BYTES);
  await new Promise<void>((resolve, reject) => {
    parseForm(request, response, (error?: unknown) => (error === undefined ? resolve() : reject(error)));
  });
  const fields: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(request.body as Record<string, unknown>)) {
    if (typeof value !== "string") throw new RemoteError("invalid_params", `${name.slice(0, 60)}: expected it once.`);
    if (value !== "") fields[name] = value;
  }
  return fields;
}

/**
 * Checks for the body parsers that the bytes are UTF-8; they would silently replace invalid ones with U+FFFD. Throws
 * `malformed_json`, or `unsupported_media_type` for another charset.
 */
function checkText(_request: IncomingMessage, _response: unknown, bytes: Buffer, charset: string): void {
  if (charset.toLowerCase() !== "utf-8") {
    throw new RemoteError("unsupported_media_type", "The body's charset is not supported: send UTF-8.");
  }
  if (!isUtf8(bytes)) throw new RemoteError("malformed_json", "The body is not valid UTF-8.");
}

function checkSomeText(...read: Parameters<typeof checkText>): void {
  if (read[2].length === 0) throw emptyBody();
  checkText(...read);
}
