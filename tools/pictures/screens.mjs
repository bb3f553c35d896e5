/**
 * Draws dist/screens/panel-*: every tab of the panel, in both themes, filled and empty, narrow and wide, and the two small
 * windows (a login's question, toasts), from the built pages with a made-up relay behind them. Run it by hand after a change
 * (`node tools/build.mjs && node tools/pictures/screens.mjs`), look at every picture, and commit those of docs/screens.
 * `--widths 420,900` draws every state at these widths, and `--places drawer,page,phone,lying-phone` in these places: the
 * drawer in the development page of the session view, the others as a browser has them, from the sources. `--forced-colors`
 * draws the system's own colours. It needs a Chromium (PATCHBAY_CHROMIUM, else /usr/bin/chromium).
 */
import { mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { ordinaryBrowser } from "../setup/chromium.mjs";
import { longNamesPanel, longNamesRemotes, overBudgetPanel } from "./panel-edge-scenes.mjs";
import {
  agentDetails,
  askedPanel,
  askingRemotes,
  audit,
  emptyPanel,
  filledPanel,
  findings,
  fleet,
  fortyPanel,
  invites,
  keys,
  noFleet,
  notices,
  ordinaryPanel,
  peoplePanel,
  policies,
  policyAnswers,
  prices,
  programsPanel,
  quotaWindows,
  receipts,
  remotes,
  requestsPanel,
  shellUsage,
  toasts,
  usage,
} from "./panel-scenes.mjs";
import { keepShown, pictureOptions } from "./picture-options.mjs";
import { serveSession } from "./session-pages.mjs";

/** @typedef {import("./picture-options.mjs").PictureSize} PictureSize */
/** @typedef {import("./picture-options.mjs").Theme} Theme */

const pages = fileURLToPath(new URL("../../dist/renderer", import.meta.url));
const ORIGIN = "http://pages.test/";
const TABS = ["Now", "Sessions", "Agents", "Activity"];
/** The panel's own width, and what it may be where it is a window. */
const NARROW = { name: "", width: 400, height: 640 };
const SETTINGS = { name: "", width: 860, height: 620 };
const PLACES = {
  drawer: { width: 1600, height: 1000, isDrawer: true },
  page: { width: 1280, height: 800, isPage: true },
  phone: { width: 390, height: 844, hasTouch: true, isPage: true },
  "lying-phone": { width: 844, height: 390, hasTouch: true, isPage: true },
};
const { target, sizes, every, themes } = pictureOptions([NARROW, { name: "wide", width: 900, height: 640 }], PLACES);
/** The time of the pictures, so that they change only when the panel does. */
const NOW = new Date("2026-03-14T14:20:00");
const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".woff2": "font/woff2" };

/** @type {Record<string, object>} */
const days = {
  ordinary: ordinaryPanel(NOW),
  calm: withProblem(ordinaryPanel(NOW, false), "No keychain can be reached: keys last until you quit."),
  forty: fortyPanel(NOW),
};

await mkdir(target, { recursive: true });
const browser = await chromium.launch(ordinaryBrowser());
const session = sizes.some(({ isDrawer, isPage }) => isDrawer || isPage) ? await serveSession() : undefined;
try {
  for (const colorScheme of themes) {
    for (const size of sizes) for (const scene of ["filled", "empty"]) await drawPanel(colorScheme, scene, size);
    for (const size of sizes) for (const count of [1, 20]) await drawQuestions(colorScheme, count, size);
    // A page in a browser asks no other machine.
    for (const size of sizes) if (!size.isPage) await drawMachines(colorScheme, size);
    for (const size of sizes) await drawPrograms(colorScheme, size);
    for (const size of sizes) await drawRequests(colorScheme, size);
    for (const size of sizes) await drawPeople(colorScheme, size);
    for (const size of sizes) for (const scene of Object.keys(days)) await drawNow(colorScheme, scene, size);
    for (const size of sizes) await drawOutline(colorScheme, size);
    // The app's relay runs in the same process, and is never away.
    for (const size of sizes) if (size.isPage) await drawAway(colorScheme, size);
    for (const size of sizes) await drawOverBudget(colorScheme, size);
    for (const size of sizes) await drawLongNames(colorScheme, size);
    for (const size of every ? sizes : [NARROW])
      for (const language of ["de", "ja"]) await drawLanguage(colorScheme, language, size);
    // The settings have a window of their own.
    for (const size of every ? sizes.filter(({ isDrawer }) => !isDrawer) : [SETTINGS])
      await drawSettings(colorScheme, size);
    await drawLogin(colorScheme);
    await drawToasts(colorScheme);
  }
} finally {
  await session?.close();
  await browser.close();
}
keepShown(target);

