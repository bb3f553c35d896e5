import { expect, test } from "vitest";
import {
  agentDetails,
  askedPanel,
  audit,
  filledPanel,
  fleet,
  invites,
  keys,
  notices,
  ordinaryPanel,
  policies,
  policyAnswers,
  prices,
  quotaWindows,
  receipts,
  remotes,
  shellUsage,
  usage,
} from "../../../tools/pictures/panel-scenes.mjs";
import { cutTexts, openMadeUpPanel, PANEL_NOW } from "./made-up-panel.ts";
import { startWebLab } from "./web-lab.ts";

const NOW = PANEL_NOW;
const words = "the quarterly migration of every customer database to the new schema in Frankfurt and Oregon";
const noSpace = "quarterly-migration_of.every-customer-database_to.the-new-schema-in-frankfurt-and-oregon-2026";

/** Gives the sessions, shells, agents, machines and people of the scenes names of a hundred characters. */
function lengthened<T>(scene: T): T {
  const names = {
    ...{
      orders: `orders: ${words}`,
      docs: `docs-${noSpace}`,
      "api server": `api: ${words}`,
      tests: `tests-${noSpace}`,
    },
    ...{ rounding: `rounding: ${words}`, "api: npm run dev": `npm run ${noSpace}` },
    ...{ "Jürgen Müller-Lüdenscheidt": `Jürgen${noSpace}`, sam: `Sam ${words}`, ann: `Ann ${words}` },
    ...{ codex: `codex-${noSpace.slice(0, 60)}`, gemini: `gemini ${words.slice(0, 60)}` },
    ...{ "build-box": `box-${noSpace}`, nightly: `nightly ${words}` },
    "/home/ann/work/customers/billing-service/api": `/home/ann/${noSpace}/${noSpace}`,
  };
  const text = Object.entries(names).reduce(
    (now, [name, long]) => now.replaceAll(JSON.stringify(name), JSON.stringify(long)),
    JSON.stringify(scene),
  );
  return JSON.parse(text);
}

const answers = lengthened({
  getMachines: remotes(NOW),
  usage: usage(NOW),
  getQuotaWindows: quotaWindows(NOW),
  getFleet: fleet(NOW),
  getPrices: prices(NOW),
  getReceipts: receipts(NOW),
  getPolicies: policies(NOW),
  getQuestions: policyAnswers(NOW),
  getShellUsage: shellUsage(NOW),
  getAgentDetails: agentDetails(NOW),
  listInvites: invites(NOW),
  listKeys: keys(NOW),
  audit: audit(NOW),
  listNotifications: notices(NOW),
});

test.each([
  { width: 400, height: 620 },
  { width: 390, height: 844, touch: true },
])("at $width px no name of a hundred characters leaves its place, and each is told whole", async (size) => {
  const cut: unknown[] = [];
  for (const scene of [filledPanel(NOW), askedPanel(NOW, 20), ordinaryPanel(NOW)]) {
    const page = await openMadeUpPanel(size, "en", { ...answers, "panel.changed": lengthened(scene) });
    const tabs = page.getByRole("tab");
    for (const [index, name] of (await tabs.allTextContents()).entries()) {
      await tabs.nth(index).click();
      await page.getByRole("tabpanel").locator("> *").first().waitFor();
      await page.locator(".machine-use:not(details)").first().waitFor({ state: "detached" });
      cut.push(...(await cutTexts(page)).map((text) => [name, text]));
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(size.width);
    }
    await page.context().close();
  }
  expect(cut).toEqual([]);
});

test("nor do they in the drawer of a session's page, whose session, shell and guest have such names", async () => {
  await using lab = await startWebLab({ own: true });
  const { session, url } = lab.relay();
  const renamed = await fetch(`${url}/v1/sessions/${session}`, {
    method: "PATCH",
    headers: { "x-service-token": lab.key, "content-type": "application/json" },
    body: JSON.stringify({ name: `orders: ${words}` }),
  });
  expect(renamed.status).toBe(200);
  const { page } = await lab.browser({ width: 1280, height: 800 });
  await page.goto(`${url}/s/${session}#token=${lab.key}`);
  await page.getByText("Connected", { exact: true }).waitFor();
  const [owner] = await lab.users();
  const { key } = await lab.command<{ key: number }>("createShell", {}, owner?.id);
  await lab.command("renameTile", { key, name: noSpace.slice(0, 60) }, owner?.id);
  await lab.guest({ role: "reader", name: noSpace.slice(0, 50) });
  await page.keyboard.press("Alt+Shift+Space");
  const drawer = page.getByRole("complementary", { name: "Inbox and sessions" });
  const cut: unknown[] = [];
  for (const place of ["Now", "Sessions", "Agents", "Activity", "Settings"]) {
    await drawer.getByRole("tab", { name: new RegExp(`^${place}`) }).click();
    await drawer.getByRole("tabpanel").locator("> *").first().waitFor();
    await drawer.locator(".machine-use:not(details)").first().waitFor({ state: "detached" });
    cut.push(...(await cutTexts(page, ".drawer")).map((text) => [place, text]));
  }
  expect(cut).toEqual([]);
});

test("the card of a change shows the whole path of its file", async () => {
  const path = `/home/ann/${noSpace}/${noSpace}/${noSpace}/retry.ts`;
  const asked = JSON.parse(JSON.stringify(askedPanel(NOW, 20)).replaceAll("/home/ann/src/api/src/http/retry.ts", path));
  const page = await openMadeUpPanel({ width: 400, height: 620 }, "en", { ...answers, "panel.changed": asked });
  await page.locator("[data-question]", { hasText: "wants to change a file" }).first().focus();
  const shown = page.locator(".now-diff-path").first();
  await shown.waitFor();
  expect(await shown.textContent()).toBe(path);
  const drawn = await shown.evaluate((element) => {
    const card = element.closest("[data-question]")?.getBoundingClientRect();
    const lines = [...element.getClientRects()];
    const isWhole = lines.every(({ left, right }) => card !== undefined && left >= card.left && right <= card.right);
    return { isWhole, hasEllipsis: getComputedStyle(element).textOverflow === "ellipsis" };
  });
  expect(drawn).toEqual({ isWhole: true, hasEllipsis: false });
  await page.context().close();
});
