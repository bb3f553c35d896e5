import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { chromium, type Page } from "playwright-core";
import { RemoteClient } from "../../../client/remote-client.ts";
import { RelayFile } from "../../../core/protocol/relay-file.ts";
import { endShellHost } from "../../../test/support/end-shell-host.ts";
import { chromiumExecutable } from "../../setup/chromium.mjs";
import { startProgram } from "../support/start-program.ts";
import type { Stops } from "../support/stops.mjs";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** Where `npm run bench` runs. */
const checkout = process.cwd();

/** Without WebGL xterm.js draws text as DOM, so the page can observe when text is drawn. Applies to both sides. */
const SWITCHES = ["--no-sandbox", "--disable-background-networking", "--disable-gpu", "--disable-software-rasterizer"];

/** The terminal of the baseline. */
export interface BareTerminal {
  /** Size in cells; default: that of the shell in the view. */
  readonly cols?: number;
  readonly rows?: number;
  /** What it answers when a program asks for its attributes (DA1); default: as xterm.js does. */
  readonly attributes?: string;
}

export interface ViewLab {
  /** A folder that is removed with the lab. */
  readonly folder: string;
  /** Opens a page of the relay with one shell of `cols` x `rows`. */
  readonly page: Page;
  readonly cols: number;
  readonly rows: number;
  /** Calls the relay, whose only client is the page. */
  readonly relay: RemoteClient;
  /** Opens the session in a browser without a cache; `before` gets the page before it is loaded. */
  openGuest(before: (page: Page) => Promise<void>): Promise<Page>;
  /** Types a command line into the shell. */
  type(line: string): Promise<void>;
  /** Opens the baseline's page. */
  openBare(terminal?: BareTerminal): Promise<Page>;
}

/** Settings of terminals in the relay's page, by their keys in its storage; default: as a new user has them. */
type Settings = Readonly<Record<string, string>>;

/** Starts the built relay and the baseline, each in its own process, and one browser for both. */
export async function startViewLab(stops: Stops, settings: Settings = {}): Promise<ViewLab> {
  const folder = temporaryFolder(stops);
  const start = (words: readonly string[]) => startNode(words, folder, stops);
  const data = join(folder, "data");
  stops.add(() => endShellHost(data));
  await lineWith(start(patchbay("serve", "--port", "0", "--data", data)), "Try next");
  const { url, session } = RelayFile.parse(JSON.parse(readFileSync(join(data, "relay.json"), "utf8")));
  const key = await firstLine(start(patchbay("keys", "create", "--name", "bench", "--data", data)));
  const relay = new RemoteClient({ url, token: key, ...(session === undefined ? {} : { session }) });

  // Otherwise it would end this process at a Ctrl-C before the others have ended.
  const signals = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };
  const executablePath = chromiumExecutable() ?? "chromium";
  const browser = await chromium.launch({ executablePath, args: SWITCHES, ...signals });
  stops.add(() => browser.close());
  const viewport = { width: 1280, height: 800 };
  const openGuest: ViewLab["openGuest"] = async (before) => {
    const opened = await (await browser.newContext({ viewport })).newPage();
    await before(opened);
    await opened.goto((await relay.operation("createInvite", {})).url);
    await opened.getByRole("button", { name: "Join the session" }).click();
    await opened.getByText("Connected", { exact: true }).waitFor();
    return opened;
  };
  const page = await openGuest(async (opened) => {
    await countBytes(opened);
    await opened.addInitScript((kept) => Object.assign(localStorage, kept), settings);
  });
  const { shellId } = await relay.call("createShell", {});
  await page.locator(".xterm").click();
  await relay.call("runCommand", { command: "PS1='$ '; clear", wait: true });
  const [shell] = await relay.call("getShells");
  const { cols, rows } = shell ?? { cols: 80, rows: 24 };
  const barePort = await firstLine(start([resolve(checkout, "tools/bench/view/bare-server.mjs")]));
  return {
    folder,
    page,
    cols,
    rows,
    relay,
    openGuest,
    async type(line) {
      await relay.call("writeToShell", { id: shellId, data: `${line}\n` });
    },
    async openBare(terminal) {
      const asked = new URLSearchParams(
        Object.entries({ cols, rows, ...terminal }).map(([name, value]) => [name, `${value}`]),
      );
      const opened = await (await browser.newContext({ viewport })).newPage();
      await opened.goto(`http://127.0.0.1:${barePort}/?${asked}`);
      await opened.locator(".xterm").click();
      return opened;
    },
  };
}

/** Starts Node as a process with the lab's folder as its home. */
function startNode(words: readonly string[], folder: string, stops: Stops): ChildProcess {
  const env = { PATH: process.env.PATH, HOME: folder, LANG: "C.UTF-8", SHELL: "/bin/bash" };
  return startProgram(stops, process.execPath, words, { env, stdio: ["pipe", "pipe", "inherit"] }).child;
}

/** Returns the arguments for Node that run the built command line. */
function patchbay(...words: string[]): string[] {
  return [resolve(checkout, "dist/cli/main.js"), ...words];
}

/** Counts the bytes of terminal output that the page receives, as `terminalBytes`. */
async function countBytes(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const counter = Object.assign(window, { terminalBytes: 0 });
    window.WebSocket = class extends WebSocket {
      constructor(...args: ConstructorParameters<typeof WebSocket>) {
        super(...args);
        this.addEventListener("message", ({ data }) => {
          if (data instanceof ArrayBuffer) counter.terminalBytes += data.byteLength;
        });
      }
    };
  });
}

async function lineWith(child: ChildProcess, words: string): Promise<string> {
  if (child.stdout === null) throw new Error("the process has no output");
  for await (const line of createInterface(child.stdout)) if (line.includes(words)) return line;
  throw new Error("a process of the benchmark ended early");
}

function firstLine(child: ChildProcess): Promise<string> {
  return lineWith(child, "");
}
