import { resolve } from "node:path";
import type { Page } from "playwright-core";
import { type BrowserOptions, openBrowser } from "./web-lab.ts";

/** The time of the scenes of a made-up panel. */
export const PANEL_NOW = new Date("2026-03-14T14:20:00");

const ORIGIN = "http://pages.test/";
const pages = resolve(import.meta.dirname, "../../../dist/renderer");

/** Opens the app's panel in a browser, over these answers in place of a relay. */
export async function openMadeUpPanel(
  size: BrowserOptions,
  language: string,
  answers: Readonly<Record<string, unknown>>,
): Promise<Page> {
  const { page } = await openBrowser({ dark: false, ...size });
  await page.clock.setFixedTime(PANEL_NOW);
  await page.addInitScript(fakeBridge, answers);
  await page.route(`${ORIGIN}**`, (route) =>
    route.fulfill({ path: resolve(pages, `.${new URL(route.request().url()).pathname}`) }),
  );
  await page.goto(`${ORIGIN}tray/index.html?language=${language}&locale=${language}`);
  await page.getByRole("tab").first().waitFor();
  await page.evaluate(async () => void (await document.fonts.ready));
  return page;
}

/** Runs in the page: the preload script's bridge, with these answers; `speak` is what the app tells of its language. */
function fakeBridge(answers: Readonly<Record<string, unknown>>): void {
  const patchbay = {
    on(name: string, listener: (message: unknown) => void) {
      if (name === "app.speech") Reflect.set(window, "speak", listener);
      if (name in answers) setTimeout(() => listener(answers[name]));
      return () => undefined;
    },
    async invoke(name: string, args?: { days?: number; operation?: string; params?: { session?: string } }) {
      const operation = name === "panel.run" ? (args?.operation ?? "") : name.slice(name.indexOf(".") + 1);
      const answer = answers[operation];
      if (name === "panel.usage") return Reflect.get(Object(answer), args?.days ?? 0) ?? [];
      if (!["getReceipts", "getPolicies", "getQuestions", "listInvites"].includes(operation)) return answer;
      const all = Array.isArray(answer) ? answer : [];
      return all.filter((one: { session: string }) => one.session === args?.params?.session);
    },
  };
  Object.assign(window, { patchbay });
}

/**
 * The texts that cannot be read whole: those that reach beyond the box that they are drawn in without a way to scroll there,
 * and those that end in an ellipsis without the whole text as a tooltip. Also the boxes that scroll sideways.
 */
export async function cutTexts(page: Page, within = "body"): Promise<readonly string[]> {
  return page.evaluate((root) => {
    /** Whether a box around a text between these edges cuts it without an ellipsis. */
    const isCut = (element: HTMLElement, left: number, right: number) => {
      for (let box: HTMLElement | null = element; box !== null; box = box.parentElement) {
        const { overflowX, textOverflow, webkitLineClamp } = getComputedStyle(box);
        if (box.matches("pre") || textOverflow === "ellipsis" || webkitLineClamp !== "none") return false;
        const cuts = overflowX !== "visible" || box.matches("button, [role=tab], body");
        const edge = box.getBoundingClientRect();
        if (cuts && (right > edge.right + 1 || left < edge.left - 1)) return true;
      }
      return false;
    };
    const plain = (text: string | null | undefined) => text?.replaceAll(/\s+/g, " ").trim() ?? "";
    /** Whether the whole of a text that ends in an ellipsis is in a tooltip, or in the name of its control. */
    const isTold = (element: HTMLElement) => {
      const control = element.closest<HTMLElement>("button, [role=option], [role=group]")?.ariaLabel;
      const told = [element.closest<HTMLElement>("[title]")?.title, control];
      const names = [...element.querySelectorAll("strong, .now-name")].map(({ textContent }) => textContent);
      const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      const whole: (string | null)[] = [...names];
      while (names.length === 0 && texts.nextNode() !== null) whole.push(texts.currentNode.textContent);
      return told.some((text) => whole.every((name) => plain(text).includes(plain(name))));
    };
    const isSeen = (element: HTMLElement) =>
      element.checkVisibility() &&
      // What only screen readers have is a point.
      element.offsetWidth > 1 &&
      element.offsetHeight > 1 &&
      element.closest(".visually-hidden, svg, .xterm, option, [hidden]") === null;
    const found: string[] = [];
    for (const element of document.querySelectorAll<HTMLElement>(`${root}, ${root} *`)) {
      if (!isSeen(element)) continue;
      const named = `${element.tagName.toLowerCase()}.${element.className}: ${element.textContent}`;
      const { overflowX, textOverflow } = getComputedStyle(element);
      const isOver = element.scrollWidth > element.clientWidth + 1;
      if (isOver && textOverflow === "ellipsis" && !element.matches("input") && !isTold(element)) found.push(named);
      if (isOver && /auto|scroll/.test(overflowX) && !element.matches("pre, input, textarea"))
        found.push(`scrolls sideways: ${element.tagName.toLowerCase()}.${element.className}`);
      const own = [...element.childNodes].filter((node) => node.nodeType === 3 && node.textContent?.trim() !== "");
      if (own.length === 0) continue;
      const range = document.createRange();
      range.setStartBefore(own[0] as Node);
      range.setEndAfter(own.at(-1) as Node);
      const { left, right } = range.getBoundingClientRect();
      if (right - left >= 1 && isCut(element, left, right)) found.push(named);
    }
    return found;
  }, within);
}
