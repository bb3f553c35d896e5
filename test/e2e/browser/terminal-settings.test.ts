import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { until } from "../../support/until.ts";
import { shows, startWebLab, type WebLab } from "./web-lab.ts";

/** A page with one shell that shows a prompt. */
async function withShell(lab: WebLab, options = {}) {
  const guest = await lab.guest(options);
  const { shellId } = await lab.command<{ shellId: number }>("createShell", {}, guest.id);
  await lab.command("writeToShell", { id: shellId, data: "PS1='> '; clear; echo a-$((1+1))-b\n" }, guest.id);
  await shows(guest.page, "a-2-b");
  return { ...guest, shellId };
}

const dialogOf = (page: Page) => page.getByRole("dialog", { name: "Terminal settings" });

test("the settings change the terminals behind and the sample at once, and last", async () => {
  await using lab = await startWebLab();
  const { page, id, shellId } = await withShell(lab);
  const rowsOf = async () =>
    (await lab.command<{ id: number; rows: number }[]>("getShells", {}, id)).find((one) => one.id === shellId)?.rows;
  const before = (await rowsOf()) ?? 0;
  await page.locator(".tile .xterm").click();
  await page.keyboard.press("Control+Comma");
  const dialog = dialogOf(page);
  await dialog.getByLabel("Line height", { exact: true }).fill("2");
  await dialog.getByLabel("Cursor", { exact: true }).selectOption("Underline");
  await until("fewer rows", async () => ((await rowsOf()) ?? 0) < before * 0.7);
  const height = (rows: string) => page.locator(rows).evaluate((row) => getComputedStyle(row).height);
  expect(await height(".settings-preview .xterm-rows > div >> nth=0")).toBe(
    await height(".tile .xterm-rows > div >> nth=0"),
  );
  await page.keyboard.press("Escape");
  await page.locator(".tile .xterm-cursor-underline").waitFor();
  // The keys are back in the terminal.
  await page.keyboard.type("echo after-$((1+1))\n");
  await shows(page, "after-2");
  await page.reload();
  await page.locator(".tile .xterm-cursor-underline").waitFor();
  expect(await rowsOf()).toBeLessThan(before * 0.7);
});

test("what is no value stays in its field, with the reason, and changes nothing", { tags: "slow" }, async () => {
  await using lab = await startWebLab();
  const { page } = await withShell(lab);
  await page.getByRole("button", { name: /^Menu of the session/ }).click();
  await page.getByRole("button", { name: "Terminal settings…" }).click();
  const dialog = dialogOf(page);
  const size = dialog.getByLabel("Font size");
  await size.fill("99");
  await dialog.getByText("A number from 8 to 32.").waitFor();
  await size.blur();
  expect(await size.inputValue()).toBe("13");
  await dialog.getByLabel("Font", { exact: true }).fill("No Such Font");
  await dialog.getByText("This device has no font of that name").waitFor();
  await dialog.getByRole("button", { name: "Use the defaults" }).click();
  await until("an empty field", async () => (await dialog.getByLabel("Font", { exact: true }).inputValue()) === "");
  // Only a Mac has the key.
  expect(await dialog.getByLabel("Option as Meta").count()).toBe(0);
});

test("a bell does what the user wants: nothing, a highlight or a sound", { tags: "slow" }, async () => {
  await using lab = await startWebLab();
  const { context, page, id, shellId } = await withShell(lab);
  await context.addInitScript(countTones);
  await page.reload();
  await shows(page, "a-2-b");
  await page.evaluate(watchBells);
  const counts = () => page.evaluate(() => [document.body.dataset.bells ?? "0", document.body.dataset.tones ?? "0"]);
  let rung = 0;
  const ring = async (way: string) => {
    await page.keyboard.press("Control+Comma");
    await dialogOf(page).getByLabel("Bell", { exact: true }).selectOption(way);
    await page.keyboard.press("Escape");
    rung += 1;
    await lab.command("writeToShell", { id: shellId, data: `printf '\\a'; echo rung-$((${rung}+0))\n` }, id);
    await shows(page, `rung-${rung}`);
    return counts();
  };
  expect(await ring("Nothing")).toEqual(["0", "0"]);
  expect(await ring("Highlight the tile's border")).toEqual(["1", "0"]);
  expect(await ring("Play a sound")).toEqual(["1", "1"]);
});

test("with copy on select, what the pointer selects is on the clipboard, and nothing else", {
  tags: "slow",
}, async () => {
  await using lab = await startWebLab();
  const { context, page } = await withShell(lab);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  await page.evaluate(() => navigator.clipboard.writeText("before"));
  const word = page.locator(".xterm-rows").getByText("a-2-b", { exact: true });
  await word.dblclick({ position: { x: 4, y: 8 }, force: true });
  expect(await clipboard()).toBe("before");
  await page.keyboard.press("Control+Comma");
  await dialogOf(page).getByLabel("Copy on select", { exact: true }).check();
  await page.keyboard.press("Escape");
  await word.dblclick({ position: { x: 4, y: 8 }, force: true });
  await until("the word on the clipboard", async () => (await clipboard()) === "a-2-b");
  await page.keyboard.press("Control+Shift+A");
  await page.locator(".xterm").click();
  expect(await clipboard()).toBe("a-2-b");
});

