import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { decision, type HookReporter, hooksOfShell } from "../../support/agent-questions.ts";
import { until } from "../../support/until.ts";
import { type Guest, startWebLab, type WebLab } from "./web-lab.ts";

let lab: WebLab;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "patchbay-bar-"));
  lab = await startWebLab();
});

afterAll(async () => {
  await lab[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

test.each([
  { width: 1280, height: 800 },
  { width: 390, height: 760 },
])("a question stands below its terminal and is answered there, at $width px", async (size) => {
  const guest = await lab.guest(size);
  const { page, context } = guest;
  const hooks = await agentIn(guest);
  const bar = page.getByRole("group", { name: "Question of claude: Bash: rm -rf build" });

  const asked = hooks.ask("rm -rf build");
  await bar.waitFor();
  expect(await bar.textContent()).toContain("high risk: deletes files");
  await until("a terminal above the bar", async () => (await bottomOf(page, ".xterm-screen")) <= (await topOf(page)));
  expect(await bar.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
  // Keys still go to the terminal: a digit answers nothing.
  await page.keyboard.type("1");
  await bar.waitFor();
  await page.keyboard.press("Control+U");
  await page.keyboard.press("Alt+Shift+F6");
  await until("the focus in the bar", () => bar.evaluate((element) => element.contains(document.activeElement)));
  await page.keyboard.press("Enter");
  expect(JSON.parse(await asked)).toMatchObject(decision("allow"));
  await bar.getByText("Waiting for proof").waitFor();
  await until("the focus back in the terminal", () =>
    page.evaluate(() => document.activeElement?.closest(".xterm") !== null),
  );

  const again = hooks.ask("touch it");
  await page.getByRole("group", { name: "Question of claude: Bash: touch it" }).waitFor({ state: "attached" });
  await lab.command("closeShell", { id: await shellOf(guest) }, guest.id);
  await page.locator(".agent-question").waitFor({ state: "detached" });
  await again;
  await context.close();
});

test("an answer in words refuses, and the agent is told why", async () => {
  const guest = await lab.guest();
  const { page, context } = guest;
  const hooks = await agentIn(guest);
  const asked = hooks.ask("make deploy");
  const bar = page.getByRole("group", { name: "Question of claude: Bash: make deploy" });
  await bar.getByRole("button", { name: "In words" }).click();
  await bar.getByRole("textbox", { name: "Refuse, and say why" }).fill("not today");
  await page.keyboard.press("Enter");
  expect(JSON.parse(await asked)).toMatchObject(decision("deny", { message: "not today" }));
  await context.close();
});

async function agentIn({ id }: Guest): Promise<HookReporter> {
  const { url, session } = lab.relay();
  const createShell = (command: string) => lab.command("createShell", { command }, id);
  return hooksOfShell({ url, session }, { file: join(folder, `token-${id}`), createShell });
}

async function shellOf({ id }: Guest): Promise<number | undefined> {
  const shells = await lab.command<{ id: number; ownerClientId: number }[]>("getShells", {}, id);
  return shells.find(({ ownerClientId }) => ownerClientId === id)?.id;
}

async function bottomOf(page: Page, selector: string): Promise<number> {
  const box = await page.locator(selector).first().boundingBox();
  return box === null ? Number.POSITIVE_INFINITY : box.y + box.height;
}

async function topOf(page: Page): Promise<number> {
  return (await page.locator(".agent-question").first().boundingBox())?.y ?? 0;
}
