import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { launchApp, type TestApp } from "../support/app.ts";
import { until } from "../support/until.ts";

/** Without WebGL xterm.js draws text as DOM, so that a test can read it. */
const readable = { switches: ["--disable-gpu", "--disable-software-rasterizer"] };

test("a new shell appears as a tile with its real output, and typing reaches it", async () => {
  await using app = await launchApp(readable);
  const window = await app.window();
  const { shellId } = (await app.call("createShell", { command: "echo shown-$((40+2))" })) as { shellId: number };
  await until("output in the tile", async () => (await textOf(window)).includes("shown-42"));

  await window.locator(".xterm").click();
  await window.keyboard.type("echo typed-$((50+5))\n");
  await until("typed command's output in the shell", async () => (await outputOf(app, shellId)).includes("typed-55"));
  await until("typed command's output in the tile", async () => (await textOf(window)).includes("typed-55"));
});

test("large output arrives completely, and the window stays responsive", async () => {
  await using app = await launchApp(readable);
  const window = await app.window();
  await app.call("createShell", { command: "seq 1 200000; echo all-$((1+1))-done" });
  await until("the last line in the tile", async () => (await textOf(window)).includes("all-2-done"), 60_000);
});

test("a toast shows in the window", async () => {
  await using app = await launchApp();
  const window = await app.window();
  await window.locator("#root > *").first().waitFor();
  await until("the toast", async () => {
    await app.call("toast", { message: "Deployed to staging", kind: "success" });
    return (await window.getByText("Deployed to staging").count()) > 0;
  });
});

test("the page is held to its policy: no violation, no navigation, no foreign window", async () => {
  await using app = await launchApp(readable);
  const window = await app.window();
  const violations: string[] = [];
  window.on("console", (message) => {
    if (/Content.Security.Policy|Refused to/i.test(message.text())) violations.push(message.text());
  });
  // Colours beyond the palette make xterm.js set style attributes. (A background is never changed for contrast.)
  const { shellId } = (await app.call("createShell")) as { shellId: number };
  await app.call("writeToShell", { id: shellId, data: "printf '\\033[48;2;10;200;30mtruecolor-%s\\033[0m\\n' yes\\n" });
  const coloured = window.locator(".xterm-rows span", { hasText: /^truecolor-yes/ });
  await coloured.first().waitFor();
  expect(await coloured.first().evaluate((span) => getComputedStyle(span).backgroundColor)).toBe("rgb(10, 200, 30)");
  expect(violations).toEqual([]);

  const before = window.url();
  const windows = app.electron.windows().length;
  await window.evaluate(() => {
    location.href = "https://example.com/";
    open("https://example.com/");
  });
  const ran = await window.evaluate(async () => {
    const script = document.createElement("script");
    script.textContent = "document.body.dataset.inline = 'ran'";
    document.body.append(script);
    document.body.insertAdjacentHTML("beforeend", "<img src='x:' onerror=\"document.body.dataset.inline = 'ran'\">");
    return document.body.dataset.inline;
  });
  expect(ran).toBeUndefined();
  expect(window.url()).toBe(before);
  expect(app.electron.windows()).toHaveLength(windows);
});

async function outputOf(app: TestApp, id: number): Promise<string> {
  return ((await app.call("getShellOutput", { id })) as { output: string }).output;
}

async function textOf(window: Page): Promise<string> {
  return (await window.locator(".xterm-rows").allInnerTexts()).join("\n");
}
