import { randomUUID } from "node:crypto";
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import type { Request, Response } from "express";
import { z } from "zod";
import { mayWait, procedureOf } from "../../../core/procedures/index.ts";
import type { Outcome } from "../../../core/protocol/outcome.ts";
import type { Principal } from "../access/keys.ts";
import { accountOf } from "../access/permits/permit.ts";
import type { Calls } from "../calls/calls.ts";
import type { Auth } from "../http/auth.ts";
import { jsonBody } from "../http/body.ts";
import type { FairTurns } from "../http/fair-turns.ts";
import { queryOf } from "../http/query.ts";
import type { RouteTable } from "../http/route-table.ts";
import type { UnreadAnswers } from "../http/unread-answers.ts";
import type { Sessions } from "../session/sessions.ts";
import { AnswerBody } from "./answer-body.ts";
import { AskedQuestions } from "./asked-questions.ts";
import type { McpCaller } from "./mcp-caller.ts";
import { selectTools } from "./profiles.ts";
import { WatchedResources } from "./watched-resources.ts";

const PATH = "/v1/mcp";
const STOPPED = "The relay was stopped during the call, which may have been executed: begin a new connection and look.";
/** Connections of one caller: with another one, the one that was quiet for longest ends. */
const MOST_OF_A_CALLER = 16;
/** A call that takes longer is answered with the head first: clients wait for that minutes at most. */
const HEAD_MS = 1000;
/** At the relay's end, calls are given as long to tell their clients so. */
const STOP_MS = 1000;
/** A connection without a request for as long ends. */
const QUIET_MS = 12 * 3600 * 1000;

const McpQuery = z.object({ tools: z.string().min(1).max(4000).optional() });

interface McpRoutesOptions {
  readonly auth: Auth;
  readonly calls: Pick<Calls, "call" | "mayCall">;
  readonly sessions: Sessions;
  readonly turns: FairTurns;
  readonly unread: Pick<UnreadAnswers, "refusal">;
  readonly version: string;
  /** How long a command may take in milliseconds. */
  readonly timeoutMs: number;
}

/** A client's connection (Streamable HTTP, "Session Management"). */
interface Connection {
  readonly id: string;
  /** Whose it is: another caller does not find it. */
  readonly account: string;
  readonly server: Server;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly watched: WatchedResources;
  lastAt: number;
}

/**
 * `/v1/mcp`: the relay's procedures as tools of the Model Context Protocol, over Streamable HTTP. Each call is checked and
 * recorded as any other (docs/decisions/0051).
 */
export class McpRoutes implements AsyncDisposable {
  readonly #options: McpRoutesOptions;
  readonly #connections = new Map<string, Connection>();
  readonly #calls = new Set<Promise<Outcome>>();
  readonly #stopping = new AbortController();
  readonly #timer: NodeJS.Timeout;

  constructor(options: McpRoutesOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#endQuiet(), QUIET_MS / 12).unref();
  }

