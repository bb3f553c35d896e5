// @module-tag slow
import { expect, test } from "vitest";
import { launchApp } from "../support/app.ts";
import { until } from "../support/until.ts";

test("closing a tile asks only if a program runs, and names it", async () => {
  await using app = await launchApp({ switches: ["--disable-gpu", "--disable-software-rasterizer"] });
  const window = await app.window();
  const { shellId } = (await app.call("createShell", { command: "sleep 600" })) as { shellId: number };
  await until("sleep in the foreground", async () => {
    const shells = (await app.call("getShells")) as { id: number; process?: string | null }[];
    return shells.find(({ id }) => id === shellId)?.process === "sleep";
  });
  await until("its name in the title bar", async () =>
    /sleep/.test((await window.locator(".title-bar").textContent()) ?? ""),
  );
  // By keys, because a covered window draws no frames, and a click waits for them.
  await window.locator(".xterm textarea").focus();
  await window.keyboard.press("Alt+Shift+W");
  await window.getByText(/^This shell runs sleep\./).waitFor();
  await window.keyboard.press("Enter");
  await until("the empty workspace", async () => ((await app.call("getLayout")) as unknown[]).length === 0);
  expect(await app.call("getShells")).toHaveLength(1);
});
