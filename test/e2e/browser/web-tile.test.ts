import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "../../support/free-port.ts";
import { startWebLab, type WebLab } from "./web-lab.ts";

let lab: WebLab;
const site = createServer((request, response) => {
  if (request.url === "/closed") response.setHeader("x-frame-options", "DENY");
  response.setHeader("content-type", "text/html").end("<h1>Shown</h1>");
});

beforeAll(async () => {
  lab = await startWebLab();
  await new Promise<void>((listening) => site.listen(0, "127.0.0.1", listening));
});
afterAll(async () => {
  site.closeAllConnections();
  await new Promise((closed) => site.close(closed));
  await lab[Symbol.asyncDispose]();
});

test("a page that cannot be shown says why and opens outside, and one that can is shown", async () => {
  const { page, id, context } = await lab.guest();
  const base = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  await lab.command("openTile", { type: "browser", url: `${base}/open` }, id);
  await page.frameLocator("iframe").getByText("Shown").waitFor();

  await lab.command("openTile", { type: "browser", url: `${base}/closed` }, id);
  await page.getByText(/refuses to be shown in a tile/).waitFor();
  const opened = context.waitForEvent("page");
  await page.getByRole("button", { name: "Open outside" }).click();
  expect((await opened).url()).toBe(`${base}/closed`);
  await page.getByRole("button", { name: "Show it anyway" }).click();
  expect(await page.locator("iframe").count()).toBe(2);

  const nobody = `http://127.0.0.1:${await freePort()}/`;
  await lab.command("openTile", { type: "browser", url: nobody }, id);
  await page.getByText(/does not answer \(ECONNREFUSED\)/).waitFor();
});