test("terminals have the theme of the app's brightness, and an imported one at once", { tags: "slow" }, async () => {
  await using lab = await startWebLab();
  const { page } = await withShell(lab);
  const background = () =>
    page.locator(".terminal-tile > .terminal").evaluate((one) => getComputedStyle(one).backgroundColor);
  const own = await background();
  await page.keyboard.press("Control+Comma");
  const dialog = dialogOf(page);
  const choose = async (appearance: string, theme: string) => {
    await dialog.getByRole("radio", { name: appearance, exact: true }).click();
    await dialog.getByRole("radio", { name: theme, exact: true }).press("Space");
  };
  await choose("Dark", "Nord");
  await choose("Light", "Solarized Light");
  await until("Nord", async () => (await background()) === "rgb(46, 52, 64)");
  await page.emulateMedia({ colorScheme: "light" });
  await until("Solarized Light", async () => (await background()) === "rgb(253, 246, 227)");
  await page.emulateMedia({ colorScheme: "dark" });

  const colours = Array.from({ length: 16 }, (_, index) => `palette = ${index}=#4080${index + 10}`);
  const files = dialog.getByLabel("Files with themes");
  const file = (name: string, lines: readonly string[]) => ({
    name,
    mimeType: "text/plain",
    buffer: Buffer.from(lines.join("\n")),
  });
  await files.setInputFiles(file("Broken", colours));
  await dialog.getByText("Broken: The theme has no background.").waitFor();
  await files.setInputFiles(file("Mine", [...colours, "background = #102030", "foreground = #d0d0d0"]));
  await dialog.getByText("Imported “Mine”.").waitFor();
  await until("the imported theme", async () => (await background()) === "rgb(16, 32, 48)");
  // The sample shows what was imported, also where the app itself is of the other brightness.
  await page.emulateMedia({ colorScheme: "light" });
  await dialog.getByRole("radio", { name: "Light", exact: true }).click();
  await files.setInputFiles(file("Other", [...colours, "background = #203010", "foreground = #d0d0d0"]));
  const sample = () => page.locator(".settings-preview").evaluate((one) => getComputedStyle(one).backgroundColor);
  await until("the sample of it", async () => (await sample()) === "rgb(32, 48, 16)");
  await dialog.getByRole("button", { name: "Remove Other" }).click();
  await choose("Dark", "Mine");
  await page.emulateMedia({ colorScheme: "dark" });
  await page.reload();
  await shows(page, "a-2-b");
  expect(await background()).toBe("rgb(16, 32, 48)");
  await page.keyboard.press("Control+Comma");
  await dialog.getByRole("button", { name: "Remove Mine" }).click();
  await until("Patchbay's own colours", async () => (await background()) === own);
});

test.each([{ webgl: false }, { webgl: true }])(
  "ligatures are drawn if the user wants them, WebGL: $webgl",
  { tags: "slow" },
  async ({ webgl }) => {
    await using lab = await startWebLab();
    const { page, id } = await lab.guest({ webgl });
    const { shellId } = await lab.command<{ shellId: number }>("createShell", {}, id);
    await lab.command("writeToShell", { id: shellId, data: "PS1=; clear; printf '\\033[?25l=> =>\\n'\n" }, id);
    const screen = page.locator(".tile .xterm-screen");
    const picture = async () => (await screen.screenshot({ animations: "disabled" })).toString("base64");
    const settled = async () => {
      let last = "";
      await until("a picture that stays", async () => {
        const before = last;
        last = await picture();
        return last === before;
      });
      return last;
    };
    const without = await settled();
    const toggle = async () => {
      await page.keyboard.press("Control+Comma");
      await dialogOf(page).getByLabel("Ligatures", { exact: true }).click();
      await page.keyboard.press("Escape");
    };
    await toggle();
    await until("other signs", async () => (await picture()) !== without);
    await toggle();
    await until("the signs as before", async () => (await picture()) === without);
  },
);

/** Runs in the page before its scripts: counts tones instead of playing them. */
function countTones(): void {
  class CountedTone extends OscillatorNode {
    override start(): void {
      document.body.dataset.tones = String(Number(document.body.dataset.tones ?? 0) + 1);
      super.start();
    }
  }
  Object.assign(window, { OscillatorNode: CountedTone });
}

/** Runs in the page: counts the highlights of tiles. */
function watchBells(): void {
  new MutationObserver((changes) => {
    const rings = changes.filter(({ target }) => target instanceof Element && target.hasAttribute("data-bell"));
    document.body.dataset.bells = String(Number(document.body.dataset.bells ?? 0) + rings.length);
  }).observe(document.body, { attributes: true, attributeFilter: ["data-bell"], subtree: true });
}
