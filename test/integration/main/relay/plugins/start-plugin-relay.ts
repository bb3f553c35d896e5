import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { InstalledPlugin } from "../../../../../core/operations/plugins.ts";
import type { SessionId } from "../../../../../core/protocol/ids.ts";
import type { PluginNetwork } from "../../../../../main/relay/plugins/plugins.ts";
import { Relay } from "../../../../../main/relay/relay.ts";
import { openStore } from "../../../../../main/relay/store/open-store.ts";
import { Store } from "../../../../../main/relay/store/store.ts";
import { createShellHost } from "../../../../../main/shells/shell-host.ts";
import { noAgents } from "../../../../support/no-agents.ts";

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

export interface PluginRelay extends AsyncDisposable {
  readonly relay: Relay;
  readonly folder: string;
  readonly session: SessionId;
  readonly apiKey: string;
  readonly bearer: string;
  /** What was logged as an error. */
  readonly errors: readonly unknown[];
  call(method: string, path: string, headers: Record<string, string>, body?: unknown): Promise<Answer>;
  /** `POST plugins` with the bearer token. */
  install(manifestUrl: string, id?: string): Promise<Answer>;
  /** `GET plugins` with the API key. */
  list(): Promise<InstalledPlugin[]>;
  /** Stops the relay and starts it again on the same data. */
  restart(): Promise<void>;
}

/** A real relay on a free port with one session, and how plugins are asked of it. */
export async function startPluginRelay(network: PluginNetwork = {}): Promise<PluginRelay> {
  const folder = mkdtempSync(join(tmpdir(), "patchbay-plugins-"));
  const errors: unknown[] = [];
  let relay = await start(folder, network, errors);
  const session = relay.sessions.default(relay.user).id;
  const { secret: apiKey } = relay.keys.create({ owner: relay.user, name: "test" });
  const scopes = ["plugins:install"];
  const { secret: bearer } = relay.keys.create({ owner: relay.user, name: "token", scheme: "bearer", scopes });
  const call: PluginRelay["call"] = async (method, path, headers, body) => {
    const response = await fetch(`${relay.url}/v1/sessions/${path}`, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { "Content-Type": "application/json" }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, text: await response.text(), headers: response.headers };
  };
  return {
    get relay() {
      return relay;
    },
    folder,
    session,
    apiKey,
    bearer,
    errors,
    call,
    install: (manifestUrl, id = "agent-cost") =>
      call("POST", `${session}/plugins`, bearerOf(bearer), { manifest_url: manifestUrl, plugin_id: id }),
    async list() {
      const { text } = await call("GET", `${session}/plugins`, { "X-Service-Token": apiKey });
      return (JSON.parse(text) as { result: InstalledPlugin[] }).result;
    },
    async restart() {
      await relay.close();
      relay = await start(folder, network, errors);
    },
    async [Symbol.asyncDispose]() {
      await relay.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export function bearerOf(token: string): Record<string, string> {
  return { Authorization: `Bearer ${token}` };
}

async function start(folder: string, pluginNetwork: PluginNetwork, errors: unknown[]): Promise<Relay> {
  const quiet = () => undefined;
  const relay = new Relay({
    store: new Store(openStore(folder).database),
    log: { debug: quiet, info: quiet, warn: quiet, error: (message, fields) => errors.push([message, fields]) },
    version: "0.0.0",
    agents: noAgents,
    shellHostFor: () => createShellHost({ integrationFolder: join(folder, "shell-integration") }),
    docsFolder: folder,
    pagesFolder: folder,
    pluginNetwork,
  });
  await relay.listen({ port: 0 });
  return relay;
}
