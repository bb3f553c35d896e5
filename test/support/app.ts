import { type ChildProcess, execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { _electron, type ElectronApplication, type Page } from "playwright-core";
import { RelayFile } from "../../core/protocol/relay-file.ts";
import { descendantsOf, type Process, untilGone } from "./processes.ts";
import { runLocal } from "./run-local.ts";
import { until } from "./until.ts";

const OUTPUT = "stdout";
const CHECKOUT = fileURLToPath(new URL("../../", import.meta.url));

export interface AppOptions {
  /** Data folder of an earlier run; default: a fresh one that goes away with the app. */
  readonly data?: string;
  /** For Patchbay. */
  readonly args?: readonly string[];
  /** For Electron and Chromium. */
  readonly switches?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Whether the first window shows the welcome; default: no. */
  readonly firstRun?: boolean;
}

/** A session of an app that several tests share, for one of them; closed at the end, with its shells and its window. */
export interface AppSession extends AsyncDisposable {
  readonly id: string;
  /** Calls a method over HTTP, as any program would. Rejects with the body of a refusal. */
  call(method: string, params?: Readonly<Record<string, unknown>>): Promise<unknown>;
  /** Opens the session's window. */
  window(): Promise<Page>;
}

/** The real app in the real Electron, with a home and a data folder of its own, on a free port. */
export class TestApp implements AsyncDisposable {
  readonly data: string;
  readonly electron: ElectronApplication;
  readonly process: ChildProcess;
  /** What `relay.json` says. */
  readonly relay: RelayFile;
  readonly #home: string;
  readonly #keepData: boolean;
  #token: string | undefined;

  constructor(parts: {
    data: string;
    home: string;
    keepData: boolean;
    electron: ElectronApplication;
    relay: RelayFile;
  }) {
    this.data = parts.data;
    this.electron = parts.electron;
    this.process = parts.electron.process();
    this.relay = parts.relay;
    this.#home = parts.home;
    this.#keepData = parts.keepData;
  }

  /** Everything that the app has printed. */
  get output(): string {
    return readFileSync(path.join(this.#home, OUTPUT), "utf8");
  }

  get pid(): number {
    if (this.process.pid === undefined) throw new Error("the app has no process");
    return this.process.pid;
  }

  /** Id of the default session. */
  get session(): string {
    if (this.relay.session === undefined) throw new Error("the app names no default session");
    return this.relay.session;
  }

  /** The session's window, once its page is drawn. */
  window(): Promise<Page> {
    return this.page("/window/index.html");
  }

  /** The first page whose address has this in it, once there is one. */
  page(part: string): Promise<Page> {
    return until(`a page at ${part}`, () => this.electron.windows().find((page) => page.url().includes(part)));
  }

  /** Calls a method over HTTP, as any program would. Rejects with the body of a refusal. */
  async call(method: string, params: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
    return resultOf(await this.fetch("remote/command", { method, params }));
  }

  /** A request below the session's path: POST with a body, else GET. */
  fetch(below: string, body?: unknown): Promise<Response> {
    return this.#request(body === undefined ? "GET" : "POST", `sessions/${this.session}/${below}`, body);
  }

  /** Makes another session. With one of its own each, tests share an app: a start takes longer than most of them. */
  async newSession(name: string): Promise<AppSession> {
    const { id } = (await resultOf(await this.#request("POST", "sessions", { name }))) as { id: string };
    const windows = () => this.electron.windows().filter((page) => page.url().includes("/window/index.html"));
    return {
      id,
      call: async (method, params = {}) =>
        resultOf(await this.#request("POST", `sessions/${id}/remote/command`, { method, params })),
      window: async () => {
        const before = new Set(windows());
        await resultOf(await this.#request("POST", "windows", { target: id }));
        return until(`the window of ${name}`, () => windows().find((page) => !before.has(page)));
      },
      [Symbol.asyncDispose]: async () => {
        await resultOf(await this.#request("DELETE", `sessions/${id}`));
      },
    };
  }

  /** Closes every window, so that the app is in the tray only, as a hidden start leaves it. */
  async closeWindows(): Promise<void> {
    await this.electron.evaluate(({ BrowserWindow }) => {
      for (const window of BrowserWindow.getAllWindows()) window.destroy();
    });
    await until("the end of the windows", () => this.electron.windows().length === 0);
  }

  /** A request below `/v1`, with the key that this app was asked for first. */
  async #request(method: string, below: string, body?: unknown): Promise<Response> {
    this.#token ??= await createKey(this.data);
    return fetch(`${this.relay.url}/v1/${below}`, {
      method,
      headers: { "x-service-token": this.#token, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  /** All processes below the app's, as the system lists them now. */
  descendants(): Promise<Process[]> {
    return descendantsOf(this.pid);
  }

  /** Resolves with the exit code once the process has ended. */
  async ended(): Promise<number | null> {
    await until("the app's end", () => this.process.exitCode !== null || this.process.signalCode !== null);
    return this.process.exitCode;
  }

  /** Quits the app, and keeps its data. Fails when the app leaves a process behind. */
  async stop(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const family = await this.descendants();
    await this.electron.close().catch(() => this.process.kill("SIGKILL"));
    await this.ended();
    await untilGone(family);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await rm(this.#home, { recursive: true, force: true });
    if (!this.#keepData) await rm(this.data, { recursive: true, force: true });
  }
}

async function resultOf(answer: Response): Promise<unknown> {
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  return ((await answer.json()) as { result: unknown }).result;
}

/** Starts the app and waits until its relay says that it is up. */
export async function launchApp(options: AppOptions = {}): Promise<TestApp> {
  const { data, args = [], switches = [], env = {}, firstRun = false } = options;
  const home = await mkdtemp(path.join(tmpdir(), "patchbay-home-"));
  const folder = data ?? (await mkdtemp(path.join(tmpdir(), "patchbay-data-")));
  await rm(path.join(folder, "relay.json"), { force: true });
  if (!firstRun) await writeFile(path.join(folder, "welcomed"), "");
  const electron = await _electron.launch({
    executablePath: await wrapper(home),
    args: [...switches, ...appWords(folder), ...args],
    env: appEnv(home, env),
  });
  try {
    const relay = await until("relay.json", () => readRelayFile(folder), 30_000);
    return new TestApp({ data: folder, home, keepData: data !== undefined, electron, relay });
  } catch (error) {
    await electron.close().catch(() => undefined);
    throw new Error(`The app did not come up. It printed:\n${readFileSync(path.join(home, OUTPUT), "utf8")}`, {
      cause: error,
    });
  }
}

/**
 * A program that runs Electron in its own place, with what it prints kept in a file: Playwright reads the pipe before a
 * test can, and what was printed by then is gone.
 */
async function wrapper(home: string): Promise<string> {
  const file = path.join(home, "electron");
  await writeFile(file, `#!/bin/sh\nexec "${electronPath()}" "$@" > "${path.join(home, OUTPUT)}"\n`, { mode: 0o700 });
  return file;
}

/** Starts the app plainly, for a start that is to end at once. Answers its exit code and what it printed. */
export async function runApp(data: string): Promise<{ code: number; output: string }> {
  const home = await mkdtemp(path.join(tmpdir(), "patchbay-home-"));
  try {
    return await promisify(execFile)(electronPath(), appWords(data), { env: appEnv(home), timeout: 30_000 }).then(
      ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
      (error: { code: number; stdout: string; stderr: string }) => ({
        code: error.code,
        output: error.stdout + error.stderr,
      }),
    );
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

/** The Electron that tools/test.mjs found; run tests through it. */
function electronPath(): string {
  const found = process.env.PATCHBAY_ELECTRON;
  if (found === undefined) throw new Error("PATCHBAY_ELECTRON is not set: run `npm run test:e2e` or `npm test`");
  return found;
}

/** The app to test: this checkout, or another build that PATCHBAY_APP names; undefined for a package (E2E_APP). */
function appFolder(): string | undefined {
  if (process.env.E2E_APP) return undefined;
  return process.env.PATCHBAY_APP ?? CHECKOUT;
}

function appWords(data: string): string[] {
  const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const folder = appFolder();
  return [...sandbox, ...(folder === undefined ? [] : [folder]), "--data", data, "--port", "0"];
}

function appEnv(home: string, more: Readonly<Record<string, string>> = {}): Record<string, string> {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(SERVICE_|VITEST|NODE_)/.test(name));
  return Object.fromEntries([
    ...inherited.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    ["HOME", home],
    ["XDG_CONFIG_HOME", path.join(home, ".config")],
    ["XDG_DATA_HOME", path.join(home, ".local", "share")],
    ["SHELL", "/bin/bash"],
    ...Object.entries(more),
  ]);
}

async function readRelayFile(data: string): Promise<RelayFile | undefined> {
  try {
    return RelayFile.parse(JSON.parse(await readFile(path.join(data, "relay.json"), "utf8")));
  } catch {
    return undefined;
  }
}

/** A key for the relay of this data folder, by the code of `patchbay keys create`. */
export async function createKey(data: string): Promise<string> {
  const words = ["keys", "create", "--name", "test", "--data", data];
  const folder = appFolder();
  // In this process, which is five times as fast as a program's start.
  if (folder === CHECKOUT) return (await runLocal(...words)).out.trim();
  const [program, ...first]: readonly [string, ...string[]] =
    folder === undefined
      ? [path.join(path.dirname(electronPath()), "bin", "patchbay")]
      : [process.execPath, path.join(folder, "dist", "cli", "main.js")];
  const { stdout } = await promisify(execFile)(program, [...first, ...words]);
  return stdout.trim();
}
