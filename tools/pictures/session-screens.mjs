/// <reference lib="dom" />
/**
 * Draws dist/screens/session-*: the session view in eleven states, in both themes, wide and narrow, from the built pages
 * with a real relay and real shells behind them; `session-dark.png` is the README's picture. Run it by hand after a
 * change (`node tools/build.mjs && node tools/pictures/session-screens.mjs`), look at every picture, and commit those of
 * docs/screens. With `--widths 420,900,1600,2560` it draws more states at these widths. It needs a Chromium (PATCHBAY_CHROMIUM, else /usr/bin/chromium) and git.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { ordinaryBrowser, pretendGraphicsCard } from "../setup/chromium.mjs";
import { palettePng } from "./palette-png.mjs";
import { keepShown, pictureOptions } from "./picture-options.mjs";
import { drawPages } from "./session-pages.mjs";
import { makeProject } from "./session-scenes.mjs";
import { drawExtremes, drawOverlays, drawReader } from "./session-states.mjs";
import { drawDoors, drawPhone, drawQuestions, drawSystem } from "./session-visits.mjs";

/** @typedef {import("playwright-core").Page} Page */

const root = fileURLToPath(new URL("../../", import.meta.url));
const program = path.join(root, "dist", "cli", "main.js");
const WIDE = { name: "", width: 1400, height: 880 };
const NARROW = { name: "narrow", width: 390, height: 760 };
const { target, sizes, every } = pictureOptions([WIDE, NARROW]);
const THEMES = /** @type {const} */ (["dark", "light"]);

// Where homes are, if that may be written: only there are paths shown as `~`.
const home = mkdtempSync(path.join(isWritable("/home") ? "/home" : tmpdir(), "patchbay-screens-"));
const data = path.join(home, ".patchbay");
const env = { PATH: process.env.PATH, HOME: home, SHELL: "/bin/bash", LANG: "C.UTF-8", PATCHBAY_DATA: data };
mkdirSync(target, { recursive: true });
const show = makeProject(home);
const relay = spawn(process.execPath, [program, "serve", "--port", "0", "--data", data], { env, stdio: "ignore" });
const browser = await chromium.launch(ordinaryBrowser());
try {
  const { url, session } = await relayUp();
  const key = execFileSync(process.execPath, [program, "keys", "create", "--name", "screens"], {
    env,
    encoding: "utf8",
  });
  await draw({ url, session, key: key.trim() });
} finally {
  await browser.close();
  if (relay.exitCode === null && relay.signalCode === null) {
    relay.kill();
    await once(relay, "exit");
  }
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
}
keepShown(target);

/** Opens an empty browser. @param {import("playwright-core").BrowserContextOptions} options */
async function newContext(options) {
  const context = await browser.newContext(options);
  await context.addInitScript(pretendGraphicsCard);
  return context;
}

