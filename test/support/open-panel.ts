import type { Page } from "playwright-core";
import type { TestApp } from "./app.ts";
import type { DbusDesktop } from "./dbus-desktop.ts";
import { until } from "./until.ts";

/** The panel with its sessions, opened from the icon's menu as on desktops that pass no clicks on. */
export async function openPanel(app: TestApp, desktop: DbusDesktop): Promise<Page> {
  await (await desktop.trayItem(app.pid)).choose("Show panel");
  // The window of the settings has the same page, with a query.
  const panel = await until("the panel", () =>
    app.electron.windows().find((page) => page.url().includes("/tray/") && !page.url().includes("settings")),
  );
  await panel.getByRole("tab", { name: "Sessions" }).press("Enter");
  return panel;
}

/** The window of the settings, opened from the icon's menu. */
export async function openSettings(app: TestApp, desktop: DbusDesktop): Promise<Page> {
  await (await desktop.trayItem(app.pid)).choose("Settings…");
  const page = await app.page("tray/index.html?settings");
  await page.getByRole("navigation", { name: "Sections of the settings" }).waitFor();
  return page;
}
