import { z } from "zod";
import { RelayUnreachable } from "../../client/errors.ts";
import { readEventStream } from "../../client/event-stream.ts";
import { type RemotePeer, readText, send } from "../../client/http.ts";

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

/** What a JSON-RPC message is told by. A message of another form is passed on: the relay refuses it. */
const Message = z.looseObject({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string().optional(),
  params: z.looseObject({ protocolVersion: z.string().optional() }).optional().catch(undefined),
  result: z.looseObject({ protocolVersion: z.string().optional() }).optional().catch(undefined),
});
type Message = z.infer<typeof Message>;

/**
 * Passes the messages of a client that speaks over its standard input and output on to a relay, and back. After a restart
 * of the relay the client is introduced to the new one unasked. Resolves when the client has ended its input.
 */
export async function bridge(options: BridgeOptions): Promise<void> {
  const connection = new Connection(options);
  const open = new Set<Promise<void>>();
  for await (const line of linesOf(options.input)) {
    const value = jsonIn(line);
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
  #anew: Promise<void> | undefined;
  readonly #ended = new AbortController();

  constructor(options: BridgeOptions) {
    this.#options = options;
  }

  /** Passes a message on, and what is answered to it back. A request that cannot be answered gets an error. */
  async pass(value: unknown, message: Message | undefined): Promise<void> {
    if (message?.method === "initialize") this.#introduction = value;
    try {
      const id = this.#id;
      if ((await this.#post(value, this.#options.write)) !== 404 || id === undefined) return;
      // Of several requests that find the relay restarted the first one introduces the client.
      if (this.#id === id) this.#anew ??= this.#introduce().finally(() => (this.#anew = undefined));
      await this.#anew;
      await this.#post(value, this.#options.write);
    } catch (error) {
      if (this.#ended.signal.aborted) return;
      const text = error instanceof Error ? error.message : String(error);
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

  async #introduce(): Promise<void> {
    if (this.#introduction === undefined) return;
    this.#id = undefined;
    await this.#post(this.#introduction, () => undefined);
    await this.#post({ jsonrpc: "2.0", method: "notifications/initialized" }, () => undefined);
  }

  /** Sends a message and reads what is answered to it. Returns the status. @throws Error for a refusal of the relay */
  async #post(value: unknown, write: (line: string) => void): Promise<number> {
    const answer = await this.#send("POST", value, this.#ended.signal);
    const { statusCode = 0, headers } = answer;
    const id = headers["mcp-session-id"];
    if (typeof id === "string") this.#id = id;
    const take = (text: string) => {
      const version = Message.safeParse(jsonIn(text)).data?.result?.protocolVersion;
      if (version !== undefined) this.#version ??= version;
      write(text);
    };
    if (String(headers["content-type"]).startsWith("text/event-stream")) {
      for await (const { data } of readEventStream(answer)) if (data !== "") take(oneLine(data));
      return statusCode;
    }
    const text = await readText(answer, this.#options.url, this.#options.remote);
    if (statusCode >= 400 && statusCode !== 404) throw new Error(refusalIn(text) ?? `the relay answered ${statusCode}`);
    if (statusCode === 404 && this.#id === undefined) throw new Error("the relay has no MCP: update Patchbay there");
    if (statusCode < 400 && text !== "") take(oneLine(text));
    return statusCode;
  }

  #send(method: "POST" | "DELETE", body: unknown, signal: AbortSignal | undefined) {
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

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns JSON on one line: the client takes each line for a message. */
function oneLine(json: string): string {
  return json.replaceAll(/[\r\n]+/g, " ");
}

const Refusal = z.object({ error: z.union([z.string(), z.object({ message: z.string() })]) });

function refusalIn(text: string): string | undefined {
  const { data } = Refusal.safeParse(jsonIn(text));
  return typeof data?.error === "string" ? data.error : data?.error.message;
}
