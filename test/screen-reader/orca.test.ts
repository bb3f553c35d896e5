import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, test } from "vitest";
import { event, hooksOfShell } from "../support/agent-questions.ts";
import { launchApp, type TestApp } from "../support/app.ts";
import { until } from "../support/until.ts";

const PATIENCE_MS = 60_000;
const folder = mkdtempSync(path.join(tmpdir(), "patchbay-orca-"));
/** What Orca says, a line each. */
const log = path.join(folder, "speech.log");
const CUSTOMIZATIONS = "orca-customizations.py";
/** Lines that do not count: of the tests before, and of what this one has heard. */
let before = 0;
let stopOrca: () => Promise<void> = async () => undefined;

beforeAll(async () => {
  // The accessibility bus, which the session bus starts, needs the display to press keys.
  await promisify(execFile)("dbus-update-activation-environment", ["DISPLAY", "XAUTHORITY"]);
  copyFileSync(path.join(import.meta.dirname, CUSTOMIZATIONS), path.join(folder, CUSTOMIZATIONS));
  const env = { ...process.env, SPEECH_LOG: log };
  const orca = spawn("orca", ["--user-prefs", folder, "--replace"], { stdio: "ignore", env });
  const failed = once(orca, "error").then(([error]) => {
    throw new Error(`Orca does not start (apt install orca python3-dogtail): ${String(error)}`);
  });
  stopOrca = async () => {
    if (orca.exitCode !== null || orca.signalCode !== null) return;
    orca.kill("SIGKILL");
    await once(orca, "exit");
  };
  await Promise.race([until("Orca to speak", () => said("Screen reader on."), PATIENCE_MS), failed]);
}, 2 * PATIENCE_MS);

beforeEach(listenAnew);

afterAll(async () => {
  await stopOrca();
  rmSync(folder, { recursive: true, force: true });
});

test("Orca leads through the welcome, reads a command's output and an agent's question, which is answered without a pixel", async () => {
  await using app = await launchApp({ firstRun: true });
  await hears("Finished loading");
  // Orca reads the welcome's heading if it has come to the page before the welcome got the keys, and its button in any case.
  await drive("keys", "Tab");
  await hears("Skip push button");
  await press("Skip");
  await hears("Terminal, ");

  await drive("keys", "<Alt><Shift>v");
  await hears("Terminals are read out");
  await drive("type", "echo spoken-$((40+2))");
  await hears("spoken-42");

  copyFileSync(process.execPath, path.join(folder, "claude"));
  const agent = path.join(folder, "agent.cjs");
  const answers = path.join(folder, "answers");
  writeFileSync(agent, AGENT);
  const { shellId } = (await app.call("createShell", { cwd: folder })) as { shellId: number };
  await app.call("writeToShell", { id: shellId, data: `./claude '${agent}' '${answers}'\n` });
  await hears("wants to control the session");
  // Until it has stood still, nothing presses it.
  const page = await app.window();
  await page.locator(".agent-answers:not([aria-disabled])").waitFor();
  await press("Allow once");
  await until(
    "the agent's answer",
    () => existsSync(answers) && readFileSync(answers, "utf8").endsWith("200 "),
    PATIENCE_MS,
  );
});

test("Orca reads what waits and what runs in the panel, where a question that comes is answered by its button", async () => {
  await using app = await launchApp();
  const hooks = await hooksOfShell(
    { url: app.relay.url, session: app.session },
    { file: path.join(folder, "token"), createShell: (command) => app.call("createShell", { command }) },
  );
  // Without a tray the panel is a window, which opens beside the session's: either may have the keys at first.
  const panel = await app.page("/tray/index.html");
  await panel.getByRole("button", { name: /^default, / }).waitFor();
  await until("the panel to have the keys", () => focusWindow(app, "/tray/"), PATIENCE_MS);

  let answer = "";
  void hooks.ask("make release").then((output) => {
    answer = output;
  });
  await hears("claude wants to run: make release");
  // Orca takes digits for itself while it reads: a button answers.
  await panel.locator("[data-option][aria-disabled=false]").first().waitFor();
  await press("Yes, this once");
  await until("the agent's answer", () => answer.includes('"allow"'), PATIENCE_MS);
  await hooks.report(event("PostToolUse", "make release"));
  await hears("Confirmed");

  // What runs is below it.
  const reads = async () => {
    if (!said("default, 1 shell, 1 person")) await drive("keys", "Tab");
    return said("default, 1 shell, 1 person");
  };
  await until("Orca to read the row of the session", reads, PATIENCE_MS);
});

