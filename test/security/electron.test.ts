import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newRemoteId, Remotes } from "../../main/system/remotes.ts";
import { launchApp, type TestApp } from "../support/app.ts";
import { serveFolder } from "../support/serve-folder.ts";
import { startTestRelay, type TestRelay } from "../support/test-relay.ts";
import { until } from "../support/until.ts";

let app: TestApp;
let page: Page;
let box: TestRelay;

beforeAll(async () => {
  box = await startTestRelay();
  app = await launchApp({ env: { SERVICE_TOKEN_BOX: box.key } });
  page = await app.window();
}, 60_000);

afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await box[Symbol.asyncDispose]();
});

describe("a page of the app", () => {
  test("runs isolated and sandboxed, without Node, as read back from the running app", async () => {
    const preferences = await app.electron.evaluate(({ webContents }) =>
      webContents.getAllWebContents().map((contents) => {
        const told = contents as typeof contents & { getLastWebPreferences(): Electron.WebPreferences };
        const { contextIsolation, sandbox, nodeIntegration, webSecurity, webviewTag } = told.getLastWebPreferences();
        return { contextIsolation, sandbox, nodeIntegration, webSecurity, webviewTag };
      }),
    );
    expect(preferences.length).toBeGreaterThan(0);
    for (const one of preferences) {
      expect(one).toEqual({
        contextIsolation: true,
        sandbox: true,
        nodeIntegration: false,
        webSecurity: true,
        webviewTag: false,
      });
    }
    const seen = await page.evaluate(() =>
      ["require", "process", "module", "Buffer"].filter((name) => name in globalThis),
    );
    expect(seen).toEqual([]);
  });

  test("has a policy without unsafe words, and comes by a scheme of its own", async () => {
    const policy = await app.electron.evaluate(
      async ({ session }, address) =>
        (await session.defaultSession.fetch(address)).headers.get("content-security-policy"),
      page.url(),
    );
    expect(policy).toContain("default-src 'none'");
    // Images of terminals are decoded in WebAssembly.
    expect(policy).not.toMatch(/'unsafe-/);
    expect(policy).toMatch(/script-src 'self'( 'wasm-unsafe-eval')?;/);
    expect(page.url()).toMatch(/^app:/);
    // A script that got in anyway does not run.
    const ran = await page.evaluate(() => {
      const script = document.createElement("script");
      script.textContent = "globalThis.intruded = true";
      document.body.append(script);
      return "intruded" in globalThis;
    });
    expect(ran).toBe(false);
  });

  test("goes nowhere, opens nothing and gets no permission", async () => {
    const address = page.url();
    expect(await page.evaluate(() => window.open("https://attacker.test/"))).toBeNull();
    await page.evaluate(() => {
      location.href = "https://attacker.test/";
    });
    await page.evaluate(() => {
      location.href = "file:///etc/passwd";
    });
    const permission = await page.evaluate(() =>
      Promise.all(
        (["geolocation", "notifications", "camera"] as const).map(async (name) => {
          const { state } = await navigator.permissions.query({ name: name as PermissionName });
          return state;
        }),
      ),
    );
    expect(permission).toEqual(["denied", "denied", "denied"]);
    expect(page.url()).toBe(address);
    expect(await app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBeGreaterThan(0);
  });

  test("saves nothing that no press began", async () => {
    await using server = await serveFolder(tmpdir(), {
      saving: `<a id="save" download="x" href="data:,x">Save</a><script>setInterval(() => save.click(), 100)</script>`,
    });
    await app.electron.evaluate(({ session }) => {
      const counts = { admitted: 0, refused: 0 };
      Object.assign(globalThis, { downloads: counts });
      session.defaultSession.on("will-download", (event) => {
        counts[event.defaultPrevented ? "refused" : "admitted"] += 1;
        event.preventDefault();
      });
    });
    const downloads = () =>
      app.electron.evaluate(
        () => (globalThis as unknown as { downloads: { admitted: number; refused: number } }).downloads,
      );
    await app.call("openTile", { type: "browser", url: `${server.url}/saving` });
    await until("downloads that were refused", async () => (await downloads()).refused > 10);
    expect((await downloads()).admitted).toBe(0);
  });

  test("starts no program by a path that a terminal printed, whatever the file is called", async () => {
    const folder = mkdtempSync(join(tmpdir(), "printed-"));
    try {
      writeFileSync(join(folder, "program.desktop"), "[Desktop Entry]\nType=Application\nExec=touch ran\n");
      writeFileSync(join(folder, "notes.txt"), "#!/bin/sh\n", { mode: 0o755 });
      symlinkSync(join(folder, "program.desktop"), join(folder, "readme.md"));
      await app.electron.evaluate(({ shell }) => {
        const started: string[] = [];
        Object.assign(globalThis, { started });
        shell.openPath = async (file) => {
          started.push(file);
          return "";
        };
        shell.showItemInFolder = () => undefined;
      });
      const { shellId } = (await app.call("createShell", { cwd: folder, tile: false })) as { shellId: number };
      const results = await page.evaluate(
        async ({ shell, paths }) => {
          const { patchbay } = window as unknown as {
            patchbay: { invoke(name: string, args: unknown): Promise<unknown> };
          };
          const results: unknown[] = [];
          for (const path of paths) results.push(await patchbay.invoke("session.openFile", { shell, path }));
          return results;
        },
        { shell: shellId, paths: ["program.desktop", "notes.txt", "readme.md", "/bin/sh"] },
      );
      expect(results).toEqual(["shown", "shown", "shown", "shown"]);
      expect(await app.electron.evaluate(() => Reflect.get(globalThis, "started"))).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test("is the only one that the main process listens to: a foreign page's calls are refused", async () => {
    const answer = await app.electron.evaluate(async ({ BrowserWindow, app: electron }) => {
      // As if a page had been swapped under a window that has the bridge.
      const preload = `${electron.getAppPath()}/dist/preload/preload.cjs`;
      const stranger = new BrowserWindow({ show: false, webPreferences: { preload, sandbox: true } });
      await stranger.loadURL("data:text/html,<title>stranger</title>");
      const said: unknown = await stranger.webContents.executeJavaScript(
        "patchbay.invoke('panel.run', { operation: 'listKeys', params: {} }).then(() => 'answered', (error) => error.message)",
      );
      stranger.destroy();
      return said;
    });
    expect(answer).toBe("Not one of our pages.");
    // Nor may the app's own other pages use the panel's calls, which act as the owner.
    const ofSession = await page.evaluate(() => {
      const { patchbay } = window as unknown as { patchbay: { invoke(name: string, args: unknown): Promise<unknown> } };
      const call = patchbay.invoke("panel.run", { operation: "listKeys", params: {} });
      return call.then(
        () => "answered",
        (error: Error) => error.message,
      );
    });
    expect(ofSession).toBe("Only the panel may ask for this.");
    await until("the stranger to be gone", async () =>
      app.electron.windows().every((one) => !one.url().startsWith("data:")),
    );
  });
});

test("a window of another machine's session has no key of that machine, and reaches no files, invites and settings of this one", async () => {
  new Remotes(app.data).add("box", { id: newRemoteId(), url: box.url, addedAt: "2026-11-21T04:00:00.000Z" });
  // Below the path of the session, as `fetch` makes it: /v1/windows.
  expect((await app.fetch("../../windows", { target: "box/default" })).status).toBe(200);
  const isOther = (one: Page) => one !== page && one.url().includes("/window/");
  const other = await until("the window", () => app.electron.windows().find(isOther));
  await other.getByRole("button", { name: "Menu of the session default on box" }).waitFor();
  const { shellId } = await box.command<{ shellId: number }>("createShell");
  await other.getByText("1 shell", { exact: true }).waitFor();
  const ids = { shell: shellId, session: box.session };
  const refusals = await other.evaluate(async ({ shell, session }) => {
    const { patchbay } = window as unknown as { patchbay: { invoke(name: string, args: unknown): Promise<unknown> } };
    const calls = [
      ["session.findFiles", { shell, paths: ["/etc/passwd"] }],
      ["session.openFile", { shell, path: "/etc/passwd" }],
      ["app.invite", { role: "writer" }],
      ["app.choose", { startAtLogin: true }],
      ["app.connectCommandLine", undefined],
      ["app.tryNotification", undefined],
      ["panel.giveKey", { via: "remote", machine: "box", key: "pb_other" }],
      ["panel.answerThere", { via: "remote", machine: "box", answer: { session, id: 1, option: "yes", wait: 0 } }],
      ["panel.questionsThere", { via: "remote", machine: "box", session, shell }],
    ] as const;
    const said = calls.map(([name, args]) => patchbay.invoke(name, args).then(String, (error: Error) => error.message));
    return Promise.all(said);
  }, ids);
  const files = "The files of this session are on another machine.";
  const local = "This page shows no session of this machine.";
  const panel = "Only the panel may ask for this.";
  expect(refusals).toEqual([files, files, local, local, local, local, panel, panel, panel]);
  const known = await other.evaluate(() => JSON.stringify([localStorage, sessionStorage, document.cookie, location]));
  expect(known + (await other.content())).not.toContain(box.key);
  expect(app.output).not.toContain(box.key);
});
