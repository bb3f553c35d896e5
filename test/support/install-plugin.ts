import type { FrameLocator, Page } from "playwright-core";
import { expect } from "vitest";

/** The relay for a plugin, with a key of its owner. */
interface PluginRelay {
  relay(): { readonly url: string; readonly session: string };
  readonly key: string;
}

/** Installs the plugin of that id from a folder of its name, with a bearer token of the lab's key. */
export async function installPlugin(lab: PluginRelay, site: string, id: string): Promise<void> {
  const { url, session } = lab.relay();
  const granted = await fetch(`${url}/v1/oauth/token`, {
    method: "POST",
    headers: { "X-Service-Token": lab.key, "Content-Type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ grant_type: "client_credentials", scope: "plugins:install" }),
  });
  const token = (await granted.json()) as { access_token: string };
  const answer = await fetch(`${url}/v1/sessions/${session}/plugins`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token.access_token}`, "Content-Type": "application/json" },
    body: JSON.stringify({ manifest_url: `${site}/${id}/manifest.json`, plugin_id: id }),
  });
  expect([answer.status, await answer.text()]).toEqual([200, '{"ok":true}']);
}

/** The page of an open plugin, in its frame of a frame. */
export function pluginPage(page: Page, name: string): FrameLocator {
  return page.frameLocator(`iframe[title="${name}"]`).frameLocator("iframe");
}

/** Runs a plugin that was allowed, where this browser asks first because it does not keep it from the network. */
export async function acceptPlugin(page: Page): Promise<void> {
  const accept = page.getByRole("button", { name: "Run it in this browser" });
  await accept.or(page.locator(".plugin-frame")).first().waitFor();
  if (await accept.isVisible()) await accept.click();
}
