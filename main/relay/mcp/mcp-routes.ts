import { randomUUID } from "node:crypto";
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { Request, Response } from "express";
import { z } from "zod";
import { callerOf } from "../access/permits/caller.ts";
import { accountOf } from "../access/permits/permit.ts";
import type { Calls } from "../calls/calls.ts";
import type { Auth } from "../http/auth.ts";
import { jsonBody } from "../http/body.ts";
import { queryOf } from "../http/query.ts";
import type { RouteTable } from "../http/route-table.ts";
import { fleetPeerOf } from "../net/fleet-peer.ts";
import type { McpCaller } from "./mcp-caller.ts";
import { selectTools } from "./profiles.ts";

const PATH = "/v1/mcp";
/** Connections of one caller: with another one, the one that was quiet for longest ends. */
const MOST_OF_A_CALLER = 16;
/** A connection without a request for as long ends. */
const QUIET_MS = 12 * 3600 * 1000;

const McpQuery = z.object({ tools: z.string().min(1).max(4000).optional() });

interface McpRoutesOptions {
  readonly auth: Auth;
  readonly calls: Pick<Calls, "call">;
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
  readonly transport: StreamableHTTPServerTransport;
  lastAt: number;
}

/**
 * `/v1/mcp`: the relay's procedures as tools of the Model Context Protocol, over Streamable HTTP. Each call is checked and
 * recorded as any other (docs/decisions/0051).
 */
export class McpRoutes implements Disposable {
  readonly #options: McpRoutesOptions;
  readonly #connections = new Map<string, Connection>();
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

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
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
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    const lifetime = auth.lifetimeOf(principal);
    const release = lifetime?.onEnd(() => this.#end(connection));
    response.once("close", () => release?.());
    const caller = callerOf(principal, {
      from: request.socket.remoteAddress ?? "",
      peer: fleetPeerOf(request),
      lifetime,
    });
    const here: McpCaller = {
      session: principal.session,
      call: (name, params, options) =>
        this.#options.calls.call(caller, name, params, {
          ...options,
          timeoutMs: this.#options.timeoutMs,
          gone: () => AbortSignal.any([options.gone, gone.signal]),
        }),
    };
    // The only way in which the library hands something from a request on to its handlers.
    const told = Object.assign(request, {
      auth: { token: "", clientId: account, scopes: [], extra: { caller: here } },
    });
    await connection.transport.handleRequest(told, response, body);
    // A request that began no connection leaves none behind.
    if (connection.transport.sessionId === undefined) await connection.server.close();
  }

  /** Makes a connection, which is kept once its client has introduced itself. */
  async #open(account: string, tools: string | undefined): Promise<Connection> {
    const selection = selectTools(tools);
    // Loaded for the first client: a relay without one starts without it.
    const { createMcpServer, createTransport } = await import("./mcp-server.ts");
    const id = randomUUID();
    const server = createMcpServer({
      version: this.#options.version,
      tools: selection,
      callerOf: ({ authInfo }) => {
        const caller = authInfo?.extra?.caller;
        if (caller === undefined) throw new Error("a request without a caller");
        return caller as McpCaller;
      },
    });
    const transport = createTransport(id, () => this.#keep(connection));
    const connection: Connection = { id, account, server, transport, lastAt: Date.now() };
    server.onclose = () => this.#connections.delete(id);
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