/** @param {Theme} colorScheme @param {string} scene @param {PictureSize} size */
async function drawPanel(colorScheme, scene, size) {
  const page = await openPage(colorScheme, size);
  const filled = scene === "filled";
  const answers = panelAnswers(filled);
  await show(page, size, answers);
  for (const tab of TABS) {
    await page.getByRole("tab", { name: tab }).click();
    await page.locator(".panel").getByRole("tabpanel").locator("> *").first().waitFor();
    if (tab === "Now") await answerable(page);
    if (tab === "Sessions" && filled) await page.locator(".machine-use > summary").nth(1).waitFor();
    if (tab === "Activity" && filled) await page.locator(".activity-row").first().waitFor();
    if (tab === "Agents" && filled) await page.locator(".recharts-bar-rectangle").first().waitFor();
    // A picture without the ring and the hover of the click that led there.
    await page.mouse.move(0, size.height);
    await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
    await keep(page, ["panel", tab.toLowerCase(), scene, size.name, colorScheme]);
  }
  if (filled && (every || size === NARROW)) {
    // The whole of what one has to scroll for.
    await page.setViewportSize({ width: size.width, height: Math.max(1140, size.height) });
    await page.getByRole("tab", { name: "Agents" }).click();
    await page.getByRole("region", { name: "Quotas" }).scrollIntoViewIfNeeded();
    await page.mouse.move(0, size.height);
    await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
    await keep(page, ["panel-prompts", size.name, colorScheme]);
    await page.getByLabel("Details of claude").click();
    await page.getByLabel("Details of claude").scrollIntoViewIfNeeded();
    await page.mouse.move(0, size.height);
    await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
    await keep(page, ["panel-agent-details", size.name, colorScheme]);
    await page.getByLabel("Details of claude").click();
    await page.setViewportSize(size);
    await page.getByRole("tab", { name: "Sessions" }).click();
    await page.locator(".machine-use > summary").first().click();
    await page.mouse.move(0, size.height);
    await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
    await keep(page, ["panel-machine-use", size.name, colorScheme]);
    await page.getByRole("tab", { name: "Agents" }).click();
    await page.getByRole("region", { name: "Policies" }).scrollIntoViewIfNeeded();
    await keep(page, ["panel-policies", size.name, colorScheme]);
    await page.getByRole("button", { name: "Show a table" }).click();
    await page.mouse.move(0, size.height);
    await keep(page, ["panel-costs-table", size.name, colorScheme]);
    await page.getByRole("tab", { name: "Activity" }).click();
    await page.getByRole("combobox", { name: "Kind of activity" }).selectOption("Notifications");
    await page.getByRole("list", { name: "Past notifications" }).waitFor();
    await page.mouse.move(0, size.height);
    await keep(page, ["panel-notifications", size.name, colorScheme]);
  }
  await page.context().close();
}

/** @param {boolean} filled */
function panelAnswers(filled) {
  return {
    "panel.changed": filled ? filledPanel(NOW) : emptyPanel,
    getMachines: filled ? remotes(NOW) : [],
    usage: filled ? usage(NOW) : {},
    getQuotaWindows: filled ? quotaWindows(NOW) : [],
    getFleet: filled ? fleet(NOW) : noFleet,
    getPrices: prices(NOW),
    checkHealth: findings,
    getAgentDetails: agentDetails(NOW),
    getShellUsage: filled ? shellUsage(NOW) : [],
    getReceipts: filled ? receipts(NOW) : [],
    getPolicies: filled ? policies(NOW) : [],
    listInvites: filled ? invites(NOW) : [],
    listKeys: filled ? keys(NOW) : [],
    audit: filled ? audit(NOW) : [],
    listNotifications: filled ? notices(NOW) : [],
  };
}

