import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "../../support/until.ts";
import { shows, startWebLab, type WebLab } from "./web-lab.ts";

let lab: WebLab;
beforeAll(async () => {
  lab = await startWebLab();
});
afterAll(() => lab[Symbol.asyncDispose]());

/** A red field of 64x30 pixels. The cursor stays in its last line. */
const SIXEL = `\\033P0;1;0q"1;1;64;30#1;2;100;0;0${"#1!64~-".repeat(5)}\\033\\\\`;
/** One green pixel, drawn over 8x2 cells. */
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGNg+M8AAAICAQB7CYF4AAAAAElFTkSuQmCC";
const iterm2 = (content: string, size: number) =>
  `\\033]1337;File=inline=1;size=${size};width=8;height=2;preserveAspectRatio=0:${content}\\007`;

const loadedImages = (page: Page) =>
  page.evaluate(
    () => performance.getEntriesByType("resource").filter(({ name }) => name.includes("addon-image")).length,
  );

/** How many pixels of the terminals' images are red, and how many green. */
const drawn = (page: Page) =>
  page.evaluate(() => {
    const counts = { red: 0, green: 0 };
    for (const canvas of document.querySelectorAll<HTMLCanvasElement>(".xterm-image-layer")) {
      const data = canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
      for (let at = 0; at < data.length; at += 4) {
        if ((data[at + 3] ?? 0) < 200) continue;
        if ((data[at] ?? 0) > 200 && (data[at + 1] ?? 0) < 60) counts.red += 1;
        if ((data[at + 1] ?? 0) > 200 && (data[at] ?? 0) < 60) counts.green += 1;
      }
    }
    return counts;
  });

test("images are drawn, also for a page that comes later, by code that is loaded for the first one", async () => {
  const { page, id } = await lab.guest();
  const errors: string[] = [];
  page.on("pageerror", ({ message }) => errors.push(message));
  const { shellId } = await lab.command<{ shellId: number }>("createShell", {}, id);
  const run = (line: string) => lab.command("writeToShell", { id: shellId, data: `${line}\n` }, id);
  await run("PS1='> '; clear; echo a-$((1+1))-b");
  await shows(page, "a-2-b");
  expect(await loadedImages(page)).toBe(0);
  const wire = () =>
    page.evaluate(() =>
      [...performance.getEntriesByType("resource"), ...performance.getEntriesByType("navigation")].reduce(
        (sum, entry) => sum + (entry instanceof PerformanceResourceTiming ? entry.transferSize : 0),
        0,
      ),
    );
  expect(await wire()).toBeLessThan(400_000);

  await run(`printf '${SIXEL}\\n'; echo sixel-$((1+1))`);
  await shows(page, "sixel-2");
  await until("the sixel image", async () => (await drawn(page)).red === 64 * 30);
  expect(await loadedImages(page)).toBe(1);
  await run(`printf '${iterm2(PNG, 69)}\\n'; echo iterm-$((1+1))`);
  await shows(page, "iterm-2");
  await until("the PNG", async () => (await drawn(page)).green > 0);

  // Without its size, and in parts.
  const whole = iterm2(PNG, 69);
  await run(`clear; printf '${whole.replace("size=69;", "")}\\n'; echo sizeless-$((1+1))`);
  await shows(page, "sizeless-2");
  const half = Math.floor(PNG.length / 8) * 4;
  await until("the PNG without a size", async () => (await drawn(page)).green > 0);
  const parts = [
    whole.slice(0, whole.indexOf(":")).replace("File=", "MultipartFile="),
    `\\033]1337;FilePart=${PNG.slice(0, half)}`,
    `\\033]1337;FilePart=${PNG.slice(half)}`,
    "\\033]1337;FileEnd",
  ];
  await run(`clear; printf '${parts.map((part) => `${part}\\007`).join("")}\\n'; echo parts-$((1+1))`);
  await shows(page, "parts-2");
  await until("the PNG in parts", async () => (await drawn(page)).green > 0);
  await run(`clear; printf '${SIXEL}\\n${whole}\\n'`);
  await until("both images", async () => {
    const { red, green } = await drawn(page);
    return red === 64 * 30 && green > 0;
  });

  // An image that is none leaves the terminal working.
  await run(
    `printf '${iterm2(PNG.replace("IDAT", "AAAA").slice(0, 64), 48)}\\033Pq!99999999~\\033\\\\'; echo bad-$((1+1))`,
  );
  await shows(page, "bad-2");

  await page.reload();
  await shows(page, "bad-2");
  await until("both images after a reload", async () => {
    const { red, green } = await drawn(page);
    return red === 64 * 30 && green > 0;
  });

  // The terminal says what it draws; without images it says less.
  const ask = `IFS= read -rs -d c -p $'\\033[c' answer; printf 'says %s.\\n' "\${answer#*[}"`;
  await run(ask);
  await shows(page, "says ?62;4;9;22.");
  await page.locator(".tile .xterm").click();
  await page.keyboard.press("Control+Comma");
  await page.getByRole("dialog", { name: "Terminal settings" }).getByLabel("Images").click();
  await page.keyboard.press("Escape");
  await run(`clear; ${ask}; printf '${SIXEL}'; echo off-$((1+1))`);
  await shows(page, "says ?1;2.");
  await shows(page, "off-2");
  expect(await drawn(page)).toEqual({ red: 0, green: 0 });
  // The add-on leaves the browser's own error of an image that is none.
  expect(errors.filter((message) => message !== "The source image could not be decoded.")).toEqual([]);
});

test("in a browser a path is copied, and a dropped file leaves the page and is uploaded only after a question", async () => {
  const { context, page, id } = await lab.guest();
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const { shellId } = await lab.command<{ shellId: number }>("createShell", {}, id);
  const line = "src/main.ts:12:3 and/or https://host.test/a/b.ts";
  await lab.command("writeToShell", { id: shellId, data: `PS1=; clear; echo '${line}'\n` }, id);
  await shows(page, line);
  const row = page.locator(".tile[data-focused] .xterm-rows > div", { hasText: "src/main.ts" }).last();
  await row.hover({ position: { x: 30, y: 8 }, force: true });
  await page.locator('.terminal[title^="src/main.ts"][title$="copies it"]').waitFor();
  await page.keyboard.down("Control");
  await page.mouse.down();
  await page.mouse.up();
  await page.keyboard.up("Control");
  await page.getByText("Copied src/main.ts").waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("src/main.ts");

  const prevented = await page.evaluate(() =>
    [".tile[data-focused] .xterm", "header"].map((place) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(["x"], "notes.txt"));
      const event = new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true });
      document.querySelector(place)?.dispatchEvent(event);
      return event.defaultPrevented;
    }),
  );
  expect(prevented).toEqual([true, true]);
  const question = page.getByRole("dialog");
  await question.getByText("notes.txt").waitFor();
  await question.getByRole("button", { name: "Cancel" }).click();
  await question.waitFor({ state: "hidden" });
});
