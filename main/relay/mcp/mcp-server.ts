import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import type { RequestHandlerExtra } from "@modelcontextprotocol/sdk/shared/protocol.js";
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  type ServerNotification,
  type ServerRequest,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import type { Procedure } from "../../../core/procedures/index.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import { didYouMeanOneOf, suggestNames } from "../../../core/protocol/suggest-names.ts";
import { type McpCaller, sessionsOf } from "./mcp-caller.ts";
import type { Selection } from "./profiles.ts";
import { listResources, placeOfResource, type ResourcePlace, resourceTemplates } from "./resources.ts";
import { describeTool, placeOf, structured } from "./tool.ts";
import type { WatchedResources } from "./watched-resources.ts";

/** How often a call that waits says so, in milliseconds: clients give up on calls that say nothing. */
const PROGRESS_MS = 5_000;

interface McpServerOptions {
  readonly version: string;
  readonly tools: Selection;
  readonly watched: Pick<WatchedResources, "add" | "remove">;
  /** Returns who sent a request. */
  readonly callerOf: (request: McpRequest) => McpCaller;
}

type McpRequest = RequestHandlerExtra<ServerRequest, ServerNotification>;

const INSTRUCTIONS = `Patchbay runs shells and coding agents in tiles that people watch. Run a command with runCommand and \`wait: true\`: the answer has its output and exit code. waitFor waits for text, for silence, or for the end of a shell. What your shell may not do is refused and asked of the person there: wait, then try again.`;

/** Makes the server of one connection: tools from the declarations, shells' output and conversations as resources. */
export function createMcpServer({ version, tools, watched, callerOf }: McpServerOptions): Server {
  const server = new Server(
    { name: "patchbay", title: "Patchbay", version },
    { capabilities: { tools: {}, resources: { subscribe: true } }, instructions: INSTRUCTIONS },
  );
  const byName = new Map<string, Procedure>(tools.procedures.map((procedure) => [procedure.name, procedure]));
  const described = tools.procedures.map((procedure) =>
    describeTool(procedure, { withResult: tools.describesResults }),
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: described }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, request) => {
    const procedure = byName.get(params.name) ?? unknownTool(params.name, byName);
    const { session, client, params: given } = placeOf(procedure, params.arguments ?? {});
    const caller = callerOf(request);
    const stopProgress = tellProgress(request);
    try {
      const at = session ?? (await usualSession(caller, request.signal));
      const outcome = await caller.call(procedure.name, given, { session: at, client, gone: request.signal });
      return "error" in outcome ? refusal(outcome.error) : answer(outcome.value);
    } finally {
      stopProgress();
    }
  });
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates }));
  server.setRequestHandler(ListResourcesRequestSchema, async (_request, request) => ({
    resources: await listResources(callerOf(request), request.signal),
  }));
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }, request) => {
    const place = resourceAt(uri);
    const { mimeType, textOf } = place;
    return { contents: [{ uri, mimeType, text: textOf(await read(callerOf(request), place, request.signal)) }] };
  });
  server.setRequestHandler(SubscribeRequestSchema, async ({ params: { uri } }, request) => {
    const place = resourceAt(uri);
    // Who may read it may hear of its changes.
    await read(callerOf(request), place, request.signal);
    try {
      watched.add(uri, place);
    } catch (error) {
      throw error instanceof RemoteError ? refusedParams(error) : error;
    }
    return {};
  });
  server.setRequestHandler(UnsubscribeRequestSchema, ({ params: { uri } }) => {
    watched.remove(uri);
    return {};
  });
  return server;
}

/** @throws McpError for an address that is none */
function resourceAt(uri: string): ResourcePlace {
  const place = placeOfResource(uri);
  if (place === undefined) throw new McpError(ErrorCode.InvalidParams, `There is no resource ${uri.slice(0, 200)}.`);
  return place;
}

/** Resolves to what a resource has now. Rejects with an McpError as the call is refused. */
async function read(caller: McpCaller, { name, params, session }: ResourcePlace, gone: AbortSignal): Promise<unknown> {
  const outcome = await caller.call(name, params, { session, gone });
  if ("error" in outcome) throw refusedParams(outcome.error);
  return outcome.value;
}

function refusedParams(error: RemoteError): McpError {
  return new McpError(ErrorCode.InvalidParams, messageOf(error));
}

/** Makes the transport of a connection. @param onStarted called when its client has introduced itself */
export function createTransport(id: string, onStarted: () => void): WebStandardStreamableHTTPServerTransport {
  return new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => id,
    onsessioninitialized: onStarted,
  });
}

/** Returns the session of a caller that names none: that of its shell, else the only one; undefined where there are several. */
async function usualSession(caller: McpCaller, gone: AbortSignal): Promise<string | undefined> {
  if (caller.session !== undefined) return caller.session;
  const sessions = await sessionsOf(caller, gone);
  return sessions.length === 1 ? sessions[0] : undefined;
}

function answer(value: unknown): CallToolResult {
  return { content: [{ type: "text", text: JSON.stringify(value ?? null) }], structuredContent: structured(value) };
}

/** Answers a refusal: a model reads it, and can do something else. */
function refusal(error: RemoteError): CallToolResult {
  return { content: [{ type: "text", text: messageOf(error) }], isError: true };
}

function messageOf({ code, message }: RemoteError): string {
  return `${code}: ${message}`;
}

function unknownTool(name: string, known: ReadonlyMap<string, Procedure>): never {
  const near = suggestNames(
    name,
    [...known.keys()].map((one) => [one, one] as const),
  );
  throw new McpError(
    ErrorCode.InvalidParams,
    `There is no tool ${JSON.stringify(name.slice(0, 60))} on this connection.${didYouMeanOneOf(near)}`,
  );
}

/** Tells a client that asked for it how long its call has taken so far. Returns what stops that. */
function tellProgress({ _meta, sendNotification }: McpRequest): () => void {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return () => undefined;
  const startedAt = performance.now();
  const timer = setInterval(() => {
    const progress = Math.round((performance.now() - startedAt) / 1000);
    const params = { progressToken, progress, message: `${progress} s` };
    // A client that is gone ends the call itself.
    sendNotification({ method: "notifications/progress", params }).catch(() => undefined);
  }, PROGRESS_MS);
  return () => clearInterval(timer);
}
