import { expect, test } from "vitest";
import { otherAddress } from "../../support/other-address.ts";
import { joinSession, shows, startWebLab } from "./web-lab.ts";

test("a browser connects over TLS by an external address and works", async () => {
  await using lab = await startWebLab({ args: ["--listen", "0.0.0.0"] });
  const said = lab.relay().said();
  expect(said).toContain("OTHER MACHINES CAN REACH THIS RELAY");
  expect(said).toMatch(/SHA-256 ([0-9A-F]{2}:){31}[0-9A-F]{2}/);

  const link = await lab.invite({ outside: true });
  expect(said).toContain(new URL(link).origin);
  expect(new URL(link).hostname).toBe(otherAddress());
  const { page, context } = await lab.browser();
  await page.goto(link);
  await joinSession(page);
  await page.getByText("Connected", { exact: true }).waitFor();
  await page.locator(".empty-stage").getByRole("button", { name: "New shell" }).click();
  await page.locator(".xterm").click();
  await page.keyboard.type("echo $SERVICE_URL far-$((40+2))\n");
  // Programs in the shell go on talking to the relay on this machine.
  await shows(page, `${lab.relay().url} far-42`);
  expect(await context.cookies()).toMatchObject([{ secure: true, httpOnly: true, sameSite: "Strict" }]);
  expect(await page.evaluate(() => isSecureContext)).toBe(true);
});

test("the owner's phone comes in by a link of the owner, with the drawer and the panel", async () => {
  await using lab = await startWebLab({ args: ["--listen", "0.0.0.0"] });
  const { url } = await lab.command<{ url: string }>("createOwnerLink", { outside: true });
  expect(new URL(url).hostname).toBe(otherAddress());
  const { page } = await lab.browser({ width: 390, height: 844 });
  await page.goto(url);
  await page.getByRole("button", { name: "Inbox and sessions" }).click();
  const drawer = page.getByRole("complementary", { name: "Inbox and sessions" });
  await drawer.getByText("Nothing waits for you").waitFor();
  await page.goto(new URL("/panel", url).href);
  await page.getByText("Nothing waits for you").waitFor();
  const keys = await lab.command<{ name: string }[]>("listKeys");
  expect(keys.map(({ name }) => name)).toContainEqual(expect.stringMatching(/^browser: /));
});
