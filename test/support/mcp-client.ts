import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { type ElicitRequest, ElicitRequestSchema, type ElicitResult } from "@modelcontextprotocol/sdk/types.js";
import type { TestRelay } from "./test-relay.ts";

interface McpOptions {
  readonly tools?: string;
  /** Default: the owner's key. */
  readonly token?: string;
  /** Answers questions for the person behind the client, which declares that it can. `signal`: asked no more. */
  readonly elicit?: (asked: ElicitRequest["params"], signal: AbortSignal) => Promise<ElicitResult>;
}

/** Connects a client of the protocol's own library to a relay, as other programs do. */
export async function connectMcp(relay: TestRelay, { tools, token = relay.key, elicit }: McpOptions = {}) {
  const url = new URL(`${relay.url}/v1/mcp${tools === undefined ? "" : `?tools=${tools}`}`);
  const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers: { "X-Service-Token": token } } });
  const capabilities = elicit === undefined ? {} : { elicitation: {} };
  const client = new Client({ name: "test", version: "1" }, { capabilities });
  if (elicit !== undefined) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }, { signal }) => elicit(params, signal));
  }
  // The library's own types differ in optional properties.
  await client.connect(transport as Transport);
  return {
    client,
    transport,
    call: (name: string, args: Record<string, unknown> = {}) => client.callTool({ name, arguments: args }),
    [Symbol.asyncDispose]: () => client.close(),
  };
}

/** Returns the text of a tool's answer. */
export function textOf(result: { readonly [name: string]: unknown }): string {
  return (result.content as { text: string }[])[0]?.text ?? "";
}

/** Returns the code of a refusal, which stands before its sentence. */
export function refusalCode(result: { readonly [name: string]: unknown }): string {
  const [code = ""] = textOf(result).split(":");
  return code;
}
