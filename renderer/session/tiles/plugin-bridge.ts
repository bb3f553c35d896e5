import { type MethodName, specs } from "../../../core/commands/specs.ts";
import { errorText } from "../../../core/protocol/error-text.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import { RelayEvent } from "../../../core/protocol/events.ts";
import { TokenBucket } from "../../../core/protocol/rate-limits.ts";
import type { PluginRecord, Role } from "../../../core/protocol/records.ts";
import { checkRole } from "../../../core/protocol/roles.ts";
import { words } from "../words/index.ts";
import { type PluginMessage, readPluginMessage } from "./plugin-message.ts";
import type { PluginTheme } from "./plugin-theme.ts";

const MAX_OPEN_CALLS = 16;
const relayTypes: ReadonlySet<string> = new Set(RelayEvent.options.map((option) => option.shape.type.value));

interface PluginBridgeOptions {
  /** Returns the plugin's current record; undefined once it is removed. */
  readonly plugin: () => PluginRecord | undefined;
  /** Returns the role of this client. */
  readonly role: () => Role | undefined;
  readonly theme: PluginTheme;
  /** Executes a command of this client: `by` tells the relay that no person asks for it. */
  readonly execute: (method: string, params: Readonly<Record<string, unknown>>, by: "plugin") => Promise<unknown>;
  readonly onEvent: (listener: (event: RelayEvent) => void) => () => void;
  /** The plugin greatly exceeds its rate limit and must be stopped. */
  readonly onFlood: () => void;
}

export interface PluginBridge extends Disposable {
  theme(theme: PluginTheme): void;
}

/**
 * Opens the app's end of a plugin's bridge. The page can call methods that its manifest requests, the user has allowed and
 * this client's role permits; 20 calls per second, 16 at once. It receives the events that its manifest names.
 */
export function openPluginBridge(port: MessagePort, options: PluginBridgeOptions): PluginBridge {
  const calls = new TokenBucket({ capacity: 40, perSecond: 20 }, () => performance.now());
  const refusals = new TokenBucket({ capacity: 200, perSecond: 20 }, () => performance.now());
  let open = 0;
  const answer = async (message: PluginMessage): Promise<void> => {
    open += 1;
    try {
      port.postMessage({ type: "answer", id: message.id, value: await executeMessage(message, options) });
    } catch (error) {
      refuse(message.id, error);
    } finally {
      open -= 1;
    }
  };
  const refuse = (id: number, error: unknown) => {
    const code = error instanceof RemoteError ? error.code : "client_failed";
    port.postMessage({ type: "refused", id, code, message: errorText(error) });
  };
  port.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (calls.take()) {
      const message = readPluginMessage(data);
      if (message === undefined) return;
      if (open < MAX_OPEN_CALLS) void answer(message);
      else refuse(message.id, rateError(words.tiles.plugin.callsAtOnce(MAX_OPEN_CALLS)));
    } else if (refusals.take()) {
      const message = readPluginMessage(data);
      if (message !== undefined) refuse(message.id, rateError(words.tiles.plugin.callsPerSecond(20)));
    } else options.onFlood();
  };
  const leave = options.onEvent((event) => {
    const heard = toPluginEvent(event);
    if (options.plugin()?.events.includes(heard.type) === true) port.postMessage({ type: "event", event: heard });
  });
  const { id, version } = options.plugin() ?? { id: "", version: "" };
  port.postMessage({ type: "welcome", plugin: { id, version }, theme: options.theme });
  return {
    theme: (theme) => port.postMessage({ type: "theme", theme }),
    [Symbol.dispose]() {
      leave();
      port.onmessage = null;
      port.close();
    },
  };
}

async function executeMessage(
  message: PluginMessage,
  { plugin, role, execute }: PluginBridgeOptions,
): Promise<unknown> {
  const known = installed(plugin);
  switch (message.do) {
    case "call": {
      checkAllowed(known, message.method, role() ?? "reader");
      const value = await execute(message.method, message.params, "plugin");
      // It may have taken an hour: what is no longer allowed by now is not answered.
      checkAllowed(installed(plugin), message.method, role() ?? "reader");
      return value;
    }
    case "get": {
      const kept = await execute("getPluginState", { plugin: known.id, key: message.key }, "plugin");
      return (kept as { readonly value: unknown }).value;
    }
    case "set":
      checkRole(words.tiles.plugin.keeping, specs.setPluginState.role, role() ?? "reader");
      await execute("setPluginState", { plugin: known.id, key: message.key, value: message.value }, "plugin");
      return null;
  }
}

function installed(plugin: PluginBridgeOptions["plugin"]): PluginRecord {
  const known = plugin();
  if (known === undefined) throw new RemoteError("unknown_plugin", words.tiles.plugin.removed);
  return known;
}

function checkAllowed({ id, asks, permissions, allowed }: PluginRecord, method: string, role: Role): void {
  const may = !asks && permissions.includes(method) && allowed.includes(method) && Object.hasOwn(specs, method);
  const spec = may ? specs[method as MethodName] : undefined;
  if (spec === undefined || spec.closedToPlugins === true) {
    throw new RemoteError("scope_forbids", words.tiles.plugin.notAllowed(id, method));
  }
  checkRole(method, spec.role, role);
}

/** Converts an event for plugins. A broadcast with the type of a relay event is dropped, as it would impersonate it. */
function toPluginEvent(event: RelayEvent): { type: string; data: unknown; from: number | null } {
  if (event.type !== "plugin.event") return { type: event.type, data: event.data, from: null };
  const { type, data = null, from } = event.data;
  return { type: relayTypes.has(type) ? "" : type, data, from };
}

function rateError(message: string): RemoteError {
  return new RemoteError("limit_reached", message);
}
