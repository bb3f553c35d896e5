import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { launchApp } from "../support/app.ts";
import { axeOn } from "../support/axe.ts";
import { endShellHost } from "../support/end-shell-host.ts";
import { until } from "../support/until.ts";

/** Without WebGL xterm.js draws text as DOM, so that a test can read it. */
const readable = { switches: ["--disable-gpu", "--disable-software-rasterizer"] };

test("the first window has the welcome and a shell, after a crash again, and goes by keyboard", async () => {
  const data = await mkdtemp(path.join(tmpdir(), "patchbay-data-"));
  try {
    await using crashed = await launchApp({ ...readable, data, firstRun: true });
    await onStep(await crashed.window(), "Welcome to Patchbay");
    await until("the user's shell", async () => ((await crashed.call("getTiles")) as unknown[]).length === 1);
    crashed.process.kill("SIGKILL");
    await crashed.ended();

    await using app = await launchApp({ ...readable, data, firstRun: true });
    const window = await app.window();
    await walkThrough(window);
    // This desktop has no tray. The panel, which is opened instead, would have taken the keys from the welcome.
    expect(app.electron.windows().filter((page) => page.url().includes("/tray/"))).toEqual([]);
    // The keys go to the shell, which is the one of before.
    await until("the keys in the terminal", () =>
      window.evaluate(() => document.activeElement?.closest(".xterm") !== null),
    );
    await window.keyboard.type("echo typed-$((1+1))\n");
    await window.locator(".xterm-rows", { hasText: "typed-2" }).waitFor();
    expect(await app.call("getShells")).toHaveLength(1);

    await window.getByRole("button", { name: /^Menu of the session/ }).click();
    await window.getByRole("button", { name: "Welcome to Patchbay" }).click();
    await onStep(window, "Welcome to Patchbay");
    await window.keyboard.press("Tab");
    await window.keyboard.press("Enter");
    await gone(window);
  } finally {
    await endShellHost(data);
    await rm(data, { recursive: true, force: true });
  }
});

/** Takes all four steps without the pointer. */
async function walkThrough(window: Page): Promise<void> {
  await onStep(window, "Welcome to Patchbay");
  await window.locator(".xterm").waitFor();
  expect(await violations(window)).toEqual([]);
  // To the shell and back.
  await window.keyboard.press("Escape");
  await until("the keys in the terminal", () =>
    window.evaluate(() => document.activeElement?.closest(".xterm") !== null),
  );
  await window.keyboard.press("Alt+Shift+F6");
  await pressed(window, "Next");

  await onStep(window, "Connect the command line");
  expect(await violations(window)).toEqual([]);
  await pressed(window, "Add to ~/.bashrc");
  await window.getByText("Added. New terminals find the command line.").waitFor();
  await window.getByText("It is connected: new terminals find it.").waitFor();
  await pressed(window, "Next");

  await onStep(window, "Keep what shells print");
  expect(await violations(window)).toEqual([]);
  await pressed(window, "Do not record");
  await window.getByText("Nothing is recorded.", { exact: true }).waitFor();
  await pressed(window, "Next");

  await onStep(window, "Notifications and start");
  expect(await violations(window)).toEqual([]);
  const notify = window.getByRole("checkbox", { name: /^Notify me of agents/ });
  const start = window.getByRole("checkbox", { name: /^Start Patchbay when I log in/ });
  expect([await notify.isChecked(), await start.isChecked()]).toEqual([true, false]);
  for (const choice of [notify, start]) await choice.press("Space");
  await until("the choices", async () => !(await notify.isChecked()) && (await start.isChecked()));
  await pressed(window, "Done");
  await gone(window);
}

/** Waits for a step, whose heading has the focus. */
async function onStep(window: Page, title: string): Promise<void> {
  await window.getByRole("dialog", { name: title }).waitFor();
  await until("the heading's focus", () =>
    window.evaluate((name) => document.activeElement?.textContent === name, title),
  );
}

/** Goes to a button by Tab and presses it. */
async function pressed(window: Page, name: string): Promise<void> {
  const button = window.getByRole("dialog").getByRole("button", { name, exact: true });
  await until(`the focus on ${name}`, async () => {
    if (await button.evaluate((element) => element === document.activeElement)) return true;
    await window.keyboard.press("Tab");
    return false;
  });
  await window.keyboard.press("Enter");
}

async function gone(window: Page): Promise<void> {
  await until("the welcome's end", async () => (await window.getByRole("dialog").count()) === 0);
}

async function violations(window: Page): Promise<unknown[]> {
  const axe = axeOn(window).exclude(".xterm-screen");
  return (await axe.withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]).analyze()).violations;
}
