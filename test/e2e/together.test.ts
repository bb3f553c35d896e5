// @module-tag slow
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Role } from "../../core/protocol/records.ts";
import { launchApp, type TestApp } from "../support/app.ts";
import { until } from "../support/until.ts";
import { joinSession } from "./browser/web-lab.ts";

const switches = ["--disable-gpu", "--disable-software-rasterizer"];

interface Client {
  readonly id: number;
  readonly clientKind: string;
}

let browser: Browser;
beforeAll(async () => {
  const executablePath = process.env.PATCHBAY_CHROMIUM ?? "/usr/bin/chromium";
  browser = await chromium.launch({ executablePath, args: ["--no-sandbox", ...switches] });
});
afterAll(() => browser.close());

test("the app and two browsers see the same shell, each in its own layout; a target moves one focus", async () => {
  await using app = await launchApp({ switches });
  const window = await app.window();
  await window.locator(".session").waitFor();
  const pages = [await enter(app), await enter(app)];
  const clients = (await app.call("getClients")) as Client[];
  expect(clients.map(({ clientKind }) => clientKind).toSorted()).toEqual(["browser", "browser", "desktop"]);
  const ids = clients.toSorted((one, other) => one.id - other.id).map(({ id }) => id);
  const [desktop = -1, ann = -1, bob = -1] = ids;

  const { shellId } = (await on(app, desktop, "createShell")) as { shellId: number };
  await on(app, desktop, "createShell");
  for (const client of [ann, bob]) {
    await on(app, client, "openTile", { type: "peek", shell: shellId });
    await on(app, client, "createShell");
  }
  await on(app, bob, "createShell");
  await on(app, desktop, "writeToShell", { id: shellId, data: "echo everywhere-$((40+2))\n" });
  for (const page of [window, ...pages]) await shows(page, "everywhere-42");
  const layouts = () =>
    Promise.all(ids.map((id) => on(app, id, "getLayout") as Promise<{ key: number; active: boolean }[]>));
  const before = await layouts();
  expect(before.map((tiles) => tiles.length)).toEqual([2, 2, 3]);

  const target = before[1]?.find(({ active }) => !active)?.key ?? -1;
  await on(app, ann, "focusTile", { key: target });
  await pages[0]?.locator(`.tile[data-tile="${target}"][data-focused]`).waitFor();
  const after = await layouts();
  expect(after[1]?.find(({ active }) => active)?.key).toBe(target);
  expect([after[0], after[2]]).toEqual([before[0], before[2]]);

  const watcher = await enter(app, "reader");
  const ask = watcher.getByRole("button", { name: "Ask to type" });
  await ask.click();
  await watcher.getByText(/You asked the host to let you type/).waitFor();
  await window.getByText("asks to type in this session").waitFor();
  await window.getByRole("button", { name: "1 waits for you", exact: true }).click();
  await window.keyboard.press("Tab");
  expect(await window.locator(":focus").textContent()).toMatch(/^Let .* type$/);
  await window.keyboard.press("Enter");
  await watcher.getByText("You can type now").waitFor();
  await watcher.getByRole("button", { name: "New shell", exact: true }).first().waitFor();
  expect(await window.getByText("asks to type in this session").count()).toBe(0);
});

async function enter(app: TestApp, role: Role = "writer"): Promise<Page> {
  const answer = await app.fetch("invites", { role });
  const { url } = ((await answer.json()) as { result: { url: string } }).result;
  const page = await (await browser.newContext()).newPage();
  await page.goto(url);
  await joinSession(page);
  await page.getByText("Connected", { exact: true }).waitFor();
  await page.getByRole("button", { name: "My own", exact: true }).click();
  return page;
}

async function on(app: TestApp, client: number, method: string, params: object = {}): Promise<unknown> {
  const answer = await app.fetch("remote/command", { method, params, target_client_id: client });
  if (!answer.ok) throw new Error(`${method}: ${answer.status} ${await answer.text()}`);
  return ((await answer.json()) as { result: unknown }).result;
}

async function shows(page: Page, text: string): Promise<void> {
  await until(`"${text}" on a page`, async () =>
    (await page.locator(".xterm-rows").allInnerTexts()).join("\n").includes(text),
  );
}
