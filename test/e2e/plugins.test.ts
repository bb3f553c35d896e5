import { resolve } from "node:path";
import { expect, test } from "vitest";
import { createKey, launchApp } from "../support/app.ts";
import { serveFolder } from "../support/serve-folder.ts";

test("a plugin's page runs in the app's window, with neither Electron nor the app's origin", async () => {
  await using site = await serveFolder(resolve(import.meta.dirname, "../../examples"));
  await using app = await launchApp();
  const granted = await fetch(`${app.relay.url}/v1/oauth/token`, {
    method: "POST",
    headers: {
      "x-service-token": await createKey(app.data),
      "content-type": "application/x-www-form-urlencoded",
    },
    body: new URLSearchParams({ grant_type: "client_credentials", scope: "plugins:install" }),
  });
  const { access_token: token } = (await granted.json()) as { access_token: string };
  const installed = await fetch(`${app.relay.url}/v1/sessions/${app.session}/plugins`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ manifest_url: `${site.url}/build-light/manifest.json`, plugin_id: "build-light" }),
  });
  expect(installed.status).toBe(200);
  const view = await app.window();
  await app.call("openTile", { type: "plugin", plugin: "build-light" });
  await view.getByRole("button", { name: "Allow and run" }).click();
  const page = view.frameLocator('iframe[title="Build light"]').frameLocator("iframe");
  await page.getByText("No build yet").waitFor();
  await app.call("broadcastEvent", { type: "build.status", data: { name: "main", status: "failed" } });
  await page.getByText("main failed").waitFor();
  expect(await page.locator("body").evaluate(() => [window.origin, "require" in window])).toEqual(["null", false]);
});
