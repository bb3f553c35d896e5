import { afterAll, beforeAll, expect, test } from "vitest";
import { launchApp } from "../support/app.ts";
import { type DbusDesktop, startDbusDesktop } from "../support/dbus-desktop.ts";
import { until } from "../support/until.ts";

let desktop: DbusDesktop;
beforeAll(async () => {
  desktop = await startDbusDesktop();
});
afterAll(async () => {
  await desktop[Symbol.asyncDispose]();
});

test("the app announces that it accepts other machines, in its output and in a persistent notification", async () => {
  await using app = await launchApp({ args: ["--hidden", "--listen", "0.0.0.0"] });
  const [, url = ""] = await until("the notice", () => /at (https:\S+)/.exec(app.output));
  expect(app.output).toContain("OTHER MACHINES CAN REACH THIS RELAY");
  const notification = await until("the notification", () =>
    desktop.notifications.find(({ title }) => title === "Other machines can reach Patchbay"),
  );
  expect(notification.body).toContain(url);
  expect(app.relay.url).toMatch(/^http:\/\/127\.0\.0\.1:/);
});
