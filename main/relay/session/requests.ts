import { RemoteError } from "../../../core/protocol/errors.ts";

interface RequestsOptions<Request, Outcome> {
  /** Describes a request that is not open, for who would answer it. */
  readonly unknown: (id: number) => string;
  readonly opened: (request: Request) => void;
  readonly closed: (request: Request, outcome: Outcome | "expired") => void;
}

interface OpenRequest<Request, Asker> {
  readonly request: Request;
  readonly asker: Asker;
}

/** Requests of one kind that wait for a person's answer: each is closed once, by its answer, its end, or its expiry. */
export class Requests<Request extends { readonly id: number }, Asker, Outcome extends string> implements Disposable {
  readonly #options: RequestsOptions<Request, Outcome>;
  readonly #open = new Map<number, OpenRequest<Request, Asker> & { readonly timer: NodeJS.Timeout | undefined }>();
  #nextId = 1;

  constructor(options: RequestsOptions<Request, Outcome>) {
    this.#options = options;
  }

  /** Opens a request. @param withinMs milliseconds after which it expires; default: it does not */
  open(asker: Asker, make: (id: number, expiresAt: string) => Request, withinMs?: number): Request {
    const id = this.#nextId++;
    const request = make(id, new Date(Date.now() + (withinMs ?? 0)).toISOString());
    const timer = withinMs === undefined ? undefined : setTimeout(() => this.close(id, "expired"), withinMs).unref();
    this.#open.set(id, { request, asker, timer });
    this.#options.opened(request);
    return request;
  }

  /** Returns an open request. @throws RemoteError `unknown_request` */
  get(id: number): OpenRequest<Request, Asker> {
    const open = this.#open.get(id);
    if (open === undefined) throw new RemoteError("unknown_request", this.#options.unknown(id));
    return open;
  }

  /** Returns the first open request that fits. */
  find(fits: (open: OpenRequest<Request, Asker>) => boolean): Request | undefined {
    return this.list().find(fits)?.request;
  }

  /** Lists the open requests, oldest first. */
  list(): readonly OpenRequest<Request, Asker>[] {
    return [...this.#open.values()];
  }

  /** Closes a request; one that is closed stays as it is. */
  close(id: number, outcome: Outcome | "expired"): void {
    const open = this.#open.get(id);
    if (open === undefined) return;
    clearTimeout(open.timer);
    this.#open.delete(id);
    this.#options.closed(open.request, outcome);
  }

  [Symbol.dispose](): void {
    for (const { timer } of this.#open.values()) clearTimeout(timer);
    this.#open.clear();
  }
}
