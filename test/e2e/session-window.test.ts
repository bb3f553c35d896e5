import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type AppSession, launchApp, type TestApp } from "../support/app.ts";
import { type DbusDesktop, startDbusDesktop } from "../support/dbus-desktop.ts";
import { checkComposition, LINE_PRINTER } from "../support/input-method.ts";
import { until } from "../support/until.ts";

/** Without WebGL xterm.js draws text as DOM, so that a test can read it. */
const readable = { switches: ["--disable-gpu", "--disable-software-rasterizer"] };

let desktop: DbusDesktop;
let app: TestApp;
beforeAll(async () => {
  // Without a tray the app would open a window by itself.
  desktop = await startDbusDesktop();
  app = await launchApp({ ...readable, args: ["--hidden"] });
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await desktop[Symbol.asyncDispose]();
});

test("a new shell appears as a tile with its real output, and typing reaches it", async () => {
  await using session = await app.newSession("shell");
  const window = await session.window();
  const { shellId } = (await session.call("createShell", { command: "echo shown-$((40+2))" })) as { shellId: number };
  await until("output in the tile", async () => (await textOf(window)).includes("shown-42"));

  await window.locator(".xterm").click();
  await window.keyboard.type("echo typed-$((50+5))\n");
  await until("typed command's output in the shell", async () =>
    (await outputOf(session, shellId)).includes("typed-55"),
  );
  await until("typed command's output in the tile", async () => (await textOf(window)).includes("typed-55"));
});

test("text of an input method reaches the shell once and whole, and stays within its tile", async () => {
  await using session = await app.newSession("input");
  const window = await session.window();
  const { shellId } = (await session.call("createShell", { exec: LINE_PRINTER })) as { shellId: number };
  await until("the program", async () => (await textOf(window)).includes("ready"));
  await window.locator(".xterm").last().click();
  await checkComposition(window, async () => (await outputOf(session, shellId)).trimEnd().split("\r\n"));
});

test("large output arrives completely, and the window stays responsive", { tags: "slow" }, async () => {
  await using session = await app.newSession("large");
  const window = await session.window();
  await session.call("createShell", { command: "seq 1 200000; echo all-$((1+1))-done" });
  await until("the last line in the tile", async () => (await textOf(window)).includes("all-2-done"), 60_000);
});

test("paths in a terminal open files or show programs, and dropped files are inserted as quoted paths", async () => {
  await using session = await app.newSession("paths");
  const window = await session.window();
  const folder = mkdtempSync(join(tmpdir(), "dropped-"));
  try {
    for (const name of ["notes.txt", "it's mine.txt"]) writeFileSync(join(folder, name), "");
    writeFileSync(join(folder, "run.sh"), "", { mode: 0o755 });
    await app.electron.evaluate(({ shell }) => {
      const opened: string[] = [];
      Object.assign(globalThis, { opened });
      shell.openPath = async (file) => {
        opened.push(`open ${file}`);
        return "";
      };
      shell.showItemInFolder = (file) => void opened.push(`show ${file}`);
    });
    const opened = () => app.electron.evaluate(() => Reflect.get(globalThis, "opened") as string[]);
    const { shellId } = (await session.call("createShell", { cwd: folder })) as { shellId: number };
    const run = (data: string) => session.call("writeToShell", { id: shellId, data: `${data}\n` });
    await run("PS1='> '; clear; printf '%s:3:1 error\\n' ./notes.txt ./nothing.txt ./run.sh");
    await until("the paths in the tile", async () => (await textOf(window)).includes("./run.sh:3:1 error"));
    const click = async (text: string) => {
      await window
        .locator(".xterm-rows > div", { hasText: text })
        .last()
        .hover({ position: { x: 30, y: 8 }, force: true });
      await until(`a link of ${text}`, async () => (await window.locator(`.terminal[title^="${text}"]`).count()) === 1);
      await window.mouse.down();
      await window.mouse.up();
      expect((await opened()).filter((call) => call.endsWith(text.slice(2)))).toEqual([]);
      await window.keyboard.down("Control");
      await window.mouse.down();
      await window.mouse.up();
      await window.keyboard.up("Control");
      await until(`${text} opened`, async () => (await opened()).some((call) => call.endsWith(text.slice(2))));
    };
    await click("./notes.txt");
    await click("./run.sh");
    expect(await opened()).toEqual([`open ${join(folder, "notes.txt")}`, `show ${join(folder, "run.sh")}`]);
    await window.getByText("./run.sh is shown in its folder").waitFor();

    await run("clear; cat -A");
    await drop(window, [join(folder, "notes.txt"), join(folder, "it's mine.txt")]);
    const wanted = `${folder}/notes.txt '${folder}/it'\\''s mine.txt' `;
    await until("the quoted paths", async () => (await outputOf(session, shellId)).includes(wanted));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("a toast shows in the window", { tags: "slow" }, async () => {
  await using session = await app.newSession("toasts");
  const window = await session.window();
  await window.locator("#root > *").first().waitFor();
  await until("the toast", async () => {
    await session.call("toast", { message: "Deployed to staging", kind: "success" });
    return (await window.getByText("Deployed to staging").count()) > 0;
  });
});

test("the page is held to its policy: no violation, no navigation, no foreign window", async () => {
  await using session = await app.newSession("policy");
  const window = await session.window();
  const violations: string[] = [];
  window.on("console", (message) => {
    if (/Content.Security.Policy|Refused to/i.test(message.text())) violations.push(message.text());
  });
  // Colours beyond the palette make xterm.js set style attributes. (A background is never changed for contrast.)
  const { shellId } = (await session.call("createShell")) as { shellId: number };
  await session.call("writeToShell", {
    id: shellId,
    data: "printf '\\033[48;2;10;200;30mtruecolor-%s\\033[0m\\n' yes\\n",
  });
  const coloured = window.locator(".xterm-rows span", { hasText: /^truecolor-yes/ });
  // A row that is drawn again has new elements, and the old ones no colour.
  const colour = () => coloured.first().evaluate((span) => getComputedStyle(span).backgroundColor);
  await until("the line in its colour", async () => (await colour()) === "rgb(10, 200, 30)");
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

/** Drops files on the terminal, as a file manager does. */
async function drop(window: Page, files: string[]): Promise<void> {
  await window.evaluate(() => {
    const input = document.createElement("input");
    input.type = "file";
    input.multiple = true;
    input.id = "dropped";
    document.body.append(input);
  });
  await window.locator("#dropped").setInputFiles(files);
  await window.evaluate(() => {
    const dataTransfer = new DataTransfer();
    const input = document.querySelector<HTMLInputElement>("#dropped");
    for (const file of input?.files ?? []) dataTransfer.items.add(file);
    input?.remove();
    const event = new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true });
    document.querySelector(".xterm")?.dispatchEvent(event);
  });
}

async function outputOf(session: AppSession, id: number): Promise<string> {
  return ((await session.call("getShellOutput", { id })) as { output: string }).output;
}

async function textOf(window: Page): Promise<string> {
  return (await window.locator(".xterm-rows").allInnerTexts()).join("\n");
}
