import { z } from "zod";
import {
  type OperationInput,
  type OperationName,
  type OperationResult,
  operations,
} from "../../../core/operations/index.ts";
import { type OperationSpec, requestOf } from "../../../core/operations/operation.ts";
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

  /** Calls an operation whose parameters are checked by the relay. Rejects as `operation` does. */
  async run(name: OperationName, params: object): Promise<unknown> {
    const { http }: OperationSpec = operations[name];
    const { path, body } = requestOf(http, params);
    const answer = await this.#request(new URL(`v1/${path}`, this.#base), http.method, body);
    return http.bare ? answer : Answer.parse(answer).result;
  }

  /**
   * Executes a command in a session, in the name of a client of the owner where one is connected.
   * Rejects with an Error whose message is meant for the user.
   */
  async command(session: string, method: string, params: object, client: number | undefined): Promise<unknown> {
    const url = new URL(`v1/sessions/${encodeURIComponent(session)}/remote/command`, this.#base);
    const answer = await this.#request(url, "POST", { method, params, target_client_id: client });
    return Answer.parse(answer).result;
  }

  /** Opens the stream of what changes in the overview. Rejects as `operation` does, and when the signal comes. */
  async changes(signal: AbortSignal): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
    const { body } = await this.#fetch(new URL("v1/overview/changes", this.#base), { method: "GET", signal });
    if (body === null) throw new Error(words.browser.unreachable);
    return body;
  }

  async #request(url: URL, method: string, body: object | undefined): Promise<unknown> {
    const answer = await this.#fetch(url, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
    return await answer.json();
  }

  async #fetch(url: URL, request: { method: string; body?: string; signal?: AbortSignal }): Promise<Response> {
    const answer = await fetch(url, {
      ...request,
      headers: {
        "x-service-token": this.#apiKey,
        ...(request.body === undefined ? {} : { "content-type": "application/json" }),
      },
    }).catch(() => {
      throw new Error(words.browser.unreachable);
    });
    if (answer.ok) return answer;
    throw new CallRefused((await answer.text()).trim(), answer.status);
  }
}

const Answer = z.object({ result: z.unknown() });
