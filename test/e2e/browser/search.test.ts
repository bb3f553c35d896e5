import { AxeBuilder } from "@axe-core/playwright";
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
  const tile = own.getByRole("group", { name: /^History of/ });
  await tile.waitFor();
  await until("the place", async () => (await textOf(own)).includes("row-77-end"));
  await tile.locator(".xterm :focus").waitFor({ state: "attached" });
  expect(await dialog(own).count()).toBe(0);
  expect((await new AxeBuilder({ page: own }).analyze()).violations).toEqual([]);
  // It is printed again as it was: first there was only the command.
  const recorded = tile.locator(".xterm-rows");
  const slider = own.getByRole("slider", { name: "Time in the recording" });
  await slider.press("Home");
  await until("the beginning", async () => (await recorded.textContent())?.includes("row-77-end") === false);
  await slider.press("Space");
  await own.getByRole("button", { name: "Pause" }).waitFor();
  await own.getByRole("button", { name: "Play" }).waitFor();
  await until("the end of the replay", async () => (await recorded.textContent())?.includes("-end") === true);
  // The search goes on where it was; the next place of that shell takes the same tile.
  await search(own, "row-99-e");
  await option(own, /row-99-end/).waitFor();
  await own.keyboard.press("Enter");
  await until("the next place", async () => (await recorded.textContent())?.includes("row-99-end") === true);
  expect(await tile.count()).toBe(1);
  // Its terminal takes no keys: Tab leads on, and back.
  await own.keyboard.press("Tab");
  await own.locator(".replay-bar button:focus").waitFor();
  await own.keyboard.press("Tab");
  await own.locator(".replay-bar input:focus").waitFor();
  await own.keyboard.press("Shift+Tab");
  await own.keyboard.press("Shift+Tab");
  await tile.locator(".xterm :focus").waitFor({ state: "attached" });
  // Without a place it begins at the end.
  await lab.command("openTile", { type: "history", shell: shellId, tile: key, place: "tab" }, owner);
  await until(
    "the end",
    async () => (await own.locator(".tile[data-focused] .xterm-rows").textContent())?.includes("all-2-done") === true,
  );
  await lab.command("closeTile", {}, owner);
  await own.reload();
  await until("the place again", async () => (await recorded.textContent())?.includes("row-99-end") === true);
  await search(own, "row-77-e");
  await option(own, /row-77-end/).waitFor();
  await own.keyboard.press("Shift+Enter");
  await dialog(own)
    .getByText(/^History of/)
    .waitFor();
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

/** A page of the session's owner, with their key. */
async function ownersPage(lab: WebLab): Promise<{ page: Page; id: number }> {
  const { page } = await lab.browser({ width: 1280, height: 800 });
  const { url, session } = lab.relay();
  await page.goto(`${url}/s/${session}#token=${lab.key}`);
  await page.getByText("Connected", { exact: true }).waitFor();
  const self = await page.locator('[title^="You are "]').getAttribute("title");
  return { page, id: Number(/client (\d+)$/.exec(self ?? "")?.[1]) };
}

test("the panel finds the same: the drawer leads to the line in this page, /panel to the session's page at the place", async () => {
  await using lab = await startWebLab({ own: true });
  await turnOn(lab);
  const { page, id } = await ownersPage(lab);
  const { shellId } = await lab.command<{ shellId: number }>("createShell", {}, id);
  const { shellId: closed } = await lab.command<{ shellId: number }>("createShell", { tile: false }, id);
  await lab.command("writeToShell", { id: closed, data: "echo lost-$((20+3))-things\n" }, id);
  // Far above what is on show, and kept by the terminal.
  const print = "echo needle-$((40+2))-here; seq 1 600; echo all-$((1+1))-done";
  await lab.command("writeToShell", { id: shellId, data: `${print}\n` }, id);
  await shows(page, "all-2-done");
  await lab.command("waitFor", { id: closed, text: "lost-23-things", since: 0, skipEcho: true }, id);
  await lab.command("closeShell", { id: closed }, id);
  const isAtNeedle = async (shown: Page) => {
    await shows(shown, "needle-42-here");
    expect(await dialog(shown).count()).toBe(0);
  };
  const violations = async (shown: Page) => (await new AxeBuilder({ page: shown }).analyze()).violations;

  await page.keyboard.press("Alt+Shift+Space");
  const drawer = page.getByRole("complementary", { name: "Inbox and sessions" });
  await drawer.getByRole("tab", { name: /^Now/ }).waitFor();
  await page.locator(".drawer :focus").waitFor();
  await page.keyboard.type("needle-42");
  await option(page, /needle-42-here/).waitFor();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press("Enter");
  await isAtNeedle(page);
  await page.locator(".xterm :focus").waitFor({ state: "attached" });

  // What no terminal keeps is read in a tile of the history; the search goes on with the same text.
  await page.keyboard.press("Alt+Shift+Space");
  await page.getByRole("combobox", { name: "Search, or run a command" }).fill("lost-23");
  await option(page, /lost-23-things/).click();
  await page.getByRole("group", { name: /^History of/ }).waitFor();
  await until("the place", async () => (await textOf(page)).includes("lost-23-things"));
  await page.keyboard.press("Control+Shift+F");
  await dialog(page)
    .getByRole("option", { name: /lost-23-things/ })
    .waitFor();

  const { page: panel, context } = await lab.browser({ width: 1280, height: 800 });
  await panel.goto(`${lab.relay().url}/panel#token=${lab.key}`);
  await panel.getByRole("tab", { name: "Now" }).focus();
  await panel.keyboard.type("needle-42");
  await option(panel, /needle-42-here/).waitFor();
  expect(await violations(panel)).toEqual([]);
  const opened = context.waitForEvent("page");
  await panel.keyboard.press("Enter");
  const session = await opened;
  // The new page is a client of its own: no tile of it shows the shell.
  await session.getByRole("group", { name: /^History of/ }).waitFor();
  await until("the place", async () => (await textOf(session)).includes("needle-42-here"));
  expect(new URL(session.url()).hash).toBe("");
  // A reload shows the session.
  await session.reload();
  await session.getByText("Connected", { exact: true }).waitFor();
  expect(await dialog(session).count()).toBe(0);
});
