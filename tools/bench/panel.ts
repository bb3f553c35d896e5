import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { _electron } from "playwright-core";
import { launchApp, type TestApp } from "../../test/support/app.ts";
import type { TrayItem } from "../../test/support/dbus/tray-item.ts";
import { startDbusDesktop } from "../../test/support/dbus-desktop.ts";
import { descendantsOf } from "../../test/support/processes.ts";
import { until } from "../../test/support/until.ts";
import type { BenchContext } from "./bench-context.ts";
import type { BenchRow } from "./bench-row.ts";
import { medianOf } from "./support/median.ts";
import { memoryOf, processorSeconds } from "./support/process-cost.ts";
import type { Stops } from "./support/stops.mjs";
import { temporaryFolder } from "./support/temporary-folder.ts";

/** Where `npm run bench` runs. */
const checkout = process.cwd();
const IDLE_SECONDS = 60;
const SETTLE_MS = 10_000;
const OPENINGS = 21;

/**
 * Measures the time from a click on the icon until the panel is drawn, and the cost of the idle app after the panel was
 * opened once and hidden. The baseline is an Electron app with one empty window. Runs on a desktop of its own.
 */
export async function run({ stops, signal }: BenchContext): Promise<BenchRow[]> {
  const { prepare } = (await script("prepare")) as typeof import("../setup/prepare.mjs");
  const { startTestEnvironment: startTestPlace } = (await script(
    "test-environment",
  )) as typeof import("../setup/test-environment.mjs");
  const context = { log: () => undefined, signal };
  const place = await startTestPlace(await prepare("test", context), { desktop: true, ...context });
  stops.add(place.stop);
  const before = { ...process.env };
  stops.add(() => {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    Object.assign(process.env, before);
  });
  Object.assign(process.env, place.env, { PATCHBAY_APP: checkout });
  const empty = await emptyWindowMemory(stops);
  return rowsOf(await measurePanel(stops), empty);
}

interface Measured {
  readonly first: number;
  readonly later: readonly number[];
  /** Share of one core, in percent. */
  readonly share: number;
  readonly memory: number;
}

function rowsOf({ first, later, share, memory }: Measured, empty: number): BenchRow[] {
  const opens = medianOf(later);
  const ratio = memory / empty;
  return [
    { name: "first opening", value: Math.round(first), unit: "ms" },
    { name: "later openings, p50", value: Math.round(opens), unit: "ms", goal: "under 100", ok: opens < 100 },
    { name: "idle: processor", value: Number(share.toFixed(2)), unit: "% core", goal: "under 0.5", ok: share < 0.5 },
    { name: "idle: memory (PSS)", value: Math.round(memory), unit: "MB" },
    { name: "Electron with an empty window: memory (PSS)", value: Math.round(empty), unit: "MB" },
    { name: "memory, ratio", value: Number(ratio.toFixed(2)), unit: "" },
  ];
}

async function measurePanel(stops: Stops): Promise<Measured> {
  const desktop = await startDbusDesktop();
  stops.add(() => desktop[Symbol.asyncDispose]());
  const app = await ownSignals(() => launchApp({ args: ["--hidden"] }));
  stops.add(() => app[Symbol.asyncDispose]());
  return measureWith(app, await desktop.trayItem(app.pid));
}

async function measureWith(app: TestApp, icon: TrayItem): Promise<Measured> {
  const clicked = performance.now();
  await icon.click();
  const page = await until("the panel", () => app.electron.windows().find((one) => one.url().includes("/tray/")));
  await page.getByRole("tab", { name: "Sessions" }).waitFor();
  const first = performance.now() - clicked;
  const later: number[] = [];
  for (let opening = 0; opening < OPENINGS; opening += 1) {
    await hidePanel(app, icon);
    await watchForShow(app);
    const from = Date.now();
    await icon.click();
    later.push((await drawnAt(app)) - from);
  }
  await hidePanel(app, icon);
  await pause(SETTLE_MS);
  const pids = await family(app);
  const before = sum(pids, processorSeconds);
  await pause(IDLE_SECONDS * 1000);
  const share = ((sum(pids, processorSeconds) - before) / IDLE_SECONDS) * 100;
  return { first, later, share, memory: sum(pids, memoryOf) };
}

async function hidePanel(app: TestApp, icon: TrayItem): Promise<void> {
  const visible = () =>
    app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().some((window) => window.isVisible()));
  if (await visible()) await icon.click();
  await until("the hidden panel", async () => !(await visible()));
}

/** The app's main process, with the result that it keeps between two calls of the benchmark. */
interface HostWithResult {
  benchDrawn?: Promise<number>;
}

/** Records when the panel is shown next. */
async function watchForShow(app: TestApp): Promise<void> {
  // Under Playwright a page always counts as visible, so observe its window.
  await app.electron.evaluate(({ app: host, BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows();
    const frames = "new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn())))";
    (host as HostWithResult).benchDrawn = new Promise<number>((resolve, reject) => {
      window?.once("show", () => window.webContents.executeJavaScript(frames).then(() => resolve(Date.now()), reject));
    });
  });
}

/** Returns the wall-clock time at which the panel's page had drawn two frames after its window was shown. */
async function drawnAt(app: TestApp): Promise<number> {
  const at = await app.electron.evaluate(({ app: host }) => (host as HostWithResult).benchDrawn);
  if (at === undefined) throw new Error("watchForShow was not called");
  return at;
}

async function emptyWindowMemory(stops: Stops): Promise<number> {
  const folder = temporaryFolder(stops);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "empty", version: "0.0.0", main: "main.cjs" }));
  writeFileSync(
    join(folder, "main.cjs"),
    `const { app, BrowserWindow } = require("electron");
     app.whenReady().then(() => new BrowserWindow({ width: 420, height: 640 }).loadURL("about:blank"));`,
  );
  const executablePath = process.env.PATCHBAY_ELECTRON ?? "electron";
  const args = [...(process.getuid?.() === 0 ? ["--no-sandbox"] : []), folder];
  const electron = await ownSignals(() => _electron.launch({ executablePath, args }));
  const close = stops.add(() => electron.close());
  await until("the empty window", () =>
    electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().some((window) => window.isVisible())),
  );
  await pause(SETTLE_MS);
  const memory = sum(await family({ pid: electron.process().pid ?? 0 }), memoryOf);
  await close();
  return memory;
}

/** Removes Playwright's Ctrl-C handler, which would end this process before the desktop and the folders are removed. */
async function ownSignals<Launched>(launch: () => Promise<Launched>): Promise<Launched> {
  const own = process.listeners("SIGINT");
  const launched = await launch();
  for (const added of process.listeners("SIGINT")) if (!own.includes(added)) process.off("SIGINT", added);
  return launched;
}

async function family({ pid }: Pick<TestApp, "pid">): Promise<readonly number[]> {
  return [pid, ...(await descendantsOf(pid)).map((child) => child.pid)];
}

function sum(pids: readonly number[], of: (pid: number) => number): number {
  return pids.reduce((total, pid) => total + of(pid), 0);
}

/** Loads a script unbundled, because the scripts find the checkout relative to themselves. */
function script(name: string): Promise<unknown> {
  return import(pathToFileURL(join(checkout, "tools", "setup", `${name}.mjs`)).href);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