/**
 * The window of the settings with some sections; every one where all states are drawn.
 * @param {Theme} colorScheme @param {PictureSize} size
 */
async function drawSettings(colorScheme, size) {
  const page = await openPage(colorScheme, size);
  await show(page, size, panelAnswers(true), "?settings");
  if (size.isPage) await page.getByRole("tab", { name: "Settings" }).click();
  const sections = page.getByRole("navigation", { name: "Sections of the settings" }).getByRole("button");
  await sections.first().waitFor();
  const shown = ["Appearance", "Agents and budgets", "People and keys", "Health"];
  const all = (await sections.allTextContents()).filter((name) => every || shown.includes(name));
  for (const name of all) {
    await sections.filter({ hasText: name }).click();
    await page.locator(".settings-body > *").nth(1).waitFor();
    if (name === "Appearance")
      await page.locator(".settings-preview .xterm-rows, .settings-preview canvas").first().waitFor();
    if (name === "Agents and budgets") await page.getByRole("region", { name: "Policies" }).waitFor();
    if (name === "People and keys") {
      await page.getByRole("region", { name: "Open invites" }).waitFor();
      // The whole of what one has to scroll for.
      await page.setViewportSize({ width: size.width, height: Math.max(1140, size.height) });
    }
    await page.mouse.move(0, size.height);
    await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
    await keep(page, ["settings", name.toLowerCase().replaceAll(" ", "-"), size.name, colorScheme]);
    await page.setViewportSize({ width: size.width, height: size.height });
    const back = page.getByRole("button", { name: "Back to the sections" });
    if (await back.isVisible()) await back.click();
  }
  await page.context().close();
}

/** @param {ReturnType<typeof ordinaryPanel>} panel @param {string} keychainProblem */
function withProblem(panel, keychainProblem) {
  return { ...panel, desktop: { ...panel.desktop, keychainProblem } };
}

/** The glance, by scene. @param {Theme} colorScheme @param {string} scene @param {PictureSize} size */
async function drawNow(colorScheme, scene, size) {
  const page = await openPage(colorScheme, size);
  await show(page, size, { "panel.changed": days[scene], usage: usage(NOW) });
  await page.locator(".now-swatch, .recharts-bar-rectangle").first().waitFor();
  await answerable(page);
  await keep(page, ["panel-now", scene, size.name, colorScheme]);
  if (scene === "ordinary") {
    await page.locator("[data-question]").first().focus();
    await page.keyboard.press("Control+k");
    await page.getByRole("menu").waitFor();
    await keep(page, ["panel-actions", size.name, colorScheme]);
  }
  await page.context().close();
}

/** The outline before the relay has answered first. @param {Theme} colorScheme @param {PictureSize} size */
async function drawOutline(colorScheme, size) {
  const page = await openPage(colorScheme, size);
  await show(page, size, {});
  await page.locator(".panel-outline").waitFor();
  await keep(page, ["panel-outline", size.name, colorScheme]);
  await page.context().close();
}

/** The card of a relay that is away: over what was read last, and before anything. @param {Theme} colorScheme @param {PictureSize} size */
async function drawAway(colorScheme, size) {
  for (const [scene, answers] of Object.entries({ away: panelAnswers(true), "away-first": {} })) {
    const page = await openPage(colorScheme, size);
    await show(page, size, answers);
    await page.evaluate(loseRelay, scene === "away");
    await page.locator(".relay-away").waitFor();
    await keep(page, ["panel", scene, size.name, colorScheme]);
    await page.context().close();
  }
}

/**
 * A budget that is passed: the glance, the relay's question in the agent's shell, and the card of the day's budget.
 * @param {Theme} colorScheme @param {PictureSize} size
 */
