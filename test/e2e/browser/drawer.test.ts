import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { decision, event, type HookReporter, hooksOfShell } from "../../support/agent-questions.ts";
import { axeOn } from "../../support/axe.ts";
import { until } from "../../support/until.ts";
import { type BrowserOptions, startWebLab, type WebLab } from "./web-lab.ts";

/** The drawer of a session's page in a browser: the owner's, and that of a guest. */
let lab: WebLab;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "patchbay-drawer-"));
  lab = await startWebLab();
}, 60_000);
afterAll(async () => {
  await lab[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

const KEYS = "Alt+Shift+Space";

test("the key leads to what waits, a digit answers there, and the key leads back; no shell is resized meanwhile", async () => {
  const owner = await open({ width: 1280, height: 800 });
  const { page, id } = owner;
  const { shellIds } = await lab.command<{ shellIds: number[] }>("setup", { grid: "2x1" }, id);
  const size = async () =>
    (await lab.command<{ id: number; cols: number; rows: number }[]>("getShells", {}, id))
      .filter((shell) => shellIds.includes(shell.id))
      .map(({ cols, rows }) => [cols, rows]);
  const hooks = await agentIn(id);
  const asked = hooks.ask("make release");
  const button = page.getByRole("button", { name: "Inbox and sessions, 1 waits for you" });
  await button.waitFor();
  const before = await size();
  expect(before).toHaveLength(2);

  await lab.command("focusTile", { key: (await layoutOf(id))[0]?.key }, id);
  await inTerminal(page);
  await page.keyboard.press(KEYS);
  const drawer = page.getByRole("complementary", { name: "Inbox and sessions" });
  const card = drawer.getByRole("group", { name: "claude wants to run: make release" });
  await card.and(page.locator(":focus")).waitFor();
  expect(await page.locator(".agent-question").isVisible()).toBe(false);
  expect(await violations(page)).toEqual([]);

  // Back and forth: while the terminal has the keys, a digit is the shell's.
  await page.keyboard.press(KEYS);
  await drawer.waitFor({ state: "detached" });
  await inTerminal(page);
  await page.keyboard.type("1");
  await page.keyboard.press(KEYS);
  await card.and(page.locator(":focus")).waitFor();
  await card.locator("[data-option][aria-disabled=false]").first().waitFor();
  // Enter never answers.
  await page.keyboard.press("1");
  expect(JSON.parse(await asked)).toMatchObject(decision("allow"));
  await hooks.report(event("PostToolUse", "make release"));
  await card.getByText(/Confirmed/).waitFor();
  await page.getByRole("button", { name: "Inbox and sessions", exact: true }).waitFor();
  expect(await size()).toEqual(before);
  // The receipt keeps the keys: no digit reaches a terminal.
  await card.and(page.locator(":focus")).waitFor();

  await page.keyboard.press("Escape");
  await drawer.waitFor({ state: "detached" });
  await inTerminal(page);
  expect(await size()).toEqual(before);
  await owner.close();
});

test("pinned it stands beside the tiles, also after a reload; F6 reaches it, and the chat takes its place", {
  tags: "slow",
}, async () => {
  const owner = await open({ width: 1280, height: 800 });
  const { page, id } = owner;
  await lab.command("createShell", {}, id);
  const width = () => page.locator(".stage").evaluate((stage) => stage.clientWidth);
  const drawer = page.getByRole("complementary", { name: "Inbox and sessions" });
  await page.getByRole("button", { name: /^Inbox and sessions/ }).click();
  await drawer.getByRole("tab", { name: "Now" }).waitFor();
  expect(await width()).toBe(1280);
  await drawer.getByRole("button", { name: "Pin beside the tiles" }).click();
  await until("the tiles beside it", async () => (await width()) === 900);
  expect(await violations(page)).toEqual([]);

  await page.reload();
  await drawer.getByRole("tab", { name: "Now" }).waitFor();
  await until("the tiles beside it", async () => (await width()) === 900);
  // The terminal has the keys; the bar says how the drawer gets them.
  await inTerminal(page);
  await drawer.getByText("Go there").waitFor();
  await page.keyboard.press(KEYS);
  await inDrawer(page);
  await page.keyboard.press(KEYS);
  await inTerminal(page);
  await page.keyboard.press("Alt+Shift+F6");
  await inDrawer(page);

  // A place that goes leaves the keys in the drawer.
  await drawer.getByRole("tab", { name: "Sessions" }).press("Enter");
  await drawer.getByRole("heading", { name: "default" }).waitFor();
  await page.keyboard.press("Escape");
  await drawer.getByRole("tab", { name: "Now", selected: true }).waitFor();
  await inDrawer(page);

  await page.keyboard.press("Alt+Shift+C");
  await drawer.waitFor({ state: "detached" });
  await page.getByRole("complementary", { name: "Chat" }).waitFor();
  await page.getByRole("button", { name: /^Inbox and sessions/ }).click();
  await page.getByRole("complementary", { name: "Chat" }).waitFor({ state: "detached" });
  await until("the tiles beside it", async () => (await width()) === 900);
  await drawer.getByRole("button", { name: "Unpin" }).click();
  await until("the tiles below it", async () => (await width()) === 1280);
  await page.setViewportSize({ width: 880, height: 700 });
  await drawer.getByRole("button", { name: "Pin beside the tiles" }).waitFor({ state: "detached" });
  expect(await drawer.getByRole("button", { name: "Unpin" }).count()).toBe(0);
  await owner.close();
});

test("on a phone it takes the whole width", { tags: "slow" }, async () => {
  const owner = await open({ width: 390, height: 844, touch: true });
  const { page } = owner;
  await page.getByRole("button", { name: /^Inbox and sessions/ }).tap();
  const drawer = page.getByRole("complementary", { name: "Inbox and sessions" });
  await drawer.getByRole("tab", { name: "Sessions" }).tap();
  await drawer.getByRole("heading", { name: "default" }).waitFor();
  expect((await drawer.boundingBox())?.width).toBe(390);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  expect(await violations(page)).toEqual([]);
  await drawer.getByRole("button", { name: "Close the inbox" }).tap();
  await drawer.waitFor({ state: "detached" });
  await owner.close();
});

test("a guest sees by the key what an agent asks and who is here: a reader answers nothing, a writer by a digit", async () => {
  // A receipt of another question would be the first card.
  await using own = await startWebLab({ own: true });
  const writer = await own.guest({ name: "Wanda" });
  const reader = await own.guest({ role: "reader", name: "Rhea" });
  const hooks = await agentIn(writer.id, own);
  const asked = hooks.ask("make docs");
  const opened = async ({ page }: { readonly page: Page }) => {
    await page.getByRole("button", { name: "Inbox and sessions, 1 waits for you" }).waitFor();
    await page.keyboard.press(KEYS);
    const drawer = page.getByRole("complementary", { name: "Inbox and sessions" });
    const card = drawer.getByRole("group", { name: "claude wants to run: make docs" });
    await card.and(page.locator(":focus")).waitFor();
    return { page, drawer, card };
  };

  const watched = await opened(reader);
  await watched.card.getByText("It waits for someone who may type in this session.").waitFor();
  expect(await watched.card.locator("[data-option]").count()).toBe(0);
  expect(await violations(reader.page)).toEqual([]);
  await watched.drawer.getByRole("tab", { name: "Sessions" }).click();
  const people = watched.drawer.getByRole("list", { name: "People in default" });
  await people.getByText("Wanda", { exact: true }).waitFor();
  await people.getByText("Rhea", { exact: true }).waitFor();
  expect(await people.getByRole("button").count()).toBe(0);
  expect(await violations(reader.page)).toEqual([]);

  const { page, drawer, card } = await opened(writer);
  await card.locator("[data-option][aria-disabled=false]").first().waitFor();
  await page.keyboard.press("1");
  expect(JSON.parse(await asked)).toMatchObject(decision("allow"));
  await hooks.report(event("PostToolUse", "make docs"));
  await card.getByText(/Confirmed/).waitFor();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press(KEYS);
  await drawer.waitFor({ state: "detached" });
  await reader.context.close();
  await writer.context.close();
});

test("a guest of any role loads nothing of it before it is opened, and has two places and no invites then", {
  tags: "slow",
}, async () => {
  for (const role of ["admin", "writer", "reader"] as const) {
    const { page, context } = await lab.guest({ role });
    await page.getByRole("button", { name: /^Inbox and sessions/ }).waitFor();
    await page.keyboard.press("Alt+Shift+C");
    await page.getByRole("complementary", { name: "Chat" }).waitFor();
    const loaded = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
    expect(loaded.filter((name) => /drawer|panel|operations|guest-host/.test(name))).toEqual([]);
    await page.getByRole("button", { name: /^Inbox and sessions/ }).click();
    const drawer = page.getByRole("complementary", { name: "Inbox and sessions" });
    await drawer.getByRole("tab", { name: "Sessions" }).click();
    await drawer.getByRole("heading", { name: "default" }).waitFor();
    expect([role, await drawer.getByRole("tab").count()]).toEqual([role, 2]);
    expect([role, await page.getByRole("button", { name: /^Invite/ }).count()]).toEqual([role, 0]);
    await context.close();
  }
});

interface Owner {
  readonly page: Page;
  readonly id: number;
  close(): Promise<void>;
}

/** Opens the session's page with the owner's key. */
async function open(options: BrowserOptions): Promise<Owner> {
  const { page, context } = await lab.browser(options);
  const { url, session } = lab.relay();
  await page.goto(`${url}/s/${session}#token=${lab.key}`);
  await page.getByText("Connected", { exact: true }).waitFor();
  const self = await page.locator('[title^="You are "]').getAttribute("title");
  return { page, id: Number(/client (\d+)$/.exec(self ?? "")?.[1]), close: () => context.close() };
}

function layoutOf(id: number): Promise<{ key: number }[]> {
  return lab.command("getLayout", {}, id);
}

function agentIn(id: number, at: WebLab = lab): Promise<HookReporter> {
  const { url, session } = at.relay();
  return hooksOfShell(
    { url, session },
    { file: join(folder, `token-${id}`), createShell: (command) => at.command("createShell", { command }, id) },
  );
}

async function inTerminal(page: Page): Promise<void> {
  await page.locator(".xterm :focus").waitFor({ state: "attached" });
}

async function inDrawer(page: Page): Promise<void> {
  await page.locator(".drawer :focus").waitFor();
}

async function violations(page: Page): Promise<unknown[]> {
  const { violations: found } = await axeOn(page).analyze();
  return found.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
}
