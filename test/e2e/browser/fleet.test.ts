import { resolve } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { axeOn } from "../../support/axe.ts";
import { type FleetLab, startFleetLab } from "../../support/fleet-lab.ts";
import type { TestRelay } from "../../support/test-relay.ts";
import { until } from "../../support/until.ts";
import { openBrowser, shows } from "./web-lab.ts";

let lab: FleetLab;
let laptop: TestRelay;
let box: TestRelay;
const contexts: BrowserContext[] = [];

beforeAll(async () => {
  lab = await startFleetLab(["laptop", "box"], {
    pagesFolder: resolve(import.meta.dirname, "../../../dist/renderer"),
  });
  laptop = lab.relay("laptop");
  box = lab.relay("box");
});
afterEach(async () => {
  await Promise.all(contexts.splice(0).map((context) => context.close()));
});
afterAll(async () => {
  await lab?.[Symbol.asyncDispose]();
});

test("the page of another relay's session opens with a key of that relay, which leaves the address and stays in the tab", async () => {
  const page = await openPage(`#token=${box.key}`);
  await page.getByText("Connected", { exact: true }).waitFor();
  expect(page.url()).toBe(`${laptop.url}/s/${box.session}`);
  const [user, ...others] = await box.command<{ clientKind: string; canWrite: boolean }[]>("getClients");
  expect(others).toEqual([]);
  expect(user).toMatchObject({ clientKind: "browser", canWrite: true });

  await page.locator(".empty-stage").getByRole("button", { name: "New shell" }).click();
  await page.locator(".xterm").click();
  await page.keyboard.type("seq 1 60000; echo typed-$((40+2))\n");
  await shows(page, "typed-42");
  expect(lab.broker.said()).not.toMatch(/slow consumer/i);

  await page.reload();
  await shows(page, "typed-42");
  const kept = await page.evaluate(() => [JSON.stringify(localStorage), document.cookie]);
  expect(kept.join()).not.toContain(box.key);
});

test("a page without access asks for a key, refuses one of another relay, and opens with one of the session's", {
  tags: "slow",
}, async () => {
  const page = await openPage("", { width: 390, dark: false });
  await page.getByText("This browser has no access to the session").waitFor();
  expect((await axeOn(page).analyze()).violations).toEqual([]);
  await giveKey(page, laptop.key);
  await page.getByText("The credential is not valid for this call").waitFor();
  await giveKey(page, box.key);
  await page.getByText("Connected", { exact: true }).waitFor();
});

test("an invite to the session says at another relay where it is to be opened", { tags: "slow" }, async () => {
  const { id } = box.relay.sessions.get(box.session);
  const page = await openPage(
    `#${box.relay.invites.create({ session: id, role: "writer", uses: 1, ttlMs: 60_000 }).secret}`,
  );
  await page.getByText("The relay box serves this session: open the invite link at that relay").waitFor();
});

test("a revoked key ends the page that is open with it", async () => {
  const { relay } = box;
  const { secret } = relay.keys.create({ owner: relay.user, name: "page" });
  const page = await openPage(`#token=${secret}`);
  await page.getByText("Connected", { exact: true }).waitFor();
  relay.keys.revoke("page");
  await page.getByRole("heading", { name: "No access to this session" }).waitFor();
  await until("the relay to have no client", () => relay.sessions.get(box.session).clients.size === 0);
});

test("a page says that the session's relay is away, and goes on when it is back; one that is opened meanwhile waits", {
  tags: "slow",
}, async () => {
  const page = await openPage(`#token=${box.key}`);
  await page.getByText("Connected", { exact: true }).waitFor();
  await box.relay.fleet?.[Symbol.asyncDispose]();
  await page.getByText(/The connection is lost\. The relay box is away\. The content stays/).waitFor();
  const late = await openPage(`#token=${box.key}`);
  await late.getByRole("heading", { name: "Waiting for the session’s relay" }).waitFor();
  await late.getByText("The relay box is away. The session opens here").waitFor();

  await lab.join("box");
  for (const waiting of [page, late]) await waiting.getByText("Connected", { exact: true }).waitFor();
  await box.command("createShell", { command: "echo back-$((1+1))" }, (await clientsOf(box))[0]);
  await until("the shell", async () => (await clientsOf(box)).length === 2);
});

async function clientsOf(relay: TestRelay): Promise<number[]> {
  return (await relay.command<{ id: number }[]>("getClients")).map(({ id }) => id);
}

async function openPage(hash: string, options = {}): Promise<Page> {
  const { page, context } = await openBrowser(options);
  contexts.push(context);
  await page.goto(`${laptop.url}/s/${box.session}${hash}`);
  return page;
}

async function giveKey(page: Page, key: string): Promise<void> {
  await page.getByLabel("Or open it with an API key").fill(key);
  await page.getByRole("button", { name: "Open the session" }).click();
}
