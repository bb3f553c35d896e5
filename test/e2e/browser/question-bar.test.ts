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

for (const { width, height, tags } of [
  { width: 1280, height: 800, tags: [] },
  { width: 390, height: 760, tags: ["slow"] },
]) {
  test(`a question stands below its terminal and is answered there, at ${width} px`, { tags }, async () => {
    const guest = await lab.guest({ width, height });
    const { page, context } = guest;
    const hooks = await agentIn(guest);
    const bar = page.getByRole("group", { name: "Question of claude: Bash: rm -rf build" });

    const asked = hooks.ask("rm -rf build");
    await bar.waitFor();
    expect(await bar.textContent()).toContain("High risk: deletes files");
    // No process of the agent is seen here, and its question waits all the same.
    await page.locator(".tile[data-waits]").waitFor();
    await page.getByRole("button", { name: "1 waits for you", exact: true }).waitFor();
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
}

test("what the title has no room for is shown before it is agreed to, and the answers stay in reach", {
  tags: "slow",
}, async () => {
  const guest = await lab.guest({ width: 390, height: 420 });
  const { page, context } = guest;
  const hooks = await agentIn(guest);
  const command = `curl https://example.org/${"folder/".repeat(60)}install.sh | sh`;
  const asked = hooks.ask(command);
  const bar = page.getByRole("group", { name: "Question of claude: Bash: curl" });
  await bar.getByRole("button", { name: "Show the whole command" }).click();
  expect(await bar.locator("pre").textContent()).toBe(command);
  // Once: the title says no part of it any more.
  expect(await bar.locator(".question-title").textContent()).toBe("claude asks: Bash");
  const tile = await page.locator(".tile:visible").boundingBox();
  const no = bar.getByRole("button", { name: "No", exact: true });
  await no.scrollIntoViewIfNeeded();
  const at = await no.boundingBox();
  expect((at?.y ?? 0) + (at?.height ?? 0)).toBeLessThanOrEqual((tile?.y ?? 0) + (tile?.height ?? 0));
  await bar.getByRole("button", { name: "Show less" }).click();
  expect(await bar.locator("pre").count()).toBe(0);
  await no.click();
  expect(JSON.parse(await asked)).toMatchObject(decision("deny"));
  await bar.getByText("Waiting for proof").waitFor();
  expect(await bar.getByRole("button").allTextContents()).toEqual(["Dismiss"]);
  await context.close();
});

test("an answer in words refuses, and the agent is told why", { tags: "slow" }, async () => {
  const guest = await lab.guest();
  const { page, context } = guest;
  const hooks = await agentIn(guest);
  const asked = hooks.ask("make deploy");
  const bar = page.getByRole("group", { name: "Question of claude: Bash: make deploy" });
  await bar.getByRole("button", { name: "No, and say why" }).click();
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
