import { type IncomingMessage, type RequestListener, ServerResponse } from "node:http";
import type { Express } from "express";
import { requestClass } from "../net/request-class.ts";

/** The classes of an application's requests and responses. */
interface AppMessages {
  readonly Request: typeof IncomingMessage;
  readonly Response: typeof ServerResponse;
}

/** What answers requests, with the classes of its messages. */
export interface HttpApp {
  readonly handle: RequestListener;
  readonly messages: AppMessages;
}

/**
 * Makes the classes of the messages that an Express application gets. Express changes the prototype of every message to
 * one of the application. V8 does not share the hidden classes that follow such a change, so each property that Express
 * adds makes a new one, and each access to the message misses the inline caches: half of a command's processor time.
 * Messages of these classes have the prototype of the application from the start.
 *
 * Call it once for an application.
 */
export function appMessages(app: Express): AppMessages {
  const Request = requestClass();

  class AppResponse<R extends IncomingMessage> extends ServerResponse<R> {}

  app.request = Object.setPrototypeOf(Request.prototype, app.request);
  app.response = Object.setPrototypeOf(AppResponse.prototype, app.response);
  return { Request, Response: AppResponse };
}
