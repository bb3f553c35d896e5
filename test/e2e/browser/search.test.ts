import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { until } from "../../support/until.ts";
import { shows, startWebLab, textOf, type WebLab } from "./web-lab.ts";

const dialog = (page: Page) => page.getByRole("dialog", { name: "Search everything" });
const option = (page: Page, text: RegExp) => page.getByRole("option", { name: text });

async function turnOn(lab: WebLab): Promise<void> {
  const answer = await fetch(`${lab.relay().url}/v1/history/start`, {
    method: "POST",
    headers: { "X-Service-Token": lab.key, "Content-Type": "application/json" },
    body: JSON.stringify({ unencrypted: true }),
  });
  expect(answer.status).toBe(200);
}

/** Searches by keys alone. */
async function search(page: Page, text: string): Promise<void> {
  await page.keyboard.press("Control+Shift+F");
  await dialog(page).waitFor();
  await page.keyboard.press("Control+A");
  await page.keyboard.type(text);
}

test("a search goes to the line in the terminal and to what left it, and shows a guest no closed shell", async () => {
  await using lab = await startWebLab({ own: true });
  const { page, id } = await lab.guest({ role: "reader" });
  await page.getByText("Connected", { exact: true }).waitFor();
  await page.keyboard.press("Control+Shift+F");
  await page.getByText("Output and commands are not recorded yet").waitFor();
  await page.keyboard.press("Escape");

  await turnOn(lab);
  const { page: own, id: owner } = await lab.guest();
  const { shellId, key } = await lab.command<{ shellId: number; key: number }>("createShell", {}, owner);
  const print = "sleep 1; seq 1 12000 | sed 's/^/row-/;s/$/-end/'; echo all-$((1+1))-done";
  await lab.command("writeToShell", { id: shellId, data: `${print}\n` }, owner);
  await shows(own, "all-2-done");

  await search(own, "row-11950-e");
  await option(own, /row-11950-end/).waitFor();
  expect(await own.getByRole("option").locator("b").first().textContent()).toBe("row-11950-e");
  await own.keyboard.press("Enter");
  await shows(own, "row-11950-end");
  expect(await dialog(own).count()).toBe(0);
  expect(await own.locator(`.tile[data-tile="${key}"][data-focused]`).count()).toBe(1);

  // A terminal keeps fewer lines than that.
  await search(own, "row-77-e");
  await option(own, /row-77-end/).waitFor();
  await own.keyboard.press("Enter");
  await own.getByText(/^History of/).waitFor();
  await until("the place", async () => (await textOf(own)).includes("row-77-end"));
  // It is printed again as it was: first there was only the command.
  const recorded = dialog(own).locator(".xterm-rows");
  const slider = own.getByRole("slider", { name: "Time in the recording" });
  await slider.press("Home");
  await until("the beginning", async () => (await recorded.textContent())?.includes("row-77-end") === false);
  await slider.press("Space");
  await own.getByRole("button", { name: "Pause" }).waitFor();
  await own.getByRole("button", { name: "Play" }).waitFor();
  await until("the end of the replay", async () => (await recorded.textContent())?.includes("-end") === true);
  await own.keyboard.press("Escape");
  await option(own, /row-77-end/).waitFor();
  await own.keyboard.press("Escape");
  expect(await dialog(own).count()).toBe(0);

  // A reader finds the same in a shell that no tile of theirs shows, and as a guest nothing once it is closed.
  await search(page, "row-1234-e");
  await option(page, /row-1234-end/).waitFor();
  await page.keyboard.press("Enter");
  await until("the place", async () => (await textOf(page)).includes("row-1234-end"));
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await lab.command("closeShell", { id: shellId }, owner);
  await search(page, "row-1235-e");
  await dialog(page).getByText("Nothing matches “row-1235-e”.").waitFor();
  expect(id).not.toBe(owner);
});
