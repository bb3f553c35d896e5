import { expect, test } from "vitest";
import { launchApp, runApp } from "../support/app.ts";
import { until } from "../support/until.ts";

/** Without a bus the app knows at once that there is no tray, and opens no window later because of that. */
const noBus = { DBUS_SESSION_BUS_ADDRESS: "" };

test("a second start of the same data folder ends at once, and brings back the window that was closed", async () => {
  await using app = await launchApp({ env: noBus });
  const first = await app.window();
  await until("the start's end", () => app.output.includes(app.relay.url));
  await (await app.page("/tray/")).close();
  await first.close();
  await until("no window", () => app.electron.windows().length === 0);
  expect((await app.fetch("remote/shells")).status).toBe(200);

  const second = await runApp(app.data);
  expect(second).toMatchObject({ code: 0, output: expect.stringContaining("running already") });
  const window = await app.window();
  await until("a visible window", () => window.evaluate(() => document.visibilityState === "visible"));
  await app.page("/tray/");
  expect((await app.fetch("remote/shells")).status).toBe(200);
});

test("a window comes back where it was closed", { tags: "slow" }, async () => {
  await using app = await launchApp({ env: noBus });
  const wanted = { x: 150, y: 120, width: 900, height: 610 };
  const first = await app.window();
  const window = await app.electron.browserWindow(first);
  await window.evaluate((own, bounds) => own.setBounds(bounds), wanted);
  await until("the new size", () => first.evaluate(() => innerWidth === 900));
  await window.evaluate((own) => own.close());
  await until("the window's end", () => first.isClosed());
  await runApp(app.data);
  const second = await app.electron.browserWindow(await app.window());
  expect(await second.evaluate((own) => own.getBounds())).toEqual(wanted);
});

test("another data folder is another app", { tags: "slow" }, async () => {
  await using first = await launchApp({ args: ["--hidden"] });
  await using second = await launchApp({ args: ["--hidden"] });
  expect(second.relay.url).not.toBe(first.relay.url);
  expect((await first.fetch("remote/shells")).status).toBe(200);
});
