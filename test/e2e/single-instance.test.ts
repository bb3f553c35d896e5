import { expect, test } from "vitest";
import { launchApp, runApp } from "../support/app.ts";
import { until } from "../support/until.ts";

test("a second start of the same data folder ends at once and brings up the first one's window", async () => {
  await using app = await launchApp({ args: ["--hidden"] });
  expect(app.electron.windows()).toHaveLength(0);
  const second = await runApp(app.data);
  expect(second.code).toBe(0);
  expect(second.output).toContain("running already");
  const window = await app.window();
  await until("a visible window", () => window.evaluate(() => document.visibilityState === "visible"));
  expect((await app.fetch("remote/shells")).status).toBe(200);
});

test("a window that was closed comes back with the next start, and the app ran on without it", async () => {
  await using app = await launchApp();
  const window = await app.window();
  await window.close();
  await until("no window", () => app.electron.windows().length === 0);
  expect((await app.fetch("remote/shells")).status).toBe(200);
  await runApp(app.data);
  await app.window();
});

test("another data folder is another app", async () => {
  await using first = await launchApp({ args: ["--hidden"] });
  await using second = await launchApp({ args: ["--hidden"] });
  expect(second.relay.url).not.toBe(first.relay.url);
  expect((await first.fetch("remote/shells")).status).toBe(200);
});
