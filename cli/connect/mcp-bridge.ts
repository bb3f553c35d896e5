import { setMaxListeners } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { RelayUnreachable } from "../../client/errors.ts";
import { readEventStream } from "../../client/event-stream.ts";
import { type RemotePeer, readText, send } from "../../client/http.ts";
import { errorText } from "../../core/protocol/error-text.ts";
import { jsonOrUndefined } from "../../core/protocol/json-value.ts";

/** The longest message of a client, in bytes: the relay takes none that is longer. */
const LONGEST_MESSAGE = 1024 * 1024;

interface BridgeOptions {
  /** Address of the relay's MCP endpoint. */
  readonly url: URL;
  /** API key, or a shell's token. */
  readonly token: string;
  readonly remote: RemotePeer | undefined;
  /** What the client writes, in lines. */
  readonly input: AsyncIterable<Uint8Array>;
  /** Takes a message for the client, without the end of its line. */
  readonly write: (line: string) => void;
}

/** How long after the relay was away it is asked again for what it tells unasked: at first, and at last. */
const RETRY_MS = { first: 500, last: 30_000 };

/** What a JSON-RPC message is told by. A message of another form is passed on: the relay refuses it. */
const Message = z.looseObject({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string().optional(),
  params: z.looseObject({ uri: z.string().optional() }).optional().catch(undefined),
  result: z.looseObject({ protocolVersion: z.string().optional() }).optional().catch(undefined),
});
type Message = z.infer<typeof Message>;

/**
 * Passes the messages of a client that speaks over its standard input and output on to a relay, and back. After a restart
 * of the relay the client is introduced to the new one unasked, with what it has subscribed to. Resolves when the client has ended its input.
 */
export async function bridge(options: BridgeOptions): Promise<void> {
  const connection = new Connection(options);
  const open = new Set<Promise<void>>();
  for await (const line of linesOf(options.input)) {
    const value = jsonOrUndefined(line);
    if (value === undefined) {
      options.write(JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: -32700, message: "No valid JSON." } }));
      continue;
    }
    const message = Message.safeParse(value).data;
    const passed = connection.pass(value, message).finally(() => open.delete(passed));
    open.add(passed);
    // Nothing may overtake the introduction.
    if (message?.method === "initialize") await passed;
  }
  connection.end();
  await Promise.all(open);
}

class Connection {
  readonly #options: BridgeOptions;
  /** Given by the relay in its answer to the introduction. */
  #id: string | undefined;
  #version: string | undefined;
  /** The client's introduction, for another relay. */
  #introduction: unknown;
  /** The client's subscriptions, for another relay. */
  readonly #subscribed = new Map<string, unknown>();
  #listening: Promise<void> | undefined;
  #anew: Promise<void> | undefined;
  readonly #ended = new AbortController();

