/**
 * Draws docs/screens: every tab of the panel, in both themes, filled and empty, narrow and wide, from the built pages with a made-up
 * relay behind them. Run it by hand after a change (`node scripts/build.mjs && node scripts/screens.mjs`), look at every
 * picture, and commit them. It needs a Chromium (PATCHBAY_CHROMIUM, else /usr/bin/chromium).
 */
import { mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { audit, emptyPanel, filledPanel, keys, notices, usage } from "./setup/panel-scenes.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));
const pages = path.join(root, "dist", "renderer");
const target = path.join(root, "docs", "screens");
const ORIGIN = "http://pages.test/";
const TABS = ["Sessions", "People", "Agents", "Activity", "Settings"];
/** The panel's own width, and what it may be where it is a window. */
const SIZES = /** @type {const} */ ([
  { name: "", width: 420, height: 640 },
  { name: "-wide", width: 900, height: 640 },
]);
/** The time of the pictures, so that they change only when the panel does. */
const NOW = new Date("2026-03-14T14:20:00");
const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".woff2": "font/woff2" };

await mkdir(target, { recursive: true });
const browser = await chromium.launch({
  executablePath: process.env.PATCHBAY_CHROMIUM ?? "/usr/bin/chromium",
  args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
});
try {
  for (const colorScheme of /** @type {const} */ (["dark", "light"])) {
    for (const size of SIZES) for (const scene of ["filled", "empty"]) await drawPanel(colorScheme, scene, size);
  }
} finally {
  await browser.close();
}

/** @param {"dark" | "light"} colorScheme @param {string} scene @param {(typeof SIZES)[number]} size */
async function drawPanel(colorScheme, scene, size) {
  const viewport = { width: size.width, height: size.height };
  const context = await browser.newContext({ colorScheme, viewport, deviceScaleFactor: 1, locale: "en-US" });
  const page = await context.newPage();
  await page.clock.setFixedTime(NOW);
  await page.route(`${ORIGIN}**`, async (route) => {
    const file = path.join(pages, new URL(route.request().url()).pathname);
    const contentType = types[/** @type {keyof typeof types} */ (path.extname(file))];
    await route.fulfill({ body: await readFile(file), contentType });
  });
  const filled = scene === "filled";
  const answers = {
    content: filled ? filledPanel(NOW) : emptyPanel,
    usage: filled ? usage(NOW) : {},
    keys: filled ? keys(NOW) : [],
    audit: filled ? audit(NOW) : [],
    notices: filled ? notices(NOW) : [],
  };
  await page.addInitScript(standIn, answers);
  await page.goto(`${ORIGIN}tray/index.html`);
  await page.evaluate(() => document.fonts.ready);
  for (const tab of TABS) {
    await page.getByRole("tab", { name: tab }).click();
    await page.getByRole("tabpanel").locator("> *").first().waitFor();
    // A login can be allowed a moment after it came up.
    if (tab === "People" && filled) await page.locator("[aria-label^='Allow the login']:enabled").waitFor();
    if (tab === "Agents" && filled) await page.locator(".recharts-bar-rectangle").first().waitFor();
    // A picture without the ring and the hover of the click that led there.
    await page.mouse.move(0, viewport.height);
    await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
    const file = `panel-${tab.toLowerCase()}-${scene}${size.name}-${colorScheme}.png`;
    await page.screenshot({ path: path.join(target, file), animations: "disabled" });
  }
  if (filled && size.name === "") {
    await page.getByRole("tab", { name: "Activity" }).click();
    await page.getByRole("radio", { name: "Notifications" }).click();
    await page.getByRole("list", { name: "Past notifications" }).waitFor();
    await page.mouse.move(0, viewport.height);
    await page.screenshot({
      path: path.join(target, `panel-notifications-${colorScheme}.png`),
      animations: "disabled",
    });
  }
  await context.close();
}

/** Runs in the page: what the preload script would give it. @param {{ content: object, usage: Record<string, object[]>, keys: object[], audit: object[], notices: object[] }} answers */
function standIn({ content, usage, keys, audit, notices }) {
  /** @type {(content: object) => void} */
  let tell = () => {};
  Object.assign(window, {
    patchbay: {
      /** @param {string} name @param {(content: object) => void} listener */
      on(name, listener) {
        if (name === "panel.changed") tell = listener;
        return () => {};
      },
      /** @param {string} name @param {{ days: number }} args */
      async invoke(name, args) {
        if (name === "panel.start") tell(content);
        if (name === "panel.usage") return usage[args.days] ?? [];
        if (name === "panel.audit") return audit;
        if (name === "panel.notices") return notices;
        return name === "panel.keys" ? keys : undefined;
      },
    },
  });
}
