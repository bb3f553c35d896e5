import type { Page } from "playwright-core";
import { expect } from "vitest";
import { until } from "./until.ts";

/** Prints each line that it is sent, once: its terminal echoes nothing. */
export const LINE_PRINTER = ["sh", "-c", "stty -echo; echo ready; exec cat"];

/** Text in work and text that is chosen, as Chromium takes it from an input method. */
interface InputMethod {
  compose(...steps: readonly string[]): Promise<void>;
  commit(text: string): Promise<void>;
}

async function inputMethod(page: Page): Promise<InputMethod> {
  const devtools = await page.context().newCDPSession(page);
  return {
    async compose(...steps) {
      const composed = steps.map((text) => {
        const end = text.length;
        return devtools.send("Input.imeSetComposition", { text, selectionStart: end, selectionEnd: end });
      });
      await Promise.all(composed);
    },
    commit: async (text) => void (await devtools.send("Input.insertText", { text })),
  };
}

/**
 * Composes text in the focused terminal of a page, in which `LINE_PRINTER` runs, and checks that its shell receives it once,
 * whole and in order with keys, and that text in work stays within the tile.
 *
 * @param linesOf reads the lines that the shell has printed
 */
export async function checkComposition(page: Page, linesOf: () => Promise<string[]>): Promise<void> {
  const method = await inputMethod(page);
  const typed: string[] = [];
  const enter = async (line: string) => {
    typed.push(line);
    await page.keyboard.press("Enter");
    await until(`the line ${JSON.stringify(line)}`, async () => (await linesOf()).length > typed.length);
    expect(await linesOf()).toEqual(["ready", ...typed]);
  };
  const inWork = page.locator(".composition-view.active");

  await method.compose("n", "に", "にh", "にほ", "にほn", "にほん", "日本");
  await inWork.waitFor();
  expect(await linesOf()).toEqual(["ready"]);
  await method.commit("日本");
  await inWork.waitFor({ state: "detached" }).catch(() => undefined);
  await enter("日本");

  // A syllable is chosen by the key that begins the next one, and a key follows at once.
  await method.compose("ㅎ", "하", "한");
  await method.commit("한");
  await method.compose("ㄱ", "그", "글");
  await method.commit("글");
  await page.keyboard.press("!");
  await enter("한글!");

  // All of it reaches a page that is busy before the page has sent anything.
  const busy = page.evaluate(() => {
    for (const start = performance.now(); performance.now() - start < 500; );
  });
  await Promise.all([
    busy,
    method.compose("ㅎ", "하", "한"),
    method.commit("한"),
    method.compose("ㄱ", "그", "글"),
    method.commit("글"),
    page.keyboard.press("!"),
  ]);
  await enter("한글!");

  // Taken back letter by letter, and given up.
  await method.compose("abc", "ab", "a", "");
  await page.keyboard.type("x");
  await enter("x");

  // Chosen without text in work, as from a table of symbols; in front of it keys.
  await page.keyboard.type("a");
  await method.commit("🎉é");
  await page.keyboard.type("b");
  await enter("a🎉éb");

  const long = "ながい文".repeat(60);
  await method.compose(long);
  await inWork.waitFor();
  const [shown, tile] = await Promise.all([inWork.boundingBox(), page.locator(".tile[data-focused]").boundingBox()]);
  if (shown === null || tile === null) throw new Error("the composition or its tile has no place");
  expect(shown.x).toBeGreaterThanOrEqual(tile.x);
  expect(shown.x + shown.width).toBeLessThanOrEqual(tile.x + tile.width);
  expect(shown.y).toBeGreaterThanOrEqual(tile.y);
  expect(shown.y + shown.height).toBeLessThanOrEqual(tile.y + tile.height);
  expect(await scrolled(page)).toEqual([]);
  await method.commit(long);
  await enter(long);
  expect(await scrolled(page)).toEqual([]);
}

/** Returns what the caret in a long text has scrolled aside: nothing but the field that it is in may be. */
function scrolled(page: Page): Promise<string[]> {
  return page
    .locator(".tile, .tile *:not(textarea)")
    .evaluateAll((all) => all.filter(({ scrollLeft }) => scrollLeft > 0).map(({ className }) => String(className)));
}
