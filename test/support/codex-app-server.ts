import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { type WebSocket, WebSocketServer } from "ws";
import { z } from "zod";

const Message = z.looseObject({ id: z.union([z.string(), z.number()]).optional(), method: z.string().optional() });
type Message = z.infer<typeof Message>;

/** Stands in for the app server of Codex: it knows some threads, and says what its clients send. */
export class CodexAppServer implements AsyncDisposable {
  readonly received: Message[] = [];
  readonly threads = new Set<string>();
  readonly #http: Server;
  readonly #clients = new Set<WebSocket>();
  readonly #link: string;

  private constructor(http: Server, link: string) {
    this.#http = http;
    this.#link = link;
    new WebSocketServer({ server: http }).on("connection", (client) => {
      this.#clients.add(client);
      client.on("close", () => this.#clients.delete(client));
      client.on("message", (data) => this.#receive(client, Message.parse(JSON.parse(String(data)))));
    });
  }

  /** Starts a server for a home folder. Like Codex's own, its socket is elsewhere, under a short path. */
  static async start(home: string, socket: string): Promise<CodexAppServer> {
    const http = createServer();
    await new Promise<void>((resolve) => http.listen(socket, resolve));
    mkdirSync(join(home, "app-server-control"), { recursive: true });
    const link = join(home, "app-server-control", "app-server-control.sock");
    symlinkSync(socket, link);
    return new CodexAppServer(http, link);
  }

  /** Sends to every client. */
  send(message: object): void {
    for (const client of this.#clients) client.send(JSON.stringify(message));
  }

  /** Sends bytes as they are. */
  sendText(text: string): void {
    for (const client of this.#clients) client.send(text);
  }

  /** Drops every client. */
  drop(): void {
    for (const client of this.#clients) client.terminate();
  }

  called(method: string): Message[] {
    return this.received.filter((message) => message.method === method);
  }

  /** The replies to requests of this server. */
  replies(): Message[] {
    return this.received.filter(({ method }) => method === undefined);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.drop();
    await new Promise((resolve) => this.#http.close(resolve));
    rmSync(this.#link, { force: true });
  }

  #receive(client: WebSocket, message: Message): void {
    this.received.push(message);
    if (message.method === undefined || message.id === undefined) return;
    const { threadId } = z.looseObject({ threadId: z.string().optional() }).catch({}).parse(message.params);
    const known = message.method !== "thread/resume" || this.threads.has(threadId ?? "");
    const result = message.method === "thread/loaded/list" ? { data: [...this.threads] } : {};
    const answer = known ? { result } : { error: { code: -32600, message: "no rollout found" } };
    client.send(JSON.stringify({ id: message.id, ...answer }));
  }
}