async function drawOverBudget(colorScheme, size) {
  const page = await openPage(colorScheme, size);
  await show(page, size, { "panel.changed": overBudgetPanel(NOW), usage: usage(NOW) });
  const cards = page.locator("[data-question]");
  for (const [index, asks] of ["question", "day"].entries()) {
    await cards.nth(index).focus();
    await cards.nth(index).and(page.locator("[data-open=true]")).waitFor();
    await answerable(page);
    await keep(page, ["panel-budget", asks, size.name, colorScheme]);
  }
  await page.context().close();
}

/** Names of 120 characters without a space, in each place that shows them. @param {Theme} colorScheme @param {PictureSize} size */
async function drawLongNames(colorScheme, size) {
  const page = await openPage(colorScheme, size);
  const answers = { "panel.changed": longNamesPanel(NOW), remotes: longNamesRemotes(NOW) };
  await show(page, size, { ...panelAnswers(true), ...answers });
  for (const tab of TABS.filter((name) => name !== "Activity")) {
    await page.getByRole("tab", { name: tab }).click();
    await page.locator(".panel").getByRole("tabpanel").locator("> *").first().waitFor();
    if (tab === "Now") await answerable(page);
    if (tab === "Agents") await page.locator(".recharts-bar-rectangle").first().waitFor();
    await page.mouse.move(0, size.height);
    await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
    await keep(page, ["panel-long", tab.toLowerCase(), size.name, colorScheme]);
  }
  await page.context().close();
}

/** The panel in another language. @param {Theme} colorScheme @param {string} language @param {PictureSize} size */
async function drawLanguage(colorScheme, language, size) {
  const page = await openPage(colorScheme, size, language);
  await show(page, size, panelAnswers(true), `?language=${language}&locale=${language}`);
  const tabs = page.locator(".panel").getByRole("tab");
  for (const [index, place] of ["now", "sessions", "agents", "activity"].entries()) {
    await tabs.nth(index).click();
    await page.locator(".panel").getByRole("tabpanel").locator("> *").first().waitFor();
    if (place === "now") await answerable(page);
    if (place === "sessions") await page.locator(".machine-use > summary").nth(1).waitFor();
    await page.mouse.move(0, size.height);
    await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
    await keep(page, ["panel", place, language, size.name, colorScheme]);
  }
  if (size.isDrawer) return await page.context().close();
  if (size.isPage) await page.locator('[role=tab][data-place="settings"]').click();
  else await show(page, size, panelAnswers(true), `?settings&language=${language}&locale=${language}`);
  await page.locator('[data-section="general"]').waitFor();
  await keep(page, ["panel-settings", language, size.name, colorScheme]);
  await page.locator('[data-section="general"]').click();
  await page.locator(".settings-body > *").nth(1).waitFor();
  await keep(page, ["panel-settings-general", language, size.name, colorScheme]);
  await page.context().close();
}

/** The inbox, with the focus on its first question. @param {Theme} colorScheme @param {number} count @param {PictureSize} size */
async function drawQuestions(colorScheme, count, size) {
  const page = await openPage(colorScheme, size);
  const answers = { getPolicies: policies(NOW), getQuestions: policyAnswers(NOW) };
  await show(page, size, { "panel.changed": askedPanel(NOW, count), usage: usage(NOW), ...(count === 1 && answers) });
  await page.locator("[data-question]").first().focus();
  await answerable(page);
  await keep(page, ["panel-inbox", count === 1 ? "one" : "twenty", size.name, colorScheme]);
  if (count === 1 && (every || size === NARROW)) {
    await page.setViewportSize({ width: size.width, height: Math.max(900, size.height) });
    await page.getByText("Answered by policies").click();
    await page.getByRole("list", { name: "Answered by policies" }).scrollIntoViewIfNeeded();
    await keep(page, ["panel-policy-answers", size.name, colorScheme]);
  }
  await page.context().close();
}

/** The inbox with questions on three machines, one of them away. @param {Theme} colorScheme @param {PictureSize} size */
async function drawMachines(colorScheme, size) {
  // The whole of what one has to scroll for.
  const page = await openPage(colorScheme, { ...size, height: 1700 });
  await show(page, size, { "panel.changed": askedPanel(NOW, 1), usage: usage(NOW), getMachines: askingRemotes(NOW) });
  await page.getByText("nightly · build-box").first().waitFor();
  await page.locator("[data-question]").first().focus();
  await answerable(page);
  await keep(page, ["panel-inbox-machines", size.name, colorScheme]);
  await page.context().close();
}

