import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SessionId } from "../../core/protocol/ids.ts";
import { allAdapters } from "../../main/agents/adapters/all.ts";
import { AgentsInShell } from "../../main/agents/agents-in-shell.ts";
import { readClaudeHook } from "../../main/agents/hooks/claude-hooks.ts";
import { readOpencodeHook } from "../../main/agents/hooks/opencode-hooks.ts";
import type { RemoteListenerOptions } from "../../main/relay/http/tls-listener.ts";
import { Relay, type RelayOptions } from "../../main/relay/relay.ts";
import { openStore } from "../../main/relay/store/open-store.ts";
import { Store } from "../../main/relay/store/store.ts";
import { createShellHost } from "../../main/shells/shell-host.ts";
import { checkDescribed } from "./described-answer.ts";
import { noAgents } from "./no-agents.ts";
import { type JoinOptions, joinRelay, type ScriptedClient } from "./scripted-client.ts";

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

export interface TestRelay extends AsyncDisposable {
  readonly relay: Relay;
  /** Base address, with the base path where there is one. */
  readonly url: string;
  /** Id of the default session. */
  readonly session: SessionId;
  /** API key of the session's owner. */
  readonly key: string;
  /** A folder that goes with the relay; the home folder of its shells. */
  readonly folder: string;
  /** What the relay logged as an error. */
  readonly errors: readonly unknown[];
  /** Any request below the base address; with the owner's key unless the headers bring another. */
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>;
  /** `POST remote/command` in the default session. */
  post(body: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** `GET remote/<path>` in the default session. */
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  /** The result of a command that must succeed. */
  command<T = unknown>(method: string, params?: object, target?: number): Promise<T>;
  /** A real client that joins the default session and leaves at the end. */
  join(options?: JoinOptions): Promise<ScriptedClient>;
  /** Stops the relay and starts it again on the same data. */
  restart(): Promise<void>;
}

export interface RequestOptions {
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}

export type TestRelayOptions = Partial<
  Pick<
    RelayOptions,
    | "basePath"
    | "commandTimeoutMs"
    | "shellHostFor"
    | "agents"
    | "findAgents"
    | "readHook"
    | "dataFolder"
    | "healthIssue"
    | "pagesFolder"
    | "ports"
    | "timeouts"
    | "secrets"
    | "webhookPace"
    | "telemetry"
  >
> & {
  /** A listener for other machines, besides. */
  readonly outside?: RemoteListenerOptions;
  /** Loopback address to listen on; default 127.0.0.1. */
  readonly host?: string;
};

/** The real relay in this process: store in a folder of its own, real shells, a free port. */
export async function startTestRelay(options: TestRelayOptions = {}): Promise<TestRelay> {
  const folder = mkdtempSync(join(tmpdir(), "patchbay-relay-"));
  const errors: unknown[] = [];
  let relay = await start(folder, options, errors);
  const session = relay.sessions.default(relay.user).id;
  const { secret: key } = relay.keys.create({ owner: relay.user, name: "test" });
  const remote = `/v1/sessions/${session}/remote`;
  const request: TestRelay["request"] = async (method, path, { headers = {}, body } = {}) => {
    const response = await fetch(relay.url + path, {
      method,
      headers: {
        "X-Service-Token": key,
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const answer = { status: response.status, text: await response.text(), headers: response.headers };
    checkDescribed({ method, path, body, ...answer });
    return answer;
  };
  const post: TestRelay["post"] = (body, headers = {}) => request("POST", `${remote}/command`, { body, headers });
  return {
    get relay() {
      return relay;
    },
    get url() {
      return relay.url;
    },
    session,
    key,
    folder,
    errors,
    request,
    post,
    get: (path, headers = {}) => request("GET", `${remote}/${path}`, { headers }),
    async command<T>(method: string, params: object = {}, target?: number) {
      const { status, text } = await post({
        method,
        params,
        ...(target === undefined ? {} : { target_client_id: target }),
      });
      if (status !== 200) throw new Error(`${method}: ${status} ${text}`);
      return (JSON.parse(text) as { result: T }).result;
    },
    join: (wanted = {}) => joinRelay({ relay, session, key }, wanted),
    async restart() {
      await relay.close();
      relay = await start(folder, options, errors);
    },
    async [Symbol.asyncDispose]() {
      await relay.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function start(folder: string, options: TestRelayOptions, errors: unknown[]): Promise<Relay> {
  const quiet = () => undefined;
  const environment = { PATH: process.env.PATH, HOME: folder, SHELL: "/bin/bash", LANG: "C.UTF-8" };
  const agents = new AgentsInShell(allAdapters());
  const relay = new Relay({
    store: new Store(openStore(folder).database),
    log: { debug: quiet, info: quiet, warn: quiet, error: (message, fields) => errors.push([message, fields]) },
    version: "0.0.0",
    agents: noAgents,
    findAgents: (sessionId, { id: shellId, pid }) => agents.in({ sessionId, shellId, pid }),
    readHook: (agent, event) => (agent === "opencode" ? readOpencodeHook(event) : readClaudeHook(event)),
    dataFolder: folder,
    shellHostFor: () => createShellHost({ integrationFolder: join(folder, "integration"), environment }),
    docsFolder: folder,
    pagesFolder: folder,
    ...options,
  });
  await relay.listen({
    port: 0,
    outside: options.outside,
    ...(options.host === undefined ? {} : { host: options.host }),
  });
  return relay;
}
