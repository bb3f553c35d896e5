import { afterAll, beforeAll, expect, test } from "vitest";
import { launchApp } from "../support/app.ts";
import { type DbusDesktop, startDbusDesktop } from "../support/dbus-desktop.ts";
import { openPanel } from "../support/open-panel.ts";
import { objections } from "../support/panel-objections.ts";
import { until } from "../support/until.ts";

let desktop: DbusDesktop;
beforeAll(async () => {
  desktop = await startDbusDesktop();
});
afterAll(() => desktop[Symbol.asyncDispose]());

test("the search of the tray's panel finds what was printed, and opens the session's window at the line", async () => {
  await using app = await launchApp({ args: ["--hidden"] });
  expect((await app.fetch("../../history/start", { unencrypted: true })).status).toBe(200);
  const { shellId: id } = (await app.call("createShell")) as { shellId: number };
  await app.call("writeToShell", { id, data: "echo needle-$((40+2))-here; seq 1 500; echo all-$((1+1))-done\n" });
  await app.call("waitFor", { id, text: "all-2-done", since: 0, skipEcho: true });

  const panel = await openPanel(app, desktop);
  await panel.keyboard.type("needle-42");
  const found = panel.getByRole("option", { name: /needle-42-here/ });
  await found.waitFor();
  // The first letters alone found it already.
  await found.locator("b", { hasText: /^needle-42$/ }).waitFor();
  await panel.getByText("Go there").waitFor();
  expect(await objections(panel)).toEqual([]);
  await panel.keyboard.press("Enter");
  const page = await app.window();
  const isShown = (text: string) =>
    until(text, async () => (await page.locator(".xterm-rows").allInnerTexts()).join("\n").includes(text));
  await isShown("needle-42-here");
  expect(await page.getByRole("dialog", { name: "Search everything" }).count()).toBe(0);

  // In a window that is open, too; a reload shows the session as it is.
  await app.call("writeToShell", { id, data: "echo needle-$((42+1))-here; seq 1 500; echo later-$((1+1))-done\n" });
  await app.call("waitFor", { id, text: "later-2-done", since: 0, skipEcho: true });
  const again = await openPanel(app, desktop);
  await again.keyboard.type("needle-43");
  await again.getByRole("option", { name: /needle-43-here/ }).click();
  await isShown("needle-43-here");
  await page.reload();
  await isShown("later-2-done");
});