/** What programs ask: each question as the open card. @param {Theme} colorScheme @param {PictureSize} size */
async function drawPrograms(colorScheme, size) {
  const page = await openPage(colorScheme, { ...size, height: 760 });
  await show(page, size, { "panel.changed": programsPanel(NOW), usage: usage(NOW) });
  const cards = page.locator("[data-question]");
  for (const [index, asks] of ["two", "nine", "words", "long"].entries()) {
    await cards.nth(index).focus();
    await cards.nth(index).and(page.locator("[data-open=true]")).waitFor();
    await answerable(page);
    await keep(page, ["panel-program", asks, size.name, colorScheme]);
  }
  await page.context().close();
}

/**
 * Requests of a person and of an agent: the receipt of the first, and the second step of a lasting answer to the other.
 * @param {Theme} colorScheme @param {PictureSize} size
 */
async function drawRequests(colorScheme, size) {
  const page = await openPage(colorScheme, size);
  await show(page, size, { "panel.changed": requestsPanel(NOW), usage: usage(NOW), answerRoleRequest: {} });
  const cards = page.locator("[data-question]");
  await cards.nth(0).focus();
  await answerable(page);
  await keep(page, ["panel-request", size.name, colorScheme]);
  await cards.nth(0).getByRole("button", { name: "Let sam type" }).click();
  await cards.nth(0).getByText("You answered: Let sam type").last().waitFor();
  await keep(page, ["panel-request-receipt", size.name, colorScheme]);
  await cards.nth(1).focus();
  await cards.nth(1).and(page.locator("[data-open=true]")).waitFor();
  await answerable(page);
  await cards.nth(1).getByRole("button", { name: "Always in this folder" }).click();
  await page.locator(".now-second").waitFor();
  await answerable(page);
  await keep(page, ["panel-request-second-step", size.name, colorScheme]);
  await page.context().close();
}

/**
 * What people of a session ask for, the roles of one of them, and the ways to invite others.
 * @param {Theme} colorScheme @param {PictureSize} size
 */
async function drawPeople(colorScheme, size) {
  const page = await openPage(colorScheme, size);
  const panel = peoplePanel(NOW);
  await show(page, size, { ...panelAnswers(true), "panel.changed": panel });
  await page.getByRole("tab", { name: "Sessions" }).click();
  await page.locator(".machine-use > summary").nth(1).waitFor();
  const request = page.locator(".panel-request").last();
  await request.evaluate((element) => element.scrollIntoView({ block: "center" }));
  await page.mouse.move(0, size.height);
  await request.and(page.locator(":not([aria-disabled])")).waitFor();
  await keep(page, ["panel-person-requests", size.name, colorScheme]);
  await page.getByRole("button", { name: /^Role of Jürgen/ }).click();
  await page.locator(".role-choices").waitFor();
  await page.mouse.move(0, size.height);
  await keep(page, ["panel-roles", size.name, colorScheme]);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Invite to api server" }).click();
  await page.locator(".invite-open li").nth(1).waitFor();
  const [network = "", vpn = ""] = panel.externalAddresses;
  for (const [reach, address] of Object.entries({ network, vpn, here: "here" })) {
    await page.getByRole("combobox", { name: "Reaches" }).selectOption(address);
    await page.mouse.move(0, size.height);
    await keep(page, ["panel-invite", reach, size.name, colorScheme]);
  }
  await page.locator(".invite-open li").last().scrollIntoViewIfNeeded();
  await keep(page, ["panel-invite-open", size.name, colorScheme]);
  await page.context().close();
}

