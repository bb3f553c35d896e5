import type { IncomingMessage, RequestListener } from "node:http";
import type { FleetPeer } from "../net/fleet-peer.ts";
import { type AnswerReceiver, AnswerSocket } from "./answer-socket.ts";
import type { AppMessages } from "./app-messages.ts";

/** A request that a relay of the fleet passes on. */
export interface DispatchedRequest {
  /** The relay that passes it on. */
  readonly peer: FleetPeer;
  readonly method: string;
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** What answers requests, with the classes of its messages. */
export interface HttpApp {
  readonly handle: RequestListener;
  readonly messages: AppMessages;
}

/**
 * Gives a request to the function that answers those of the network, without a connection and a parser between. Returns a
 * function that ends the request, as a caller does that disconnects.
 */
export function dispatch(
  { handle, messages: { Request, Response } }: HttpApp,
  dispatched: DispatchedRequest,
  receiver: AnswerReceiver,
): () => void {
  const socket = new AnswerSocket(dispatched.peer, receiver);
  const request = new Request(socket);
  fillRequest(request, dispatched);
  const response = new Response(request);
  response.assignSocket(socket);
  // A server does this for the responses of its connections.
  socket.on("drain", () => response.emit("drain"));
  response.once("finish", () => socket.complete());
  socket.once("close", () => request.destroy());
  handle(request, response);
  return () => void socket.destroy();
}

function fillRequest(request: IncomingMessage, { method, path, headers, body }: DispatchedRequest): void {
  request.method = method;
  request.url = path;
  request.headers = { ...headers };
  if (body.length > 0 || "content-length" in headers) request.headers["content-length"] = String(body.length);
  // An answer to HTTP 1.0 is not cut into chunks, which would have to be put together here.
  Object.assign(request, { httpVersion: "1.0", httpVersionMajor: 1, httpVersionMinor: 0 });
  request.on("error", () => undefined);
  request.complete = true;
  if (body.length > 0) request.push(body);
  request.push(null);
}
