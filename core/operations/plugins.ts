import { z } from "zod";
import { Timestamp } from "../protocol/records.ts";
import { Manifest, PluginId } from "./manifest.ts";
import { operation } from "./operation.ts";
import { SessionParam } from "./sessions.ts";

/** An installed plugin, as its session's owner sees it. */
export const InstalledPlugin = z.object({
  ...Manifest.shape,
  permissions: z.array(z.string()).describe("methods that it asks to call"),
  events: z.array(z.string()).describe("types of events that it asks to hear"),
  allowed: z.array(z.string()).describe("those of its permissions that the user has allowed"),
  manifestUrl: z.url(),
  entryUrl: z.url(),
  entrySha256: z.string().describe("of the entry page as it was installed, in hex"),
  installedAt: Timestamp,
  updatedAt: Timestamp,
});
export type InstalledPlugin = z.output<typeof InstalledPlugin>;

export const pluginOperations = {
  listPlugins: operation({
    summary: "List the installed plugins",
    details: "Ordered by id.",
    params: z.object({ session: SessionParam }),
    result: z.array(InstalledPlugin),
    access: "read",
    effect: "read",
    http: { method: "GET", path: "sessions/:session/plugins" },
  }),
  installPlugin: operation({
    summary: "Install or update a plugin",
    details: "The token must have the scope `plugins:install`.",
    params: z.object({ session: SessionParam, manifest_url: z.string(), plugin_id: PluginId }),
    result: z.object({ ok: z.literal(true) }),
    access: "change",
    effect: "change",
    bearer: "plugins:install",
    // The address may carry a secret in its query.
    sensitive: ["manifest_url"],
    http: { method: "POST", path: "sessions/:session/plugins", bare: true },
  }),
  removePlugin: operation({
    summary: "Remove a plugin",
    details: "Returns the plugin as it was.",
    params: z.object({ session: SessionParam, plugin: z.string().describe("Id of the plugin.") }),
    result: InstalledPlugin,
    access: "change",
    effect: "change",
    http: { method: "DELETE", path: "sessions/:session/plugins/:plugin" },
  }),
} as const;
