import { expect, test } from "vitest";
import { launchApp } from "../support/app.ts";
import { until } from "../support/until.ts";

test("after SIGKILL session, chat and layout are there, and the dead shells are reported as ended", async () => {
  await using app = await launchApp({ args: ["--hidden"] });
  await app.call("createShell", { command: "sleep 1000" });
  await app.call("splitShell", { direction: "horizontal" });
  await app.call("sendChat", { message: "still here?" });
  const layout = await app.call("getLayoutTree");
  const shells = (await app.call("getShells")) as { id: number }[];
  app.process.kill("SIGKILL");
  await app.ended();

  await using again = await launchApp({ data: app.data, args: ["--hidden"] });
  expect(again.session).toBe(app.session);
  expect(await again.call("getChat")).toMatchObject([{ text: "still here?" }]);
  expect(await again.call("getLayoutTree")).toEqual(layout);
  expect(await again.call("getShells")).toMatchObject(shells.map(({ id }) => ({ id, running: false, pid: null })));
  await until("the notice of the ended shells", () => again.output.includes("ended with the last run"));
}, 180_000);
