import { resolve } from "node:path";
import type { FrameLocator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type FolderServer, serveFolder } from "../../support/serve-folder.ts";
import { until } from "../../support/until.ts";
import { startWebLab, type WebLab } from "./web-lab.ts";

let lab: WebLab;
let site: FolderServer;

/** Tries what a plugin must not, and writes what came of it. */
const HOSTILE = `<!doctype html><pre id="log"></pre><script src="patchbay.js"></script><script>
const log = (line) => { document.getElementById("log").textContent += line + "\\n"; };
const attempt = async (name, act) => { try { await act(); log(name + ": done"); } catch (error) { log(name + ": " + (typeof error.code === "string" ? error.code : error.name)); } };
patchbay.ready.then(async () => {
  await attempt("parent", () => parent.parent.document.body);
  await attempt("top", () => { top.location.href = "about:blank"; });
  await attempt("cookie", () => document.cookie);
  await attempt("storage", () => localStorage.length);
  await attempt("fetch", () => fetch("/v1/health"));
  await attempt("socket", () => new Promise((resolve, reject) => {
    const socket = new WebSocket(location.href.replace(/^http/, "ws"));
    socket.onopen = resolve;
    socket.onerror = () => reject(new Error());
  }));
  await attempt("popup", () => { if (window.open("about:blank") === null) throw new Error(); });
  await attempt("asked, not allowed", () => patchbay.call("getShells"));
  await attempt("never asked", () => patchbay.call("createShell"));
  await attempt("allow itself", () => patchbay.call("allowPlugin", { plugin: "hostile", methods: ["getShells"] }));
  await attempt("malformed", () => patchbay.call("toast", { message: 7 }));
  await attempt("allowed", () => patchbay.call("toast", { message: "hello from the plugin" }));
  log("end");
});
patchbay.on("go", () => { location.href = "${"SITE"}/stolen.html?secret"; });
patchbay.on("flood", () => { setInterval(() => { for (let i = 0; i < 500; i++) patchbay.call("toast", {}).catch(() => {}); }, 5); });
</script>`;

beforeAll(async () => {
  const pages: Record<string, string> = {
    "hostile/manifest.json": JSON.stringify({
      ...{ id: "hostile", name: "Hostile", version: "1.0.0", entry: "index.html" },
      ...{ permissions: ["toast", "getShells"], events: ["go", "flood"] },
    }),
    "stolen.html": "<h1>stolen</h1>",
  };
  site = await serveFolder(resolve(import.meta.dirname, "../../../examples"), pages);
  pages["hostile/index.html"] = HOSTILE.replace("SITE", site.url);
  lab = await startWebLab();
});

afterAll(async () => {
  await lab[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

async function install(id: string): Promise<void> {
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
    body: JSON.stringify({ manifest_url: `${site.url}/${id}/manifest.json`, plugin_id: id }),
  });
  expect([answer.status, await answer.text()]).toEqual([200, '{"ok":true}']);
}

function pluginPage(page: Page, name: string): FrameLocator {
  return page.frameLocator(`iframe[title="${name}"]`).frameLocator("iframe");
}

describe("plugins in a browser", () => {
  test("the agent-cost example asks, then shows the cost; what it keeps survives a reload", async () => {
    await install("agent-cost");
    const { page, id, context } = await lab.guest({ role: "admin" });
    await lab.command("openTile", { type: "plugin", plugin: "agent-cost" }, id);
    await page.getByText("It asks to").waitFor();
    expect(await page.locator(".plugin-frame").count()).toBe(0);
    await page.getByRole("button", { name: "Allow and run" }).click();
    const inside = pluginPage(page, "Agent cost");
    await inside.getByText("$0.00").waitFor();
    expect(await lab.command("getPlugins")).toMatchObject([
      { id: "agent-cost", allowed: ["getAgentCost", "toast"], asks: false },
    ]);
    await inside.getByRole("button", { name: "Count from now" }).click();
    await inside.getByText(/^Since /).waitFor();
    await until("the relay has kept it", async () => {
      const { value } = await lab.command<{ value: unknown }>("getPluginState", { plugin: "agent-cost", key: "start" });
      return value !== null;
    });
    await page.reload();
    await pluginPage(page, "Agent cost")
      .getByText(/^Since /)
      .waitFor();
    await lab.command("removePlugin", { plugin: "agent-cost" });
    await page.getByText("The plugin agent-cost is not installed in this session.").waitFor();
    await context.close();
  });

  test("a broadcast turns the build-light example red, and a reader waits for an admin's answer", async () => {
    await install("build-light");
    const reader = await lab.guest({ role: "reader" });
    await reader.page.keyboard.press("Escape");
    const { page, id, context } = await lab.guest({ role: "admin" });
    await lab.command("openTile", { type: "plugin", plugin: "build-light" }, id);
    await page.getByRole("button", { name: "Allow and run" }).click();
    const inside = pluginPage(page, "Build light");
    await inside.getByText("No build yet").waitFor();
    await lab.command("broadcastEvent", { type: "build.status", data: { name: "main", status: "failed" } });
    await inside.getByText("main failed").waitFor();
    expect(await inside.locator("body").getAttribute("data-status")).toBe("failed");
    await lab.command("removePlugin", { plugin: "build-light" });
    await reader.context.close();
    await context.close();
  });

  test("a hostile page reaches nothing, is held where it is, and is stopped when it floods", async () => {
    await install("hostile");
    const { page, id, context } = await lab.guest({ role: "admin" });
    await lab.command("openTile", { type: "plugin", plugin: "hostile" }, id);
    await lab.command("allowPlugin", { plugin: "hostile", methods: ["toast"] }, id);
    const inside = pluginPage(page, "Hostile");
    await inside.getByText("end").waitFor();
    const log = (await inside.locator("#log").innerText()).trim().split("\n");
    expect(log).toEqual([
      "parent: SecurityError",
      "top: SecurityError",
      "cookie: SecurityError",
      "storage: SecurityError",
      "fetch: TypeError",
      "socket: Error",
      "popup: Error",
      "asked, not allowed: scope_forbids",
      "never asked: scope_forbids",
      "allow itself: scope_forbids",
      "malformed: invalid_params",
      "allowed: done",
      "end",
    ]);
    await page.getByText("hello from the plugin").waitFor();
    const address = page.url();
    await lab.command("broadcastEvent", { type: "flood" });
    await page.getByText("Hostile sent more than a plugin may, and was stopped.").waitFor();
    expect(await lab.command("getRole", {}, id)).toMatchObject({ role: "admin" });
    await page.getByRole("button", { name: "Start again" }).click();
    await pluginPage(page, "Hostile").getByText("end").waitFor();
    await lab.command("broadcastEvent", { type: "go" });
    await until("the browser has stopped it", () => page.frames().some((frame) => /^chrome-error:/.test(frame.url())));
    expect(site.requested.filter((path) => path.includes("stolen"))).toEqual([]);
    expect(page.url()).toBe(address);
    await context.close();
  });
});
