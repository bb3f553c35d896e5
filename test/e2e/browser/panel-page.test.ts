import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { decision, event, hooksOfShell } from "../../support/agent-questions.ts";
import { axeOn } from "../../support/axe.ts";
import { until } from "../../support/until.ts";
import { startWebLab, type WebLab } from "./web-lab.ts";

/** The owner's panel as a page: `/panel` of a relay without a desktop. */
let lab: WebLab;

beforeAll(async () => {
  lab = await startWebLab({ client: true });
}, 60_000);
afterAll(() => lab[Symbol.asyncDispose]());

test("the owner answers a question, changes a role and raises the budget in a browser; what belongs to the app is absent", async () => {
  const { page, context } = await lab.browser({ width: 1280, height: 800 });
  await page.goto(`${lab.relay().url}/panel`);
  await page.getByLabel("API key").fill("pb_guessed");
  await page.getByRole("button", { name: "Open the panel" }).click();
  await page.getByRole("alert").getByText("not valid").waitFor();
  await page.getByLabel("API key").fill(lab.key);
  await page.getByRole("button", { name: "Open the panel" }).click();
  await page.getByText("Nothing waits for you").waitFor();
  expect(page.url()).not.toContain(lab.key);

  const guest = await lab.guest({ role: "reader", name: "Mira" });
  await page.getByRole("button", { name: "Role of Mira" }).click();
  expect(await violations(page)).toEqual([]);
  await page.getByRole("radio", { name: "can type" }).click();
  await until("the new role", async () => (await lab.users()).some(({ id, canWrite }) => id === guest.id && canWrite));

  const { session, url } = lab.relay();
  const shell = await hooksOfShell(
    { url, session },
    {
      file: join(tmpdir(), `patchbay-panel-page-${session}`),
      createShell: (command) => lab.command("createShell", { command }),
    },
  );
  const asked = shell.ask("make release");
  const card = page.getByRole("group", { name: "claude wants to run: make release" });
  await card.locator("[data-option][aria-disabled=false]").first().waitFor();
  expect(await violations(page)).toEqual([]);
  await card.focus();
  const opened = context.waitForEvent("page");
  await page.keyboard.press("Enter");
  const terminal = await opened;
  await terminal.locator(".tile[data-focused]").getByText("Bash: make release").waitFor();
  await terminal.close();
  await page.keyboard.press("Control+k");
  await page.getByRole("menu", { name: "Actions for claude" }).waitFor();
  expect(await violations(page)).toEqual([]);
  const led = context.waitForEvent("page");
  await page.getByRole("menuitem", { name: "Read the conversation" }).click();
  const conversation = await led;
  await conversation.getByRole("region", { name: "Conversation: claude" }).waitFor();
  await conversation.close();
  await card.and(page.locator(":focus")).waitFor();
  await page.keyboard.press("1");
  expect(JSON.parse(await asked)).toMatchObject(decision("allow"));
  await shell.report(event("PostToolUse", "make release"));
  await card.getByText(/Confirmed/).waitFor();

  await page.getByRole("tab", { name: "Agents" }).click();
  await page.getByRole("textbox", { name: "A day, all sessions" }).fill("5");
  await page.getByRole("button", { name: "Set budgets" }).click();
  await page.getByText("Budgets saved.").waitFor();
  await page.getByRole("tab", { name: "Settings" }).click();
  await page.getByRole("heading", { name: "General" }).waitFor();
  expect(await page.getByText("Start at login").count()).toBe(0);
  await page.getByRole("button", { name: "Agents and budgets" }).click();
  const budget = page.getByRole("spinbutton", { name: /^Budget of each day/ });
  await until("the day's budget", async () => (await budget.inputValue()) === "5");
  await page.getByRole("button", { name: "People and keys" }).click();
  await page.getByRole("heading", { name: "Keys", exact: true }).waitFor();
  expect(new URL(page.url()).hash).toBe("#settings/keys");
  await page.goBack();
  await page.getByRole("heading", { name: "Agents and budgets" }).waitFor();
  expect(await page.getByRole("button", { name: /^(Pause|Resume) notifications$/ }).count()).toBe(0);

  // The tab keeps the key; a revoked one is asked for again.
  await page.reload();
  await page.getByRole("heading", { name: "Agents and budgets" }).waitFor();
  await page.goto(`${lab.relay().url}/panel#settings/appearance`);
  await page.getByRole("heading", { name: "Appearance" }).waitFor();
});

test("a phone has the same panel with tabs that a finger hits, and a guest's browser has none", {
  tags: "slow",
}, async () => {
  const { page } = await lab.browser({ width: 390, height: 844, touch: true });
  await page.goto(`${lab.relay().url}/panel#token=${lab.key}`);
  await page.getByRole("tab", { name: "Sessions" }).tap();
  await page.getByRole("heading", { name: "default" }).waitFor();
  const box = await page.getByRole("tab", { name: "Sessions" }).boundingBox();
  expect(Math.min(box?.height ?? 0, box?.width ?? 0)).toBeGreaterThanOrEqual(44);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);

  const guest = await lab.guest({ role: "writer", name: "Gast" });
  const own = await guest.context.newPage();
  await own.goto(`${lab.relay().url}/panel`);
  await own.getByRole("heading", { name: "The owner’s panel" }).waitFor();
  expect(await own.content()).not.toContain("default");
});

async function violations(page: Page): Promise<unknown[]> {
  const { violations: found } = await axeOn(page).analyze();
  return found.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
}