test("Orca reads the drawer beside the terminals, where a question that comes is answered by keys", async () => {
  await using app = await launchApp();
  const page = await app.window();
  const hooks = await hooksOfShell(
    { url: app.relay.url, session: app.session },
    { file: path.join(folder, "drawer-token"), createShell: (command) => app.call("createShell", { command }) },
  );
  await page.getByRole("button", { name: "Inbox and sessions", exact: true }).waitFor();
  await until("the session's window to have the keys", () => focusWindow(app, "/window/"), PATIENCE_MS);
  await hears("Terminal, ");
  await drive("keys", "<Alt><Shift>space");
  // What runs has the focus, while nothing waits.
  await hears("Inbox and sessions");
  await hears("default, 1 shell, 1 person");

  let answer = "";
  void hooks.ask("make release").then((output) => {
    answer = output;
  });
  await hears("claude wants to run: make release");
  await drive("keys", "Tab");
  await hears("Yes, this once push button");
  await page.locator("[data-option][aria-disabled=false]").first().waitFor();
  // Enter goes to the terminal and answers nothing.
  await drive("keys", "space");
  await until("the agent's answer", () => answer.includes('"allow"'), PATIENCE_MS);
  await hooks.report(event("PostToolUse", "make release"));
  await hears("Confirmed");
  // The keys that led here lead back. Beside the terminal, which keeps them, the drawer tells what comes.
  await press("Pin beside the tiles");
  await page.locator(".drawer[data-docked]").waitFor();
  listenAnew();
  await drive("keys", "<Alt><Shift>space");
  await hears("Terminal, ");
  void hooks.ask("make docs");
  await hears("claude wants to run: make docs");
});

/** Calls `createWorkspace` until that is allowed, and writes down each answer's status. */
const AGENT = `
const { appendFileSync } = require("node:fs");
const { SERVICE_URL, SERVICE_SESSION, SERVICE_TOKEN } = process.env;
const call = async () => {
  const answer = await fetch(SERVICE_URL + "/v1/sessions/" + SERVICE_SESSION + "/remote/command", {
    method: "POST",
    headers: { "X-Service-Token": SERVICE_TOKEN, "Content-Type": "application/json" },
    body: JSON.stringify({ method: "createWorkspace", params: {} }),
  });
  appendFileSync(process.argv[2], answer.status + " ");
  if (answer.status !== 200) setTimeout(call, 200);
};
call();
setInterval(() => {}, 1000);
`;

/** Gives the keys to the window of a page; resolves to whether it has them. */
function focusWindow(app: TestApp, page: string): Promise<boolean | undefined> {
  return app.electron.evaluate(({ BrowserWindow }, part) => {
    const window = BrowserWindow.getAllWindows().find(({ webContents }) => webContents.getURL().includes(part));
    window?.focus();
    return window?.isFocused();
  }, page);
}

/** Counts nothing of what Orca has said until now. */
function listenAnew(): void {
  before = spoken().length - 1;
}

/** Returns whether Orca has said a text in this test, since it last listened anew. */
function said(text: string): boolean {
  return (
    existsSync(log) &&
    spoken()
      .slice(before)
      .some((line) => line.includes(text))
  );
}

function spoken(): string[] {
  return readFileSync(log, "utf8").split("\n");
}

async function hears(text: string): Promise<void> {
  await until(`Orca to say ${text}`, () => said(text), PATIENCE_MS).catch((error: Error) => {
    throw new Error(`${error.message}; it said: ${spoken().slice(-20).join(" | ")}`);
  });
}

/** Presses a button, which may take a moment to reach the accessibility tree. */
function press(name: string): Promise<void> {
  return drive("press", name);
}

/** Runs drive.py with Debian's own Python, which has dogtail. */
async function drive(...words: string[]): Promise<void> {
  await promisify(execFile)("/usr/bin/python3", [path.join(import.meta.dirname, "drive.py"), ...words]);
}