  constructor(options: BridgeOptions) {
    this.#options = options;
    // Each call that waits listens.
    setMaxListeners(0, this.#ended.signal);
  }

  /** Passes a message on, and what is answered to it back. A request that cannot be answered gets an error. */
  async pass(value: unknown, message: Message | undefined): Promise<void> {
    if (message?.method === "initialize") this.#introduction = value;
    const uri = message?.params?.uri ?? "";
    if (message?.method === "resources/subscribe") this.#subscribed.set(uri, value);
    if (message?.method === "resources/unsubscribe") this.#subscribed.delete(uri);
    try {
      // Between its end and the next one there is no connection to ask in.
      await this.#anew;
      const id = this.#id;
      if ((await this.#post(value, this.#options.write, message)) === 404 && id !== undefined) {
        await this.#begin(id);
        await this.#post(value, this.#options.write, message);
      }
      if (message?.method === "notifications/initialized") this.#listening ??= this.#listen();
    } catch (error) {
      if (this.#ended.signal.aborted) return;
      const text = errorText(error);
      if (message?.id === undefined || message.method === undefined) return;
      const answer = { jsonrpc: "2.0", id: message.id, error: { code: -32000, message: text } };
      this.#options.write(JSON.stringify(answer));
    }
  }

  /** Ends the connection, and with it every call that still waits. */
  end(): void {
    const id = this.#id;
    this.#ended.abort();
    if (id === undefined) return;
    // The relay ends a connection that is quiet for long, too.
    void this.#send("DELETE", undefined, undefined)
      .then((answer) => answer.destroy())
      .catch(() => undefined);
  }

  /** Passes on what the relay tells unasked: questions for the person, and changes of resources. */
  async #listen(): Promise<void> {
    const { signal } = this.#ended;
    let waitMs = RETRY_MS.first;
    while (!signal.aborted) {
      const id = this.#id;
      try {
        const answer = await this.#send("GET", undefined, signal);
        if (answer.statusCode === 404 && id !== undefined) await this.#begin(id);
        // A relay that offers no such stream, or a key that was revoked.
        else if (answer.statusCode !== 200) return void answer.destroy();
        else {
          waitMs = RETRY_MS.first;
          for await (const { data } of readEventStream(answer)) if (data !== "") this.#options.write(oneLine(data));
        }
      } catch {
        // The relay is away.
      }
      await delay(waitMs, undefined, { signal }).catch(() => undefined);
      waitMs = Math.min(waitMs * 2, RETRY_MS.last);
    }
  }

  /** Introduces the client anew, unless that was done since it had the connection of an id: several find it ended at once. */
  #begin(id: string): Promise<void> {
    if (this.#id === id) this.#anew ??= this.#introduce().finally(() => (this.#anew = undefined));
    return this.#anew ?? Promise.resolve();
  }

  async #introduce(): Promise<void> {
    if (this.#introduction === undefined) return;
    this.#id = undefined;
    const messages = [this.#introduction, { jsonrpc: "2.0", method: "notifications/initialized" }];
    for (const value of [...messages, ...this.#subscribed.values()]) await this.#post(value, () => undefined);
  }

  /**
   * Sends a message and reads what is answered to it. Returns the status.
   *
   * @throws Error for a refusal of the relay, and for a request that it left without an answer
   */
  async #post(value: unknown, write: (line: string) => void, message?: Message): Promise<number> {
    const asked = this.#id;
    const answer = await this.#send("POST", value, this.#ended.signal);
    const { statusCode = 0, headers } = answer;
    const id = headers["mcp-session-id"];
    if (typeof id === "string") this.#id = id;
    let isAnswered = message?.id === undefined || message.method === undefined;
    const take = (text: string) => {
      const told = Message.safeParse(jsonOrUndefined(text)).data;
      const version = told?.result?.protocolVersion;
      if (version !== undefined) this.#version ??= version;
      if (told?.method === undefined && told?.id === message?.id) isAnswered = true;
      write(text);
    };
    if (String(headers["content-type"]).startsWith("text/event-stream")) {
      for await (const { data } of readEventStream(answer)) if (data !== "") take(oneLine(data));
      if (!isAnswered) throw new Error("the relay ended during the call, which may have been executed");
      return statusCode;
    }
    const text = await readText(answer, this.#options.url, this.#options.remote);
    if (statusCode >= 400 && statusCode !== 404) throw new Error(refusalIn(text) ?? `the relay answered ${statusCode}`);
    if (statusCode === 404 && asked === undefined) throw new Error("the relay has no MCP: update Patchbay there");
    if (statusCode < 400 && text !== "") take(oneLine(text));
    return statusCode;
  }

  #send(method: "POST" | "GET" | "DELETE", body: unknown, signal: AbortSignal | undefined) {
    const { url, token, remote } = this.#options;
    return send(url, {
      method,
      headers: {
        Accept: "application/json, text/event-stream",
        "X-Service-Token": token,
        ...(this.#id !== undefined && { "Mcp-Session-Id": this.#id }),
        ...(this.#id !== undefined && this.#version !== undefined && { "MCP-Protocol-Version": this.#version }),
      },
      ...(body !== undefined && { body }),
      // A call may wait for as long as its own parameters say.
      silenceMs: 0,
      ...(signal !== undefined && { signal }),
      ...(remote !== undefined && { remote }),
    });
  }
}

/** Splits what a client writes into its lines. @throws RelayUnreachable for a line that no relay would take */
async function* linesOf(input: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let pieces: string[] = [];
  let length = 0;
  for await (const piece of input) {
    const [first = "", ...more] = decoder.decode(piece, { stream: true }).split("\n");
    pieces.push(first);
    length += first.length;
    for (const next of more) {
      const line = pieces.join("").trim();
      if (line !== "") yield line;
      pieces = [next];
      length = next.length;
    }
    if (length > LONGEST_MESSAGE) throw new RelayUnreachable("A message was longer than 1 MiB.");
  }
  const last = pieces.join("").trim();
  if (last !== "") yield last;
}

/** Returns JSON on one line: the client takes each line for a message. */
function oneLine(json: string): string {
  return json.replaceAll(/[\r\n]+/g, " ");
}

const Refusal = z.object({ error: z.union([z.string(), z.object({ message: z.string() })]) });

function refusalIn(text: string): string | undefined {
  const { data } = Refusal.safeParse(jsonOrUndefined(text));
  return typeof data?.error === "string" ? data.error : data?.error.message;
}