/** The small window that asks about a program, as tall as its question. @param {Theme} colorScheme */
async function drawLogin(colorScheme) {
  const page = await openPage(colorScheme, { width: 440, height: 640 });
  const { logins } = filledPanel(NOW);
  await showBuilt(page, "login", { "login.changed": logins });
  await page.getByRole("button", { name: "Allow" }).and(page.locator(":enabled")).waitFor();
  await page.setViewportSize({ width: 440, height: await heightOf(page) });
  await keep(page, ["login", colorScheme]);
  await page.context().close();
}

/** Toasts at the corner of the screen. @param {Theme} colorScheme */
async function drawToasts(colorScheme) {
  const page = await openPage(colorScheme, { width: 340, height: 640 });
  await showBuilt(page, "toast", { "toast.changed": toasts });
  await page.setViewportSize({ width: 340, height: await heightOf(page) });
  await keep(page, ["toast", colorScheme]);
  await page.context().close();
}

/**
 * Waits until the first open card takes answers, a moment after it came up. A wide page has several, of which those out of sight
 * take none.
 * @param {import("playwright-core").Page} page
 */
async function answerable(page) {
  const open = page.locator("[data-open=true]");
  if ((await open.count()) > 0)
    await open.first().locator("[aria-disabled=true]").first().waitFor({ state: "detached" });
}

/** What the main process makes of the window's height. @param {import("playwright-core").Page} page */
async function heightOf(page) {
  const children = await page.locator("main > *").all();
  const boxes = await Promise.all(children.map((child) => child.boundingBox()));
  return Math.ceil(boxes.reduce((sum, box) => sum + (box?.height ?? 0), 0));
}

/** @param {Theme} colorScheme @param {Omit<PictureSize, "name">} size @param {string} [locale] of a page in a browser */
async function openPage(colorScheme, { width, height, hasTouch = false }, locale = "en-US") {
  const viewport = { width, height };
  const colors = colorScheme === "forced" ? { forcedColors: /** @type {const} */ ("active") } : { colorScheme };
  const touch = { hasTouch, isMobile: hasTouch };
  const context = await browser.newContext({ ...colors, ...touch, viewport, deviceScaleFactor: 1, locale });
  const page = await context.newPage();
  page.on("pageerror", (error) => console.error(error.message));
  page.on("console", (message) => message.type() === "error" && console.error(message.text()));
  await page.clock.setFixedTime(NOW);
  await page.route(`${ORIGIN}**`, async (route) => {
    const file = path.join(pages, new URL(route.request().url()).pathname);
    const contentType = types[/** @type {keyof typeof types} */ (path.extname(file))];
    await route.fulfill({ body: await readFile(file), contentType });
  });
  return page;
}

/**
 * Shows the panel: in a window of its own, as the drawer of a session, or as a page in a browser.
 * @param {import("playwright-core").Page} page @param {PictureSize} size @param {Record<string, unknown>} answers @param {string} [query] of the page's address
 */
async function show(page, { isDrawer, isPage }, answers, query = "") {
  if (!isDrawer && !isPage) return await showBuilt(page, "tray", answers, query);
  const [address = ""] = session?.resolvedUrls?.local ?? [];
  await page.addInitScript(fakePreload, answers);
  if (isPage) {
    await page.goto(`${address}tray/index.html`);
    await page.evaluate(bringPage);
  } else {
    await page.addInitScript(bringDrawer);
    await page.goto(`${address}session/dev/${query || "?"}&scene=six`);
    await page.locator(".drawer-button").click();
  }
  await page.locator(".panel-main > *").first().waitFor();
  await page.evaluate(() => document.fonts.ready);
}

/** @param {import("playwright-core").Page} page @param {string} name @param {Record<string, unknown>} answers @param {string} [query] of the page's address */
async function showBuilt(page, name, answers, query = "") {
  await page.addInitScript(fakePreload, answers);
  await page.goto(`${ORIGIN}${name}/index.html${query}`);
  await page.getByRole("main").locator("> *").first().waitFor();
  await page.evaluate(() => document.fonts.ready);
}

