/** The public face of the package `@patchbay/client` (tools/package/client): a relay, and its shells, for Node and browsers. */
import { RemoteError } from "../../core/protocol/errors.ts";
import { RemoteClient } from "../remote-client.ts";
import type { Methods, Operations, OutputEvent } from "./methods.ts";

export { type ErrorCode, RemoteError } from "../../core/protocol/errors.ts";
export { RelayUnreachable } from "../errors.ts";
export type { Methods, Operations, OutputEvent } from "./methods.ts";

interface PatchbayOptions {
  /** API key, or the token of a Patchbay shell (`SERVICE_TOKEN`). */
  readonly token: string;
  /** Address of the relay; default: `http://127.0.0.1:7717`. */
  readonly url?: string | undefined;
  /** Id or name of the session; default: the only one that the key's owner has. */
  readonly session?: string | undefined;
  /** Id of the client that executes the commands, or `desktop`. */
  readonly client?: number | "desktop" | undefined;
  /** Ends every request and stream. */
  readonly signal?: AbortSignal | undefined;
}

export interface CallOptions {
  /** The same key and parameters within 10 minutes are executed once. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

/** An event of the session. `gap` stands for events that are no longer kept. */
export interface SessionEvent {
  /** Resumes after this event. */
  readonly id: string;
  readonly type: string;
  readonly seq?: number | undefined;
  /** ISO 8601. */
  readonly at?: string | undefined;
  readonly data?: unknown;
}

export interface EventOptions {
  /** Default: every type. */
  readonly types?: readonly string[];
  /** false: only the events that the relay has kept. */
  readonly follow?: boolean;
  /** Id of the last event seen. */
  readonly lastEventId?: string;
  readonly signal?: AbortSignal;
}

/** Node's `fetch` gives up a request that has no answer after 300 s. */
const MAX_WAIT_S = 290;

/** A running relay. Methods reject with a RemoteError, whose `code` says why, or with a RelayUnreachable. */
export class Patchbay {
  readonly #client: RemoteClient;

  constructor({ url = "http://127.0.0.1:7717", ...options }: PatchbayOptions) {
    const given = Object.entries(options).filter(([, value]) => value !== undefined);
    this.#client = new RemoteClient({ token: options.token, ...Object.fromEntries(given), url });
  }

  /** Creates a shell, in a tile of the session unless `tile` is false. */
  async createShell(params: Methods["createShell"]["params"] = {}): Promise<Shell> {
    const { shellId, key } = await this.#client.call("createShell", params);
    return new Shell(this, shellId, key);
  }

  /** Returns a shell that exists already. */
  shell(id: number): Shell {
    return new Shell(this, id);
  }

  /** Calls a command of the API. The relay checks the parameters. */
  async call<M extends keyof Methods>(
    method: M,
    params: Methods[M]["params"] | Record<never, never> = {},
    options: CallOptions = {},
  ): Promise<Methods[M]["result"]> {
    const { result } = await this.#client.ask(method, { ...params }, options);
    return result as Methods[M]["result"];
  }

  /** Calls an operation of the relay itself, such as `listSessions`. */
  operation<N extends keyof Operations>(name: N, params: Operations[N]["params"]): Promise<Operations[N]["result"]> {
    return this.#client.operation(name, params);
  }

  /** Yields the session's events until the relay or the caller ends the stream. */
  events(options: EventOptions = {}): AsyncGenerator<SessionEvent> {
    return this.#client.events(options);
  }

  /** Yields a shell's output from now on, or from `since` on. The last event is `end`. */
  output(
    shell: number,
    options: { since?: number; plain?: boolean; signal?: AbortSignal } = {},
  ): AsyncGenerator<OutputEvent> {
    return this.#client.output(shell, options);
  }
}

/** A shell of the session. */
export class Shell {
  readonly id: number;
  readonly #patchbay: Patchbay;
  #tile: number | undefined;

  constructor(patchbay: Patchbay, id: number, tile?: number) {
    this.#patchbay = patchbay;
    this.id = id;
    this.#tile = tile;
  }

  /**
   * Runs a command line, and waits until it has ended. Needs bash, zsh or fish in the shell, and a tile that shows it.
   *
   * @param options.timeout seconds to wait at most, up to 290; default: 60
   */
  async run(
    command: string,
    { timeout = 60, ...options }: { readonly timeout?: number } & CallOptions = {},
  ): Promise<{ readonly exitCode: number | null; readonly output: string }> {
    const result = await this.#patchbay.call(
      "runCommand",
      { tile: await this.#findTile(), command, wait: true, timeout: checkWait(timeout) },
      options,
    );
    const { exitCode = null, output = "" } = { ...result };
    return { exitCode, output };
  }

  /** Types text into the shell. */
  async write(data: string): Promise<void> {
    await this.#patchbay.call("writeToShell", { id: this.id, data });
  }

  /** Presses keys, such as `C-c` and `Enter`. */
  async press(...keys: string[]): Promise<void> {
    await this.#patchbay.call("sendKeys", { id: this.id, keys });
  }

  /** Waits for a text in the output (`text`, a pattern), for silence (`idle`, milliseconds) or for the end (`exit`). */
  waitFor(
    condition: Omit<Methods["waitFor"]["params"], "id" | "match" | "timeout"> & { readonly timeout?: number },
    options: CallOptions = {},
  ): Promise<Methods["waitFor"]["result"]> {
    const timeout = checkWait(condition.timeout ?? 60);
    return this.#patchbay.call("waitFor", { ...condition, id: this.id, timeout }, options);
  }

  /** Yields what the shell prints, until it ends. */
  output(options: { since?: number; plain?: boolean; signal?: AbortSignal } = {}): AsyncGenerator<OutputEvent> {
    return this.#patchbay.output(this.id, options);
  }

  /** Ends the shell. */
  async close(): Promise<void> {
    await this.#patchbay.call("closeShell", { id: this.id });
  }

  async #findTile(): Promise<number> {
    const tiles = this.#tile === undefined ? await this.#patchbay.call("getTiles", { all: true }) : [];
    this.#tile ??= tiles.find(({ type, id }) => type === "shell" && Number(id) === this.id)?.key;
    if (this.#tile !== undefined) return this.#tile;
    throw new RemoteError("invalid_request", `Shell ${this.id} is in no tile, so no command can be run in it.`);
  }
}

function checkWait(seconds: number): number {
  if (seconds <= MAX_WAIT_S) return seconds;
  throw new RemoteError("invalid_params", `params.timeout: expected at most ${MAX_WAIT_S} seconds, got ${seconds}.`);
}
