import { resolve } from "node:path";
import { expect, test } from "vitest";
import { startWebLab } from "../e2e/browser/web-lab.ts";
import { acceptPlugin, installPlugin, pluginPage } from "../support/install-plugin.ts";
import { serveFolder } from "../support/serve-folder.ts";
import { until } from "../support/until.ts";

/** Tries what a plugin must not, and writes what came of it. */
const HOSTILE = `<!doctype html><pre id="log"></pre><script src="patchbay.js"></script><script>
const log = (line) => { document.getElementById("log").textContent += line + "\\n"; };
const attempt = async (name, act) => { try { await act(); log(name + ": done"); } catch (error) { log(name + ": " + (typeof error.code === "string" ? error.code : error.name)); } };
patchbay.ready.then(async () => {
  await attempt("parent", () => parent.parent.document.body);
  await attempt("top", () => { top.location.href = "about:blank"; });
  await attempt("cookie", () => document.cookie);
  await attempt("storage", () => localStorage.length);
  await attempt("fetch", () => fetch("SITE/leaked-fetch", { mode: "no-cors" }));
  await attempt("image", () => new Promise((resolve, reject) => {
    const image = Object.assign(new Image(), { src: "SITE/leaked-image" });
    image.onload = resolve;
    image.onerror = () => reject(new Error());
  }));
  await attempt("socket", () => new Promise((resolve, reject) => {
    const socket = new WebSocket("SITE/leaked-socket".replace(/^http/, "ws"));
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
patchbay.on("go", () => { location.href = "SITE/stolen.html?secret"; });
patchbay.on("flood", () => { setInterval(() => { for (let i = 0; i < 500; i++) patchbay.call("toast", {}).catch(() => {}); }, 5); });
</script>`;

test("a plugin's page reaches nothing that was not allowed, is held where it is, and is stopped when it floods", async () => {
  const pages: Record<string, string> = {
    "hostile/manifest.json": JSON.stringify({
      ...{ id: "hostile", name: "Hostile", version: "1.0.0", entry: "index.html" },
      ...{ permissions: ["toast", "getShells"], events: ["go", "flood"] },
    }),
    "stolen.html": "<h1>stolen</h1>",
  };
  await using site = await serveFolder(resolve(import.meta.dirname, "../../examples"), pages);
  pages["hostile/index.html"] = HOSTILE.replaceAll("SITE", site.url);
  await using lab = await startWebLab({ own: true });
  await installPlugin(lab, site.url, "hostile");
  const { page, id, context } = await lab.guest({ role: "admin" });
  await lab.command("openTile", { type: "plugin", plugin: "hostile" }, id);
  await lab.command("allowPlugin", { plugin: "hostile", methods: ["toast"] }, id);
  await acceptPlugin(page);
  const inside = pluginPage(page, "Hostile");
  await inside.getByText("end").waitFor();
  const log = ((await inside.locator("#log").textContent()) ?? "").trim().split("\n");
  expect(log).toEqual([
    "parent: SecurityError",
    "top: SecurityError",
    "cookie: SecurityError",
    "storage: SecurityError",
    "fetch: TypeError",
    "image: Error",
    "socket: Error",
    "popup: Error",
    "asked, not allowed: scope_forbids",
    "never asked: scope_forbids",
    "allow itself: scope_forbids",
    "malformed: invalid_params",
    "allowed: done",
    "end",
  ]);
  // What a request that left would have reached, CORS or not.
  expect(site.requested.filter((path) => path.includes("leaked"))).toEqual([]);
  await page.getByText("hello from the plugin").waitFor();
  const address = page.url();
  await lab.command("broadcastEvent", { type: "flood" });
  await page.getByText("Hostile sent too many messages and was stopped.").waitFor();
  expect(await lab.command("getRole", {}, id)).toMatchObject({ role: "admin" });
  await page.getByRole("button", { name: "Start again" }).click();
  await pluginPage(page, "Hostile").getByText("end").waitFor();
  await lab.command("broadcastEvent", { type: "go" });
  await until("the browser has stopped it", () => page.frames().some((frame) => /^chrome-error:/.test(frame.url())));
  expect(site.requested.filter((path) => path.includes("stolen"))).toEqual([]);
  expect(page.url()).toBe(address);
  await context.close();
});