/** Runs in the development page of the session view, which has no drawer of its own. */
function bringDrawer() {
  const load = async () => {
    const files = ["/tray/start/drawer-content.tsx", "/tray/host.ts", "/ui/app-language.ts"];
    const [{ drawContent }, { appHost }, { speakAppLanguage }] = await Promise.all(files.map((file) => import(file)));
    const bridge = Reflect.get(window, "patchbay");
    await speakAppLanguage(bridge, location);
    const drawn = appHost(bridge);
    return (/** @type {object} */ props) => drawContent(drawn, props);
  };
  Object.assign(window, { drawer: { waiting: { get: () => 0, subscribe: () => () => {} }, load } });
}

/**
 * Runs in a page that has the app's bridge: shows the panel as a browser does, which can do what a browser can, but with the
 * answers of the bridge in place of a relay's.
 */
async function bringPage() {
  const files = ["browser-host.ts", "call-relay.ts", "start-in-browser.tsx"];
  const [{ BrowserHost }, { RelayCalls }, { startInBrowser }] = await Promise.all(
    files.map((file) => import(`/tray/start/${file}`)),
  );
  const bridge = Reflect.get(window, "patchbay");
  RelayCalls.prototype.operation = async () => ({});
  Object.assign(BrowserHost.prototype, { invoke, on: onPage, follow: () => {} });
  /** @this {object} @param {string} name @param {unknown} args */
  function invoke(name, args) {
    // For scenes in which the relay is away.
    Object.assign(window, { panelHost: this });
    return bridge.invoke(name, args);
  }
  /** @param {string} name @param {(message: unknown) => void} listener */
  function onPage(name, listener) {
    return bridge.on(name, (/** @type {object} */ message) => listener({ ...message, desktop: undefined }));
  }
  const root = document.createElement("div");
  root.id = "root";
  document.getElementById("root")?.replaceWith(root);
  location.hash = "token=made-up";
  await startInBrowser(window, root);
}

/**
 * Runs in a page that shows the panel as a browser does: its relay answers no longer.
 * @param {boolean} hasAnswered it answers once before that
 */
async function loseRelay(hasAnswered) {
  const file = "/tray/start/call-relay.ts";
  const { RelayCalls, RelayUnreachable } = await import(file);
  const { connection } = Reflect.get(window, "panelHost");
  const overview = { user: "ann", version: "0.1.0", budgets: {}, logins: [], outsideUrls: [], sessions: [] };
  Object.assign(RelayCalls.prototype, {
    changes: () => new Promise(() => {}),
    operation: async (/** @type {string} */ name) => (name === "getOverview" ? overview : []),
  });
  if (hasAnswered) await connection.retry();
  RelayCalls.prototype.operation = async () => {
    throw new RelayUnreachable();
  };
  await connection.retry();
}

/** @param {import("playwright-core").Page} page @param {readonly string[]} words of the file's name; empty ones are left out */
async function keep(page, words) {
  const name = words.filter((word) => word !== "").join("-");
  await page.screenshot({ path: path.join(target, `${name}.png`), animations: "disabled" });
}

/**
 * Runs in the page: what the preload script would give it. What is told comes once the page listens; what is asked for is
 * answered by the last word of its name, an operation by its own name, usage by its days.
 * @param {Record<string, unknown>} answers
 */
function fakePreload(answers) {
  Object.assign(window, {
    patchbay: {
      /** @param {string} name @param {(message: unknown) => void} listener */
      on(name, listener) {
        if (name in answers) setTimeout(() => listener(answers[name]));
        return () => {};
      },
      /** @param {string} name @param {{ days?: number, operation?: string, params?: { session?: string } } | undefined} args */
      async invoke(name, args) {
        const ofSessions = ["getReceipts", "getPolicies", "getQuestions", "getShellUsage", "listInvites"];
        if (name === "panel.run" && args?.operation !== undefined && ofSessions.includes(args.operation)) {
          const all = /** @type {{ session: string }[] | undefined} */ (answers[args.operation]) ?? [];
          return all.filter(({ session }) => session === args.params?.session);
        }
        if (name === "panel.run") return answers[args?.operation ?? ""];
        const answer = answers[name.split(".").at(-1) ?? ""];
        if (name !== "panel.usage") return answer;
        return /** @type {Record<string, object[]>} */ (answer)[args?.days ?? 0] ?? [];
      },
    },
  });
}
