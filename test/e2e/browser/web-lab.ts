import { symlinkSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import type { Role } from "../../../core/protocol/records.ts";
import { ordinaryBrowser, pretendGraphicsCard } from "../../../tools/setup/chromium.mjs";
import { packagedBin } from "../../support/packaged-program.ts";
import { sharedRelay } from "../../support/shared-relay.ts";
import { type ServeLab, type ServeProcess, startServeLab } from "../../support/start-serve.ts";
import { until } from "../../support/until.ts";

const SWITCHES = ["--disable-background-networking", "--disable-component-update", "--disable-sync"];
const WITHOUT_WEBGL = ["--disable-gpu", "--disable-software-rasterizer"];

export interface WebUser {
  readonly id: number;
  readonly clientKind: string;
  readonly canWrite: boolean;
}

export interface BrowserOptions {
  readonly width?: number;
  readonly height?: number;
  readonly dark?: boolean;
  readonly touch?: boolean;
  /** Device pixels per CSS pixel. */
  readonly scale?: number;
  /** Draws terminals with WebGL, as for users. By default pages have no WebGL: their terminals draw text that tests read. */
  readonly webgl?: boolean;
  /** Whether there seems to be a graphics card behind WebGL; default: yes. */
  readonly card?: boolean;
}

export interface WebLab extends AsyncDisposable {
  /** The relay as it runs now, a process of its own. */
  relay(): ServeProcess;
  readonly key: string;
  /** The relay's data folder. */
  readonly data: string;
  /** Ends the relay as a crash would; it listens on the same port after `revive`. */
  kill(): Promise<void>;
  revive(): Promise<void>;
  /** The link of a new invite. */
  invite(wanted?: { role?: Role; ttl?: number; outside?: boolean }): Promise<string>;
  /** An empty browser with one page, as another person's would be. */
  browser(options?: BrowserOptions): Promise<{ page: Page; context: BrowserContext }>;
  /**
   * A browser that came in by an invite, with its client id. `port`: reach the relay by another port than its own; `name`:
   * default is the relay's choice.
   */
  guest(wanted?: BrowserOptions & { role?: Role; port?: number; name?: string }): Promise<Guest>;
  command<T = unknown>(method: string, params?: object, target?: number): Promise<T>;
  users(): Promise<WebUser[]>;
}

export interface Guest {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly id: number;
}

const shared = new Map<boolean, Promise<Browser>>();

/**
 * The browser of all labs of this process, which ends with it: a start takes as much processor time as a test. Each page
 * of a lab has a context of its own, so nothing is left behind but what the browser keeps for itself.
 */
async function sharedBrowser(webgl: boolean): Promise<Browser> {
  const known = await shared.get(webgl);
  if (known?.isConnected()) return known;
  const launched = launch({ webgl });
  shared.set(webgl, launched);
  return launched;
}

function launch({ webgl, switches = [] }: { webgl: boolean; switches?: readonly string[] }): Promise<Browser> {
  const { args, ...ordinary } = ordinaryBrowser({ sandbox: false });
  const drawing = webgl ? args : ["--no-sandbox", ...WITHOUT_WEBGL];
  return chromium.launch({ ...ordinary, args: [...drawing, ...SWITCHES, ...switches] });
}

interface WebLabOptions {
  /** Whether the relay is the lab's own, for tests that end it or change what is the same in all of its sessions. */
  readonly own?: boolean;
  /** With a client of its own, too. */
  readonly client?: boolean;
  /** More words for `serve`. */
  readonly args?: readonly string[];
  /** For the browser. */
  readonly switches?: readonly string[];
}

/**
 * The real headless relay with the built pages, and real browsers. The lab has a session of its own, in the relay of all labs
 * of this process unless it needs another one.
 */
export async function startWebLab(options: WebLabOptions = {}): Promise<WebLab> {
  const { client = false, args = [], switches = [] } = options;
  const isShared = options.own !== true && !client && args.length === 0;
  const { key, ...room } = isShared
    ? await enterSharedRelay()
    : await startOwnRelay([...(client ? ["--client"] : []), ...args]);
  const own = switches.length === 0 ? undefined : await launch({ switches, webgl: false });
  const contexts: BrowserContext[] = [];
  const post = (path: string, body: object) =>
    request(room.relay(), key, { method: "POST", path: `sessions/${room.relay().session}/${path}`, body });
  const made: WebLab = {
    key,
    relay: room.relay,
    data: room.data,
    kill: room.kill,
    revive: room.revive,
    invite: async (wanted = {}) => ((await post("invites", wanted)) as { url: string }).url,
    async browser(options = {}) {
      const opened = await openBrowser(options, own);
      contexts.push(opened.context);
      return opened;
    },
    async guest({ role = "writer", port, name = "", ...size } = {}) {
      const { context, page } = await made.browser(size);
      const link = new URL(await made.invite({ role }));
      if (port !== undefined) link.port = String(port);
      await page.goto(link.href);
      await joinSession(page, name);
      await page.getByText("Connected", { exact: true }).waitFor();
      const self = await page.locator('[title^="You are "]').getAttribute("title");
      const id = Number(/client (\d+)$/.exec(self ?? "")?.[1]);
      return { context, page, id };
    },
    async command<T>(method: string, params: object = {}, target?: number) {
      const body = { method, params, ...(target === undefined ? {} : { target_client_id: target }) };
      return (await post("remote/command", body)) as T;
    },
    users: () => made.command<WebUser[]>("getClients"),
    async [Symbol.asyncDispose]() {
      await Promise.all(contexts.map((context) => context.close()));
      await own?.close();
      await room[Symbol.asyncDispose]();
    },
  };
  return made;
}

/** The relay of a lab, seen from the lab's session. */
interface LabRelay extends AsyncDisposable, Pick<WebLab, "relay" | "key" | "data" | "kill" | "revive"> {}

async function startOwnRelay(words: readonly string[]): Promise<LabRelay> {
  const lab = await startServeLab();
  addPages(lab);
  let relay = await lab.serve(words);
  return {
    relay: () => relay,
    key: await lab.makeKey(),
    data: lab.data,
    kill: () => relay.kill(),
    async revive() {
      relay = await lab.serve(["--port", new URL(relay.url).port, ...words]);
    },
    [Symbol.asyncDispose]: () => lab[Symbol.asyncDispose](),
  };
}

async function enterSharedRelay(): Promise<LabRelay> {
  const { lab, process: relay, key } = await sharedRelay(addPages);
  // A relay makes its first session again, and tests look for its name.
  await request(relay, key, { method: "PATCH", path: `sessions/${relay.session}`, body: { name: "first" } });
  const made = await request(relay, key, { method: "POST", path: "sessions", body: { name: "default" } });
  const session = (made as { id: string }).id;
  const refuse = async () => {
    throw new Error("other tests use this relay: start the lab with `own: true`");
  };
  return {
    relay: () => ({ ...relay, session }),
    key,
    data: lab.data,
    kill: refuse,
    revive: refuse,
    async [Symbol.asyncDispose]() {
      await request(relay, key, { method: "DELETE", path: `sessions/${session}` });
    },
  };
}

/** A package brings its pages and fonts; the bundle of a test has none. */
function addPages({ data }: ServeLab): void {
  for (const folder of packagedBin("patchbay") === undefined ? ["dist/renderer", "dist/docs"] : [])
    symlinkSync(resolve(import.meta.dirname, "../../..", folder), join(dirname(data), folder));
}

/** Calls an operation of the relay and resolves to its result. */
async function request(
  { url }: ServeProcess,
  key: string,
  { method, path, body }: { method: string; path: string; body?: object },
): Promise<unknown> {
  const answer = await fetch(`${url}/v1/${path}`, {
    method,
    headers: { "X-Service-Token": key, "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return ((await answer.json()) as { result: unknown }).result;
}

/** Opens an empty browser with one page; by default in the browser of all labs. The caller closes its context. */
export async function openBrowser(
  {
    width = 1280,
    height = 800,
    dark = true,
    touch = false,
    scale = 1,
    webgl = false,
    card = true,
  }: BrowserOptions = {},
  own?: Browser,
): Promise<{ page: Page; context: BrowserContext }> {
  const browser = own ?? (await sharedBrowser(webgl));
  const context = await browser.newContext({
    viewport: { width, height },
    deviceScaleFactor: scale,
    hasTouch: touch,
    colorScheme: dark ? "dark" : "light",
    reducedMotion: "reduce",
    // The user's click on the warning, once the fingerprint was compared.
    ignoreHTTPSErrors: true,
  });
  if (webgl && card) await context.addInitScript(pretendGraphicsCard);
  return { context, page: await context.newPage() };
}

/** Answers the page that asks a guest for a name. */
export async function joinSession(page: Page, name = ""): Promise<void> {
  await page.getByLabel("Your name").fill(name);
  await page.getByRole("button", { name: "Join the session" }).click();
}

/** What the terminals on show say, on a page without WebGL. */
export async function textOf(page: Page): Promise<string> {
  return (await page.locator(".xterm-rows").allInnerTexts()).join("\n");
}

/** Waits until a terminal of the page shows this. */
export async function shows(page: Page, text: string, timeoutMs?: number): Promise<void> {
  await until(`"${text}" on the page`, async () => (await textOf(page)).includes(text), timeoutMs);
}
