import { expect, test } from "vitest";
import { until } from "../../support/until.ts";
import { shows, startWebLab } from "./web-lab.ts";

test("a session's page can be installed, and says so where the relay cannot be reached; nothing of it is stored", async () => {
  await using lab = await startWebLab({ own: true });
  const { page, context } = await lab.guest();
  const address = page.url();
  const manifest = await page.evaluate(async () => {
    const link = document.querySelector<HTMLLinkElement>("link[rel=manifest]");
    return (await (await fetch(link?.href ?? "")).json()) as {
      start_url: string;
      scope: string;
      icons: { src: string }[];
    };
  });
  const { pathname } = new URL(address);
  expect(manifest).toMatchObject({ start_url: pathname, scope: pathname, display: "standalone" });
  for (const { src } of manifest.icons) {
    const icon = await page.request.get(new URL(src, address).href);
    expect([icon.status(), icon.headers()["content-type"]]).toEqual([200, "image/png"]);
  }
  const problems = await (await context.newCDPSession(page)).send("Page.getAppManifest");
  expect(problems.errors).toEqual([]);

  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.scope)).toBe(address);
  expect(await page.evaluate(() => caches.keys())).toEqual([]);

  await lab.kill();
  await page.reload();
  await page.getByRole("heading", { name: "The relay cannot be reached" }).waitFor();
  expect(page.url()).toBe(address);
  await lab.revive();
  await page.getByRole("link", { name: "Try again" }).click();
  await page.getByText("Connected", { exact: true }).waitFor();
});

test("the worker answers navigations to its own session only", { tags: "slow" }, async () => {
  await using lab = await startWebLab({ own: true });
  const { page } = await lab.guest();
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await page.reload();
  await page.getByText("Connected", { exact: true }).waitFor();
  await until("the worker to be in charge", () => page.evaluate(() => navigator.serviceWorker.controller !== null));
  await lab.kill();
  const path = `${new URL(page.url()).pathname}/guest`;
  expect(await page.evaluate((asked) => fetch(asked).then(String, ({ name }) => name), path)).toBe("TypeError");
});

test("on a phone that is held sideways, the keys that a touch keyboard lacks are in reach", {
  tags: "slow",
}, async () => {
  await using lab = await startWebLab();
  const { page, id } = await lab.guest({ width: 844, height: 390, touch: true });
  await lab.command("createShell", {}, id);
  const row = page.getByRole("toolbar", { name: "Terminal keys" });
  await row.waitFor();
  const box = await row.boundingBox();
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(390);
  await page.locator(".xterm").tap();
  await page.keyboard.type("cat");
  await page.keyboard.press("Enter");
  await row.getByRole("button", { name: "Ctrl" }).tap();
  await page.keyboard.press("c");
  await page.keyboard.type("echo back-$((1+1))\n");
  await shows(page, "back-2");

  // What the touch keyboard leaves is the terminal's and its keys'.
  await page.setViewportSize({ width: 844, height: 190 });
  await until("some lines of the terminal", async () => (await page.locator(".xterm-rows > div").count()) >= 5);
  await page.locator(".header").waitFor({ state: "hidden" });
  const keys = await row.boundingBox();
  expect((keys?.y ?? 0) + (keys?.height ?? 0)).toBeLessThanOrEqual(190);
  expect(await page.evaluate(() => document.documentElement.scrollHeight <= innerHeight)).toBe(true);
});
