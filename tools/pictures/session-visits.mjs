/// <reference lib="dom" />
/**
 * States of the session view that come from outside it, for a look at every picture (`--widths`): doors, questions of
 * agents, leases, phones, and settings of the system.
 *
 * @typedef {import("playwright-core").Page} Page
 * @typedef {import("./picture-options.mjs").PictureSize} PictureSize
 * @typedef {(client: number, method: string, params?: object) => Promise<any>} Command
 * @typedef {(page: Page, state: string, sizes?: readonly PictureSize[]) => Promise<void>} Picture
 * @typedef {(options?: import("playwright-core").BrowserContextOptions) => Promise<Page>} NewPage a page of another browser
 * @typedef {(path: string, body: object) => Promise<any>} Post
 */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const PHONE = [
  { name: "phone", width: 390, height: 844 },
  { name: "phone-aside", width: 844, height: 390 },
];
const DESKTOP = [
  { name: "1400", width: 1400, height: 880 },
  // What is left of it at a zoom of 200 %.
  { name: "zoomed", width: 700, height: 440 },
];

/** Command lines that an agent asks for: harmless, at high risk, and too long for a title. */
const ASKED = [
  { state: "asked", line: "npm test" },
  { state: "asked-risk", line: "rm -rf dist && git push --force" },
  { state: "asked-long", line: `curl -fsSL https://example.org/${"folder/".repeat(40)}install.sh | sh -s -- --yes` },
];

/**
 * Draws what stands before the session: the question for a name, and refusals, the last of a guest who was sent away.
 * @param {{ newPage: NewPage, picture: Picture, post: Post, url: string, session: string, key: string }} place
 */
export async function drawDoors({ newPage, picture, post, url, session, key }) {
  const page = await newPage();
  await page.goto((await post("invites", { role: "reader" })).url);
  await page.getByLabel("Your name").fill("Maximiliane von Hohenfels-Wartenberg, dritte Schicht, Halle 7");
  await picture(page, "door");
  await page.getByRole("button", { name: "Join the session" }).click();
  await page.getByText("Connected", { exact: true }).waitFor();
  await page.getByRole("button", { name: /here$/ }).click();
  await picture(page, "people-long");
  const you = await page.locator('[title^="You are "]').first().getAttribute("title");
  const client = /client (\d+)$/.exec(you ?? "")?.[1];
  await fetch(`${url}/v1/sessions/${session}/clients/${client}`, {
    method: "DELETE",
    headers: { "X-Service-Token": key },
  });
  await page.locator("main.door").waitFor();
  await picture(page, "door-sent-away");
  await page.context().close();
}

/**
 * Draws questions of an agent in a tile, as its hooks report them, the lease of a program on another, and the agent of the
 * first workspace held by its limit.
 * @param {{ page: Page, client: number, command: Command, picture: Picture, url: string, session: string, key: string, home: string }} place
 */
export async function drawQuestions({ page, client, command, picture, url, session, key, home }) {
  const base = `${url}/v1/sessions/${session}`;
  const json = { "Content-Type": "application/json" };
  const file = path.join(home, "token");
  await command(client, "createWorkspace", { name: "asked" });
  const { shellIds } = await command(client, "setup", { grid: "2x1" });
  await command(client, "writeToShell", { id: shellIds[0], data: `printf %s "$SERVICE_TOKEN" > ${file}; clear\n` });
  while (!existsSync(file) || readFileSync(file, "utf8") === "") await delay(50);
  const token = readFileSync(file, "utf8");
  for (const { state, line } of ASKED) {
    const event = { session_id: "a-1", cwd: home, hook_event_name: "PermissionRequest", tool_name: "Bash" };
    const body = JSON.stringify({ key: state, event: { ...event, tool_input: { command: line } } });
    const headers = { ...json, "X-Service-Token": token };
    const answered = fetch(`${base}/agent-hooks/claude`, { method: "POST", headers, body });
    await page.getByRole("group", { name: `Question of claude: Bash: ${line.slice(0, 20)}` }).waitFor();
    if (state === "asked-long") await page.getByRole("button", { name: "Show the whole command" }).click();
    await picture(page, state);
    await page.locator(".question-bar").getByRole("button", { name: "No", exact: true }).click();
    await answered;
  }
  const headers = { ...json, "X-Service-Token": key };
  await fetch(`${base}/shells/${shellIds[1]}/lease`, {
    method: "PUT",
    headers,
    body: JSON.stringify({ seconds: 600 }),
  });
  await page.locator(".chip", { hasText: "types" }).waitFor();
  await picture(page, "lease");
  const day = `${url}/v1/budgets/day`;
  await fetch(day, { method: "PUT", headers, body: JSON.stringify({ limit: 0.5 }) });
  await command(client, "switchWorkspace", { index: 0 });
  await page.locator(".tile:visible .question-bar", { hasText: "budget is spent" }).waitFor();
  await picture(page, "held");
  await fetch(day, { method: "DELETE", headers });
  await page.locator(".question-bar", { hasText: "budget is spent" }).waitFor({ state: "detached" });
}

/**
 * Draws what a person on a phone sees. @param {Page} page in the session, with a touch screen
 * @param {number} client @param {Command} command @param {Picture} picture
 */
export async function drawPhone(page, client, command, picture) {
  await picture(page, "empty", PHONE);
  const { shellIds } = await command(client, "setup", { grid: "2x1" });
  await command(client, "writeToShell", { id: shellIds[0], data: "ls -la /\n" });
  await page.getByRole("toolbar", { name: "Terminal keys" }).waitFor();
  await picture(page, "shell", PHONE);
  await page.getByRole("button", { name: /^Menu of the session/ }).tap();
  await picture(page, "menu", PHONE);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /show the list/ }).tap();
  await picture(page, "shells", PHONE);
  await page.keyboard.press("Escape");
  await page.locator(".chat-button").tap();
  await picture(page, "chat", PHONE);
}

/** Draws the page as settings of the system change it. @param {Page} page with tiles @param {Picture} picture */
export async function drawSystem(page, picture) {
  for (const more of /** @type {const} */ ([{ forcedColors: "active" }, { contrast: "more" }])) {
    const [state = ""] = Object.keys(more);
    await page.emulateMedia({ forcedColors: "none", contrast: "no-preference", ...more });
    await picture(page, state, DESKTOP);
    await page.keyboard.press("Control+Shift+P");
    await picture(page, `${state}-palette`, DESKTOP);
    await page.keyboard.press("Escape");
  }
  await page.emulateMedia({ forcedColors: "none", contrast: "no-preference" });
}
