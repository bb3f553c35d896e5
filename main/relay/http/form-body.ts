import express, { type Request, type Response } from "express";
import { RemoteError } from "../../../core/protocol/errors.ts";
import { checkText } from "./check-text.ts";

const TYPE = "application/x-www-form-urlencoded";
const parse = express.urlencoded({ extended: false, limit: 8192, parameterLimit: 50, type: TYPE, verify: checkText });

/**
 * The fields of a form, as OAuth sends them (RFC 6749 §3.2): an empty one counts as left out, and none may be there
 * twice. Rejects with what is wrong.
 */
export async function formBody(request: Request, response: Response): Promise<Readonly<Record<string, string>>> {
  if (!request.is(TYPE)) throw new RemoteError("unsupported_media_type", `Send a body with the content type ${TYPE}.`);
  await new Promise<void>((resolve, reject) => {
    parse(request, response, (error?: unknown) => (error === undefined ? resolve() : reject(error)));
  });
  const fields: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(request.body as Record<string, unknown>)) {
    if (typeof value !== "string") throw new RemoteError("invalid_params", `${name.slice(0, 60)}: expected it once.`);
    if (value !== "") fields[name] = value;
  }
  return fields;
}
