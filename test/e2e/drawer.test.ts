import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { decision, event, hooksOfShell } from "../support/agent-questions.ts";
import { launchApp } from "../support/app.ts";
import { objections } from "../support/panel-objections.ts";
import { until } from "../support/until.ts";

/** The drawer in the window of a session of this machine. */
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "patchbay-drawer-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const KEYS = "Alt+Shift+Space";

test("what waits is answered beside the terminals, the key leads there and back, and the pin is kept over a reload", async () => {
  await using app = await launchApp();
  const page = await app.window();
  await app.call("createShell");
  await inTerminal(page);
  const shell = await hooksOfShell(
    { url: app.relay.url, session: app.session },
    { file: path.join(folder, "token"), createShell: (command) => app.call("createShell", { command, tile: false }) },
  );
  const asked = shell.ask("make release");
  await page.getByRole("button", { name: "Inbox and sessions, 1 waits for you" }).waitFor();

  await page.keyboard.press(KEYS);
  const drawer = page.getByRole("complementary", { name: "Inbox and sessions" });
  const card = drawer.getByRole("group", { name: "claude wants to run: make release" });
  await card.and(page.locator(":focus")).waitFor();
  await drawer.getByRole("tab", { name: "Now 1 waits for you" }).waitFor();
  await card.locator("[data-option][aria-disabled=false]").first().waitFor();
  expect(await objections(page)).toEqual([]);
  await page.keyboard.press("1");
  expect(JSON.parse(await asked)).toMatchObject(decision("allow"));
  await shell.report(event("PostToolUse", "make release"));
  await card.getByText(/Confirmed/).waitFor();
  await page.getByRole("button", { name: "Inbox and sessions", exact: true }).waitFor();
  // Notifications and settings are the app's, here too.
  await drawer.getByRole("button", { name: "Pause notifications" }).waitFor();

  await drawer.getByRole("button", { name: "Pin beside the tiles" }).click();
  const beside = () =>
    until("the tiles beside it", () =>
      page.evaluate(() => (document.querySelector(".stage")?.clientWidth ?? 0) === window.innerWidth - 380),
    );
  await beside();
  await page.keyboard.press(KEYS);
  await inTerminal(page);
  await page.reload();
  await drawer.getByRole("tab", { name: "Now" }).waitFor();
  await beside();
  await inTerminal(page);
  expect(await objections(page)).toEqual([]);

  // Enter goes there: to the terminal of this session in this window.
  await page.keyboard.press(KEYS);
  await page.locator(".drawer :focus").waitFor();
  await page.keyboard.press("Escape");
  await drawer.waitFor({ state: "detached" });
  await inTerminal(page);
});

async function inTerminal(page: Page): Promise<void> {
  await page.locator(".xterm :focus").waitFor({ state: "attached" });
}
