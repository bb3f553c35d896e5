import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { launchApp, type TestApp } from "../support/app.ts";
import { until } from "../support/until.ts";

/** Without a bus the app knows at once that there is no tray, and opens no window later because of that. */
const noBus = { env: { DBUS_SESSION_BUS_ADDRESS: "" } };

interface ShownWindow {
  readonly title: string;
  readonly bounds: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
}

/** The visible windows of sessions, by title. */
async function windows(app: TestApp): Promise<readonly ShownWindow[]> {
  const shown = await app.electron.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()
      .filter((window) => window.isVisible() && window.webContents.getURL().includes("/window/"))
      .map((window) => ({ title: window.getTitle(), bounds: window.getBounds() })),
  );
  return shown.sort((a, b) => a.title.localeCompare(b.title));
}

function untilShown(app: TestApp, ...names: string[]): Promise<readonly ShownWindow[]> {
  const titles = names.map((name) => `${name} - Patchbay`);
  return until(`windows of ${names.join(" and ")}`, async () => {
    const shown = await windows(app);
    return JSON.stringify(shown.map(({ title }) => title)) === JSON.stringify(titles) ? shown : undefined;
  });
}

function act(app: TestApp, name: string, change: { readonly bounds: ShownWindow["bounds"] } | "close"): Promise<void> {
  return app.electron.evaluate(
    ({ BrowserWindow }, [title, wanted]) => {
      const window = BrowserWindow.getAllWindows().find((one) => one.getTitle() === title);
      if (wanted === "close") window?.close();
      else window?.setBounds(wanted.bounds);
    },
    [`${name} - Patchbay`, change] as const,
  );
}

const kept = (app: TestApp) => readFile(path.join(app.data, "windows.json"), "utf8");

test("windows that were open are there again after a kill and after quitting, each in its place; one that was closed is not", {
  tags: "slow",
  timeout: 180_000,
}, async () => {
  await using app = await launchApp(noBus);
  await app.window();
  // Below the path of the session, as `fetch` makes it: /v1/sessions and /v1/windows.
  expect((await app.fetch("../../sessions", { name: "second" })).ok).toBe(true);
  expect((await app.fetch("../../windows", { target: "second" })).ok).toBe(true);
  const [first, second] = await untilShown(app, "default", "second");
  expect([first?.bounds.x, first?.bounds.y]).not.toEqual([second?.bounds.x, second?.bounds.y]);
  const bounds = { x: 150, y: 120, width: 900, height: 610 };
  await act(app, "second", { bounds });
  await until("its place in the file", async () => (await kept(app)).includes('"x":150,"y":120'));
  app.process.kill("SIGKILL");
  await app.ended();

  await using again = await launchApp({ ...noBus, data: app.data });
  expect((await untilShown(again, "default", "second"))[1]?.bounds).toEqual(bounds);
  await act(again, "default", "close");
  await untilShown(again, "second");
  await again.stop();

  await using last = await launchApp({ ...noBus, data: app.data });
  expect(await untilShown(last, "second")).toMatchObject([{ bounds }]);
});
