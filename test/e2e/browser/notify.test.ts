import { expect, test } from "vitest";
import { until } from "../../support/until.ts";
import { joinSession, startWebLab } from "./web-lab.ts";

test("notify is a toast that offers notifications, and after the user's click a notification", async () => {
  await using lab = await startWebLab();
  const { page, context } = await lab.browser();
  // Headless, a browser answers the question itself and shows nothing: what the page asks for is written down instead.
  await page.addInitScript(() => {
    const said: string[] = [];
    let permission: NotificationPermission = "default";
    class Told extends EventTarget {
      static get permission() {
        return permission;
      }
      static async requestPermission() {
        if (!navigator.userActivation.isActive) throw new Error("not asked at a click");
        permission = "granted";
        return permission;
      }
      constructor(title: string, options: { body?: string } = {}) {
        super();
        said.push(`${title}|${options.body ?? ""}`);
      }
    }
    Object.assign(window, { Notification: Told, said });
  });
  await page.goto(await lab.invite());
  await joinSession(page);
  await page.getByText("Connected", { exact: true }).waitFor();
  const [{ id = -1 } = {}] = await lab.users();
  const said = () => page.evaluate(() => (window as unknown as { said: string[] }).said);

  const first = await lab.command("notify", { title: "Build", body: "is done" }, id);
  expect(first).toEqual({ shown: true, by: "toast" });
  expect(await lab.command("toast", { message: "Hello" }, id)).toEqual({ shown: true, by: "toast" });
  await page.getByText("Build: is done").waitFor();
  expect(await said()).toEqual([]);
  await page.getByRole("button", { name: "Allow notifications" }).click();
  await until("the permission", () => page.evaluate(() => Notification.permission === "granted"));
  const second = await lab.command("notify", { title: "Tests", body: "are green" }, id);
  expect(second).toEqual({ shown: true, by: "native" });
  await until("the notification", async () => (await said()).includes("Tests|are green"));
  expect(await page.getByText("Tests: are green").count()).toBe(0);
  await context.close();
});