  add = (routes: RouteTable): void => {
    for (const verb of ["GET", "POST", "DELETE"] as const) {
      routes.add(verb, PATH, (request: Request, response) => this.#handle(request, response));
    }
  };

  /** Ends every connection. Clients are told what becomes of their calls: they would wait for the answers else. */
  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    this.#stopping.abort();
    const settled = Promise.allSettled(this.#calls);
    await Promise.race([settled, new Promise((resolve) => setTimeout(resolve, STOP_MS).unref())]);
    await new Promise(setImmediate);
    for (const one of this.#connections.values()) this.#end(one);
  }

  async #handle(request: Request, response: Response): Promise<void> {
    const { auth } = this.#options;
    const principal = auth.caller(request);
    const { tools } = queryOf(request, McpQuery);
    const body = request.method === "POST" ? await jsonBody(request, response, { mayBeEmpty: false }) : undefined;
    auth.checkStillValid(principal);
    const account = accountOf(principal);
    const id = request.headers["mcp-session-id"];
    const known = typeof id === "string" ? this.#connections.get(id) : undefined;
    if (id !== undefined && known?.account !== account) return unknownConnection(response);
    const connection = known ?? (await this.#open(account, tools));
    connection.lastAt = Date.now();
    const release = auth.lifetimeOf(principal)?.onEnd(() => this.#end(connection));
    response.once("close", () => release?.());
    const caller = this.#callerOf(request, response, principal);
    const authInfo = { token: "", clientId: account, scopes: [], extra: { caller } };
    const answer = await connection.transport.handleRequest(asFetched(request), { authInfo, parsedBody: body });
    if (request.method === "GET" && answer.status === 200) this.#listen(connection, caller, response);
    await write(answer, response);
    // A request that began no connection leaves none behind.
    if (connection.transport.sessionId === undefined) await connection.server.close();
  }

  #callerOf(request: Request, response: Response, principal: Principal): McpCaller {
    const { auth, calls, sessions, timeoutMs, turns, unread } = this.#options;
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    const caller = auth.callerOf(request, principal);
    const inTurn = async (run: () => Promise<Outcome>): Promise<Outcome> => {
      await turns.take(caller.account);
      const error = unread.refusal(caller.account);
      return error === undefined ? run() : { error, client: undefined };
    };
    // The first call of a request has had its turn with the request, and was not refused with it.
    let isFirst = true;
    let latest: Promise<unknown> = Promise.resolve();
    return {
      session: principal.session,
      user: principal.user,
      hidesSecrets: async () => (await sessions.permitOf(principal, { reads: true }))?.hidesSecrets === true,
      may: (name, params) => calls.mayCall(caller, name, params),
      call: (name, params, options) => {
        const run = async () => {
          const until = () => AbortSignal.any([options.gone, gone.signal, this.#stopping.signal]);
          const called = calls.call(caller, name, params, { ...options, timeoutMs, gone: until });
          this.#calls.add(called);
          const outcome = await called.finally(() => this.#calls.delete(called));
          if ("error" in outcome && this.#stopping.signal.aborted) throw new Error(STOPPED);
          return outcome;
        };
        const begin = isFirst ? run : () => inTurn(run);
        isFirst = false;
        const procedure = procedureOf(name);
        if (procedure !== undefined && mayWait(procedure, params)) return begin();
        // One after the other: the answers of a hundred calls at once would all be made before one is read.
        const called = latest.then(begin);
        latest = called.catch(() => undefined);
        return called;
      },
    };
  }

  /** Tells a client unasked what it wants to hear, as long as it reads the stream for it. */
  #listen({ server, watched }: Connection, caller: McpCaller, response: Response): void {
    watched.listen(response);
    if (server.getClientCapabilities()?.elicitation === undefined) return;
    // Clients of the protocol's library cannot be told that the first request of a server, which has the id 0, is cancelled.
    const ready = server.ping();
    // A client that is gone is asked nothing.
    ready.catch(() => undefined);
    const asked = new AskedQuestions({ server, caller, ready, sessions: this.#options.sessions });
    response.once("close", () => asked[Symbol.dispose]());
  }

  /** Makes a connection, which is kept once its client has introduced itself. */
  async #open(account: string, tools: string | undefined): Promise<Connection> {
    const selection = selectTools(tools);
    // Loaded for the first client: a relay without one starts without it.
    const { createMcpServer, createTransport } = await import("./mcp-server.ts");
    const id = randomUUID();
    const tell = (uri: string) => {
      // A client that is gone reads the resource when it is back.
      server.sendResourceUpdated({ uri }).catch(() => undefined);
    };
    const watched = new WatchedResources({ sessions: this.#options.sessions, tell });
    const server = createMcpServer({
      version: this.#options.version,
      tools: selection,
      watched,
      callerOf: ({ authInfo }) => {
        const caller = authInfo?.extra?.caller;
        if (caller === undefined) throw new Error("a request without a caller");
        return caller as McpCaller;
      },
    });
    const transport = createTransport(id, () => this.#keep(connection));
    const connection: Connection = { id, account, server, transport, watched, lastAt: Date.now() };
    server.onclose = () => {
      watched[Symbol.dispose]();
      this.#connections.delete(id);
    };
    await server.connect(transport);
    return connection;
  }

  #keep(connection: Connection): void {
    const own = [...this.#connections.values()].filter(({ account }) => account === connection.account);
    own.sort((one, other) => one.lastAt - other.lastAt);
    for (const one of own.slice(0, Math.max(0, own.length - MOST_OF_A_CALLER + 1))) this.#end(one);
    this.#connections.set(connection.id, connection);
  }

  #end({ id, server }: Connection): void {
    this.#connections.delete(id);
    void server.close();
  }

  #endQuiet(): void {
    const before = Date.now() - QUIET_MS;
    for (const one of this.#connections.values()) if (one.lastAt < before) this.#end(one);
  }
}

/** Tells a client to begin anew: its connection has ended, as after a restart of the relay, or is another caller's. */
function unknownConnection(response: Response): void {
  const message = "This connection has ended: initialize a new one.";
  response.status(404).json({ jsonrpc: "2.0", error: { code: -32001, message }, id: null });
}

/** Returns a request as the protocol's library takes it: without its body, which was read. */
function asFetched({ method, headers, url }: Request): globalThis.Request {
  const given = Object.entries(headers).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : []));
  return new globalThis.Request(new URL(url, "http://relay"), { method, headers: Object.fromEntries(given) });
}

/** Writes the library's answer, at the pace of its reader. */
async function write({ status, headers, body }: globalThis.Response, response: Response): Promise<void> {
  response.writeHead(status, Object.fromEntries(headers));
  if (body === null) return void response.end();
  // With the first message where that comes soon: each write wakes the client up.
  const head = setTimeout(() => response.flushHeaders(), response.req.method === "GET" ? 0 : HEAD_MS).unref();
  const answer = new AnswerBody(body);
  answer.once("error", () => response.destroy()).pipe(response);
  if (!response.closed) await new Promise((resolve) => response.once("close", resolve));
  clearTimeout(head);
  answer.destroy();
}