/** @param {string} folder */
function isWritable(folder) {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** @returns {Promise<{ url: string, session: string }>} */
async function relayUp() {
  const file = path.join(data, "relay.json");
  while (!existsSync(file)) {
    if (relay.exitCode !== null) throw new Error(`the relay ended with ${relay.exitCode}`);
    await delay(50);
  }
  return JSON.parse(readFileSync(file, "utf8"));
}

/** @param {{ url: string, session: string, key: string }} place */
async function draw({ url, session, key }) {
  /** @type {(path: string, body: object) => Promise<any>} */
  const post = async (path, body) => {
    const answer = await fetch(`${url}/v1/sessions/${session}/${path}`, {
      method: "POST",
      headers: { "X-Service-Token": key, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
    return /** @type {{ result: any }} */ (await answer.json()).result;
  };
  /** @type {(client: number, method: string, params?: object) => Promise<any>} */
  const command = (client, method, params = {}) => post("remote/command", { method, params, target_client_id: client });
  const context = await newContext({ viewport: WIDE, reducedMotion: "reduce", locale: "en-US" });
  const page = await context.newPage();
  await enter(page, (await post("invites", { role: "admin" })).url, "Ann");
  const ann = await joined(page, post);
  await page.locator(".empty-stage").waitFor();
  await picture(page, "empty");

  const { shellIds, tiles } = await command(ann, "setup", { grid: "2x2" });
  await command(ann, "renameWorkspace", { index: 0, name: "orders" });
  const scenes = [show.log, show.test, show.server, show.agent];
  const labels = ["history", "tests", "server", "rounding"];
  for (const [index, id] of shellIds.entries()) {
    await command(ann, "renameTile", { key: tiles[index].key, name: labels[index] });
    await command(ann, "writeToShell", { id, data: `cd ~/orders; ${scenes[index]}\n` });
  }
  // The list of processes is read every other second.
  await page.locator(".chip[data-waits]").waitFor();
  const texts = ["Set up the project", "Waiting for file changes", "/health", "Run npm test again"];
  for (const [index, text] of texts.entries()) {
    while (!(await command(ann, "getShellOutput", { id: shellIds[index], plain: true })).output.includes(text))
      await delay(50);
  }
  await command(ann, "focusTile", { key: tiles[0].key });
  await picture(page, "");

  await command(ann, "maximize", { tile: tiles[1].key });
  await picture(page, "maximized");
  await command(ann, "maximize", { tile: tiles[1].key });

  await command(ann, "moveTile", { key: tiles[3].key, target: tiles[2].key, place: "tab" });
  await picture(page, "tabs");

  await page.keyboard.press("Control+Shift+P");
  await page.keyboard.type("split");
  await picture(page, "palette");
  await page.keyboard.press("Escape");

  await page.locator(`.tile[data-tile="${tiles[0].key}"] .xterm`).click();
  await page.keyboard.press("Control+Shift+F");
  await page.keyboard.type("order");
  await picture(page, "search");
  await page.keyboard.press("Escape");
  await page.locator(`.tile[data-tile="${tiles[0].key}"] .xterm`).click();

  // Only where something runs does closing ask.
  const busy = page.locator(`.tile[data-tile="${tiles[1].key}"]`);
  await busy.locator(".xterm").click();
  await busy.getByRole("button", { name: "Close tile" }).click();
  await picture(page, "question");
  await page.keyboard.press("Escape");
  await page.locator(`.tile[data-tile="${tiles[0].key}"] .xterm`).click();

  const guest = await (await newContext({ viewport: NARROW })).newPage();
  const invite = (await post("invites", {})).url;
  await enter(guest, invite, "Lin");
  const lin = await joined(guest, post, ann);
  await command(lin, "sendChat", { message: "The total of order 8812 is off by a cent, looking at it." });
  await command(ann, "sendChat", { message: "Rounding? Commit 5 touched that." });
  await command(lin, "sendChat", { message: "Yes, half to even. I have a test for it." });
  await page.locator(".chat-button").click();
  await picture(page, "chat");
  await page.locator(".chat-button").click();

  if (every) {
    await drawOverlays({ page, client: ann, command, picture });
    const watching = await (await newContext({ viewport: WIDE, locale: "en-US" })).newPage();
    await enter(watching, (await post("invites", { role: "reader" })).url, "Tom");
    await watching.getByText("Connected", { exact: true }).waitFor();
    await drawReader(watching, picture);
    await watching.close();
    await drawVisits({ page, client: ann, url, session, key }, post, command);
    await drawExtremes({ page, client: ann, command, picture });
    const empty = await newContext({ viewport: WIDE, reducedMotion: "reduce", locale: "en-US" });
    await drawPages(await empty.newPage(), picture);
    await empty.close();
  }

  await openExamples(page, ann, { url, session, key }, post, command);
  await picture(page, "plugins");

  await picture(await spent(invite), "spent");

  relay.kill("SIGKILL");
  await page.locator(".cut-notice").waitFor();
  await picture(page, "cut");
}

/**
 * Draws what doors, questions, phones and settings of the system make of a session.
 * @param {{ page: Page, client: number, url: string, session: string, key: string }} place
 * @param {(path: string, body: object) => Promise<any>} post
 * @param {(client: number, method: string, params?: object) => Promise<any>} command
 */
async function drawVisits(place, post, command) {
  const newPage = async (/** @type {object} */ options = {}) =>
    (await newContext({ viewport: WIDE, reducedMotion: "reduce", locale: "en-US", ...options })).newPage();
  await drawSystem(place.page, picture);
  await drawDoors({ ...place, newPage, picture, post });
  const phone = await newPage({ viewport: NARROW, hasTouch: true, isMobile: true });
  const before = await command(place.client, "getClients");
  await enter(phone, (await post("invites", { role: "admin" })).url, "Kim");
  await phone.getByText("Connected", { exact: true }).waitFor();
  /** @type {{ id: number }[]} */
  const clients = await command(place.client, "getClients");
  const kim = clients.find(({ id }) => !before.some((/** @type {{ id: number }} */ one) => one.id === id));
  await drawPhone(phone, kim?.id ?? 0, command, picture);
  await phone.context().close();
  await drawQuestions({ ...place, command, picture, home });
}

/**
 * Fills a page with the two example plugins, beside the shell of the agent.
 * @param {Page} page @param {number} client @param {{ url: string, session: string, key: string }} relay
 * @param {(path: string, body: object) => Promise<any>} post
 * @param {(client: number, method: string, params?: object) => Promise<any>} command
 */
async function openExamples(page, client, { url, session, key }, post, command) {
  const granted = await fetch(`${url}/v1/oauth/token`, {
    method: "POST",
    headers: { "X-Service-Token": key },
    body: new URLSearchParams({ grant_type: "client_credentials", scope: "plugins:install" }),
  });
  const { access_token: token } = /** @type {{ access_token: string }} */ (await granted.json());
  const site = createServer((request, response) => {
    response.end(readFileSync(path.join(root, "examples", path.normalize(request.url ?? "/"))));
  }).listen(0, "127.0.0.1");
  await once(site, "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (site.address());
  try {
    await command(client, "createWorkspace", { name: "status" });
    for (const plugin of ["agent-cost", "build-light"]) {
      const answer = await fetch(`${url}/v1/sessions/${session}/plugins`, {
        method: "POST",
        headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
        body: JSON.stringify({
          manifest_url: `http://127.0.0.1:${port}/${plugin}/manifest.json`,
          plugin_id: plugin,
        }),
      });
      if (!answer.ok) throw new Error(await answer.text());
      await command(client, "openTile", { type: "plugin", plugin });
      await page.getByRole("button", { name: "Allow and run" }).click();
    }
    const inside = (/** @type {string} */ name) => page.frameLocator(`iframe[title="${name}"]`).frameLocator("iframe");
    await inside("Agent cost").locator("meter").first().waitFor();
    await inside("Build light").getByText("No build yet").waitFor();
    const event = { type: "build.status", data: { name: "main", status: "failed" } };
    await post("remote/command", { method: "broadcastEvent", params: event });
    await inside("Build light").getByText("main failed").waitFor();
  } finally {
    site.close();
  }
}

/** Opens the link, under a name. @param {Page} page @param {string} link @param {string} name */
async function enter(page, link, name) {
  const [address = "", invite] = link.split("#");
  const answer = await page.request.post(`${address}/enter`, { data: { invite, name } });
  if (!answer.ok()) throw new Error(await answer.text());
  const { pageKey } = (await answer.json()).result;
  // Where the page itself keeps it.
  const stored = [`patchbay-guest-${address.split("/").at(-1)}`, pageKey];
  await page.addInitScript(([name = "", value = ""]) => localStorage.setItem(name, value), stored);
  await page.goto(address);
}

/** Waits until the page's client is in the session; answers its id. @param {Page} page @param {(path: string, body: object) => Promise<any>} post @param {number} [other] */
async function joined(page, post, other) {
  await page.getByText("Connected", { exact: true }).waitFor();
  const clients = await post("remote/command", { method: "getClients", params: {} });
  return clients.map((/** @type {{ id: number }} */ { id }) => id).find((/** @type {number} */ id) => id !== other);
}

/** @param {string} link */
async function spent(link) {
  const page = await (await newContext({ locale: "en-US" })).newPage();
  await page.goto(link);
  await page.locator("main.door").waitFor();
  return page;
}

/** The page as it is, in both themes and sizes. @param {Page} page @param {string} state @param {typeof sizes} wanted */
async function picture(page, state, wanted = sizes) {
  await page.evaluate(() => document.fonts.ready);
  const before = page.viewportSize() ?? WIDE;
  for (const { name, width, height } of wanted) {
    await page.setViewportSize({ width, height });
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme });
      const file = ["session", state, name, colorScheme].filter((word) => word !== "");
      const png = await waitUntilDrawn(page);
      // Fewer colours take long to find, and only pictures that are kept have to be small.
      writeFileSync(path.join(target, `${file.join("-")}.png`), every ? png : palettePng(png));
    }
  }
  await page.setViewportSize(before);
}

/** A picture of the page once it stands still: terminals take their new size a moment after their tile. @param {Page} page */
async function waitUntilDrawn(page) {
  let last = await page.screenshot({ animations: "disabled" });
  for (;;) {
    await delay(150);
    const next = await page.screenshot({ animations: "disabled" });
    if (next.equals(last)) return next;
    last = next;
  }
}
