import express, { type RequestHandler, type Router } from "express";

/** Adds a handler at a whole path, such as `/v1/sessions/:session/events`. */
export interface RouteAdder {
  get<P>(path: string, handler: RequestHandler<P>): void;
  post<P>(path: string, handler: RequestHandler<P>): void;
}

/** In the order of the `Allow` header. */
const VERBS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
type Verb = (typeof VERBS)[number];

/** The routes of the API: a router, and the list of its paths for the `Allow` header and the metrics. */
export class RouteTable implements RouteAdder {
  readonly router: Router = express.Router({ caseSensitive: true });
  readonly #verbs = new Map<string, Verb[]>();

  add<P>(verb: Verb, path: string, handler: RequestHandler<P>): void {
    this.#verbs.set(path, [...(this.#verbs.get(path) ?? []), verb]);
    const route = this.router.route(path);
    switch (verb) {
      case "GET":
        route.get(handler as RequestHandler);
        break;
      case "POST":
        route.post(handler as RequestHandler);
        break;
      case "PUT":
        route.put(handler as RequestHandler);
        break;
      case "PATCH":
        route.patch(handler as RequestHandler);
        break;
      default:
        route.delete(handler as RequestHandler);
    }
  }

  get<P>(path: string, handler: RequestHandler<P>): void {
    this.add("GET", path, handler);
  }

  post<P>(path: string, handler: RequestHandler<P>): void {
    this.add("POST", path, handler);
  }

  /** Returns every path with its methods, as in an `Allow` header. */
  allowed(): [path: string, allowed: string][] {
    return [...this.#verbs].map(([path, taken]) => {
      const verbs = VERBS.filter((verb) => taken.includes(verb));
      return [path, verbs.flatMap((verb) => (verb === "GET" ? ["GET", "HEAD"] : [verb])).join(", ")];
    });
  }
}
