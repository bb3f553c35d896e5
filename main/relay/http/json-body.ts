import express, { type Request, type Response } from "express";
import { RemoteError } from "../../../core/protocol/errors.ts";
import { isDeeperThan, jsonDepth } from "../../../core/protocol/json-depth.ts";
import { limits } from "../../../core/protocol/limits.ts";
import { checkText } from "./check-text.ts";

const parse = express.json({ limit: limits.bodyBytes, type: "application/json", verify: checkText });

/** The request's JSON body, read when the caller has been let in. Rejects with what is wrong with it. */
export function jsonBody(request: Request<never> | Request, response: Response): Promise<unknown> {
  if (!request.is("application/json")) {
    const { "content-type": type } = request.headers;
    const got = type === undefined ? "none" : JSON.stringify(type.slice(0, 60));
    return Promise.reject(
      new RemoteError("unsupported_media_type", `Send a body with the content type application/json, got ${got}.`),
    );
  }
  return new Promise((resolve, reject) => {
    parse(request as Request, response, (error?: unknown) => {
      if (error !== undefined) reject(error);
      else if (isDeeperThan(request.body, jsonDepth.body)) reject(tooDeep());
      else resolve(request.body);
    });
  });
}

function tooDeep(): RemoteError {
  return new RemoteError("invalid_params", `body: expected at most ${jsonDepth.body} levels, one in another.`);
}
