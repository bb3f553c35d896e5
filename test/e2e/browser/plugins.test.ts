import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { installPlugin, pluginPage } from "../../support/install-plugin.ts";
import { type FolderServer, serveFolder } from "../../support/serve-folder.ts";
import { until } from "../../support/until.ts";
import { startWebLab, type WebLab } from "./web-lab.ts";

let lab: WebLab;
let site: FolderServer;

beforeAll(async () => {
  site = await serveFolder(resolve(import.meta.dirname, "../../../examples"));
  lab = await startWebLab();
});

afterAll(async () => {
  await lab[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

describe("plugins in a browser", () => {
  test("the agent-cost example asks, then shows the cost; what it keeps survives a reload", async () => {
    await installPlugin(lab, site.url, "agent-cost");
    const { page, id, context } = await lab.guest({ role: "admin" });
    await lab.command("openTile", { type: "plugin", plugin: "agent-cost" }, id);
    await page.getByText("Agent cost asks for permission to:").waitFor();
    expect(await page.locator(".plugin-frame").count()).toBe(0);
    await page.getByRole("button", { name: "Allow and run" }).click();
    const inside = pluginPage(page, "Agent cost");
    await inside.getByText("$0.00").waitFor();
    const [family, isLoaded] = await inside
      .locator("body")
      .evaluate(async (body) => [
        getComputedStyle(body).fontFamily,
        (await document.fonts.load("13px Inter Variable")).length,
      ]);
    expect([family, isLoaded]).toEqual([expect.stringContaining("Inter Variable"), 1]);
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

  test("a broadcast turns the build-light example red, and a reader waits for an admin's answer", {
    tags: "slow",
  }, async () => {
    await installPlugin(lab, site.url, "build-light");
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
});
