import { z } from "zod";
import {
  type OperationInput,
  type OperationName,
  type OperationResult,
  operations,
} from "../../../core/operations/index.ts";
import { type OperationSpec, requestOf, secondsToWait, usualWait } from "../../../core/operations/operation.ts";
import { OutcomeUnknown } from "../host.ts";
import { words } from "../words/index.ts";

/** The relay refused a call; the message is meant for the user. */
export class CallRefused extends Error {
  /** Status of HTTP. */
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

/** Reports whether the relay does not accept the key, or not for what was called. */
export function isKeyRefusal(error: unknown): error is CallRefused {
  return error instanceof CallRefused && (error.status === 401 || error.status === 403);
}

/** Nothing answered, or not the relay. */
export class RelayUnreachable extends Error {
  constructor() {
    super(words.browser.unreachable);
  }
}

/** A relay that has not answered a call that reads after this time counts as away. */
const READ_MS = 30_000;
/** How long the answer to a call that changes something may take, beside what the call itself waits for. */
const CHANGE_MS = 15_000;

/** Statuses of a proxy whose relay does not answer; an error of the relay itself is named in a header. */
const AWAY_STATUSES: readonly number[] = [502, 503, 504];

/** Calls the relay of this page over HTTP, with an API key of its owner. */
export class RelayCalls {
  readonly #base: URL;
  readonly #apiKey: string;

  /** @param base the relay's base address, with a slash at its end */
  constructor(base: URL, apiKey: string) {
    this.#base = base;
    this.#apiKey = apiKey;
  }

  /** Calls an operation. Rejects with an Error whose message is meant for the user. */
  async operation<N extends OperationName>(name: N, params: OperationInput<N>): Promise<OperationResult<N>> {
    return operations[name].result.parse(await this.run(name, params)) as OperationResult<N>;
  }

  /**
   * Calls an operation whose parameters are checked by the relay. Rejects as `operation` does, and with `OutcomeUnknown`
   * where the answer to a change does not come in time.
   */
  async run(name: OperationName, params: object): Promise<unknown> {
    const spec: OperationSpec = operations[name];
    const { http, effect } = spec;
    const { path, body } = requestOf(http, params);
    const answer = await this.#request(new URL(`v1/${path}`, this.#base), {
      ...{ method: http.method, body, isChange: effect === "change" },
      waitMs: secondsToWait(usualWait(spec), params) * 1000,
    });
    return http.bare ? answer : Answer.parse(answer).result;
  }

  /**
   * Executes a command in a session, in the name of a client of the owner where one is connected.
   * Rejects as `run` does.
   */
  async command(session: string, method: string, params: object, client: number | undefined): Promise<unknown> {
    const url = new URL(`v1/sessions/${encodeURIComponent(session)}/remote/command`, this.#base);
    const body = { method, params, target_client_id: client };
    const answer = await this.#request(url, { method: "POST", body, isChange: true, waitMs: 0 });
    return Answer.parse(answer).result;
  }

  /** Opens the stream of what changes in the overview. Rejects as `operation` does, and when the signal comes. */
  async changes(signal: AbortSignal): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
    const { body } = await this.#fetch(new URL("v1/overview/changes", this.#base), { method: "GET", signal });
    if (body === null) throw new RelayUnreachable();
    return body;
  }

  async #request(
    url: URL,
    call: { method: string; body: object | undefined; isChange: boolean; waitMs: number },
  ): Promise<unknown> {
    const { method, body, isChange, waitMs } = call;
    const signal = AbortSignal.timeout(waitMs + (isChange ? CHANGE_MS : READ_MS));
    try {
      const answer = await this.#fetch(url, {
        ...{ method, signal },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return await answer.json().catch(() => {
        throw new RelayUnreachable();
      });
    } catch (error) {
      throw isChange && signal.aborted ? new OutcomeUnknown(words.browser.outcomeUnknown) : error;
    }
  }

  async #fetch(url: URL, request: { method: string; body?: string; signal?: AbortSignal }): Promise<Response> {
    const answer = await fetch(url, {
      ...request,
      headers: {
        "x-service-token": this.#apiKey,
        ...(request.body === undefined ? {} : { "content-type": "application/json" }),
      },
    }).catch(() => {
      throw new RelayUnreachable();
    });
    if (answer.ok) return answer;
    const isOfRelay = answer.headers.has("x-service-error");
    if (!isOfRelay && AWAY_STATUSES.includes(answer.status)) throw new RelayUnreachable();
    throw new CallRefused((await answer.text()).trim(), answer.status);
  }
}

const Answer = z.object({ result: z.unknown() });
